/* A positive number is halved, and does not stay positive: the smallest one has no half. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > 0.0)) return 0;
  while (__VERIFIER_nondet_int()) {
    x = x / 2.0;
    if (!(x > 0.0)) reach_error();
  }
  return 0;
}
