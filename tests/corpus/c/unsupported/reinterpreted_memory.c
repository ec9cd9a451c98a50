// an int seen as characters
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int i = 258; char *c = (char *)&i; return c[1]; }
