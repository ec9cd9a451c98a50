/* The mean of two numbers is not always above the smaller one: it may be equal to it. */
#include <stdlib.h>

extern float __VERIFIER_nondet_float(void);
void reach_error(void) { abort(); }

static float mean(float a, float b) { return (a + b) / 2.0f; }

int main(void) {
  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
  if (!(a >= 0.0f && a <= 100.0f && b >= 0.0f && b <= 100.0f)) return 0;
  float m = mean(a, b);
  if (a < b && !(m > a)) reach_error();
  return 0;
}
