/* The product of two numbers from the unit interval is in it. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
void reach_error(void) { abort(); }

int main(void) {
  double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
  if (!(a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0)) return 0;
  double p = a * b;
  if (!(p >= 0.0 && p <= 1.0)) reach_error();
  return 0;
}
