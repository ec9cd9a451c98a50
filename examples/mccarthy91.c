#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int mccarthy(int n) {
  if (n > 100)
    return n - 10;
  return mccarthy(mccarthy(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int result = mccarthy(n);
  assert(n > 101 ? result == n - 10 : result == 91);
}
