/* A number that is not negative is halved for ever, and never becomes negative. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 0.0)) return 0;
  while (__VERIFIER_nondet_int()) {
    x = x / 2.0;
    if (!(x >= 0.0)) reach_error();
  }
  return 0;
}
