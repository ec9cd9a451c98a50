/* The product of two numbers from the unit interval is in it. */
#include <stdlib.h>

extern float __VERIFIER_nondet_float(void);
void reach_error(void) { abort(); }

int main(void) {
  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
  if (!(a >= 0.0f && a <= 1.0f && b >= 0.0f && b <= 1.0f)) return 0;
  float p = a * b;
  if (!(p >= 0.0f && p <= 1.0f)) reach_error();
  return 0;
}
