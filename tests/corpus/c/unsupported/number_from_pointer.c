// an address used as a number
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int x; unsigned long a = (unsigned long)&x; return a % 4 == 0; }
