/* A number that is not negative is halved for ever, and never becomes negative. */
#include <stdlib.h>

extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 0.0f)) return 0;
  while (__VERIFIER_nondet_int()) {
    x = x / 2.0f;
    if (!(x >= 0.0f)) reach_error();
  }
  return 0;
}
