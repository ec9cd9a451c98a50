// How many subsets with k elements a set with n elements has; k > n does not return.
#include <stdlib.h>

unsigned combination(unsigned n, unsigned k) {
  if (n == 0 || k == 0) abort();
  if (n == k) return 1;
  if (k == 1) return n;
  return combination(n - 1, k - 1) + combination(n - 1, k);
}
