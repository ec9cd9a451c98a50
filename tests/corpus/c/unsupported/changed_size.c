// realloc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *realloc(void *, unsigned long);
int main(void) { int *p = realloc(0, 8); p[1] = 1; return p[1]; }
