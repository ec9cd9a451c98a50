// a function handed to a function without a body
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void at_end(void (*f)(void));
void f(void) { reach_error(); }
int main(void) { at_end(f); return 0; }
