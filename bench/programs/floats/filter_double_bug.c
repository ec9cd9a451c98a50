/* A filter that amplifies: its outputs leave the interval of its inputs. */
#include <stdlib.h>

extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  double y = 0.0;
  while (__VERIFIER_nondet_int()) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= -1.0 && x <= 1.0)) break;
    y = y / 2.0 + y / 4.0 + x / 2.0;
    if (!(y >= -1.0 && y <= 1.0)) reach_error();
  }
  return 0;
}
