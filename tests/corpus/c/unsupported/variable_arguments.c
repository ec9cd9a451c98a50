// a function that takes any number of arguments
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int n, ...) { return n; }
int main(void) { return sum(2, 1, 2); }
