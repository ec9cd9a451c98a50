// Fibonacci numbers from 1, 2; an argument of 0 does not return.
#include <stdlib.h>

unsigned fibonacci(unsigned n) {
  if (n == 0) abort();
  if (n <= 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
