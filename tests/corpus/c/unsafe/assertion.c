// the assert macro of the system
// inputs: 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1) return 0;
  assert(n > 1);
  return 0;
}
