// a choice by type
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int n = 1; return _Generic(n, int: 1, default: 2); }
