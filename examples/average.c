#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/* The middle of two positions; wrong for large ones. */
int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (0 <= low && low <= high) {
    int found = middle(low, high);
    assert(low <= found && found <= high);
  }
}
