/* A tenth, which no binary number is, is added a thousand times at most: errors do not add up to one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 1000) return 0;
  float x = 0.0f;
  for (int i = 0; i < n; i++)
    x += 0.1f;
  if (!(x <= 101.0f)) reach_error();
  return 0;
}
