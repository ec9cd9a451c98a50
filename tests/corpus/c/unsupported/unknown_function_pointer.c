// a call through a pointer that nothing sets
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int (*callback)(int);
int main(void) { return callback(3); }
