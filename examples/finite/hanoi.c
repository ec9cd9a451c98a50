// How many moves the towers of Hanoi take.
#include <stdlib.h>

unsigned hanoi(unsigned n) {
  if (n == 0) abort();
  if (n == 1) return 1;
  unsigned moves = hanoi(n - 1);
  return moves + moves + 1;
}
