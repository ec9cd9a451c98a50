/* A low-pass filter whose inputs are in the unit interval: so are its outputs, for ever. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  double y = 0.0;
  while (__VERIFIER_nondet_int()) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= -1.0 && x <= 1.0)) break;
    y = y / 2.0 + x / 4.0;
    if (!(y >= -1.0 && y <= 1.0)) reach_error();
  }
  return 0;
}
