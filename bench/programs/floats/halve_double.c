/* A number that is not negative is halved for ever, and never becomes negative. */
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 0.0)) return 0;
  while (__VERIFIER_nondet_int()) {
    x = x / 2.0;
    if (!(x >= 0.0)) reach_error();
  }
  return 0;
}
