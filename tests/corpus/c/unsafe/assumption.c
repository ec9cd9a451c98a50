// runs that an assumption excludes do not count
// inputs: 11
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 10);
  if (n < 12) reach_error();
  return 0;
}
