/* The mean of two numbers is not always above the smaller one: it may be equal to it. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
void reach_error(void) { abort(); }

static double mean(double a, double b) { return (a + b) / 2.0; }

int main(void) {
  double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
  if (!(a >= 0.0 && a <= 100.0 && b >= 0.0 && b <= 100.0)) return 0;
  double m = mean(a, b);
  if (a < b && !(m > a)) reach_error();
  return 0;
}
