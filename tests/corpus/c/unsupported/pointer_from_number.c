// an address made of a number
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int *p = (int *)0x1000; return *p; }
