/* A low-pass filter whose inputs are in the unit interval: so are its outputs, for ever. */
#include <stdlib.h>

extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  float y = 0.0f;
  while (__VERIFIER_nondet_int()) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -1.0f && x <= 1.0f)) break;
    y = y / 2.0f + x / 4.0f;
    if (!(y >= -1.0f && y <= 1.0f)) reach_error();
  }
  return 0;
}
