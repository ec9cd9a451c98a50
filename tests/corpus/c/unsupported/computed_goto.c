// labels as values
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { void *l = &&out; goto *l; out: return 0; }
