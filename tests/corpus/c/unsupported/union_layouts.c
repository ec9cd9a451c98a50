// a union that reads the bytes of something else
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union u { int i; unsigned char bytes[4]; };
int main(void) { union u u; u.i = 1; if (u.bytes[0]) reach_error(); return 0; }
