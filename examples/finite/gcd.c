// The greatest common divisor by subtraction.
#include <stdlib.h>

unsigned gcd(unsigned x, unsigned y) {
  if (x == 0 || y == 0) abort();
  if (x == y) return x;
  if (x > y) return gcd(x - y, y);
  return gcd(x, y - x);
}
