// machine code is not C
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int x; __asm__("nop"); return 0; }
