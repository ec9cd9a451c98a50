/* A value of any kind, brought into the unit interval; what is no number becomes zero. */
#include <stdlib.h>

extern float __VERIFIER_nondet_float(void);
void reach_error(void) { abort(); }

static float clamp(float x) {
  if (!(x > 0.0f)) return 0.0f;
  if (x > 1.0f) return 1.0f;
  return x;
}

int main(void) {
  float y = clamp(__VERIFIER_nondet_float());
  if (!(y >= 0.0f && y <= 1.0f)) reach_error();
  return 0;
}
