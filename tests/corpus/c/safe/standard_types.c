// fixed widths and limits from the standard headers
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
int main(void) {
  uint8_t small = UINT8_MAX;
  int64_t big = INT_MAX;
  bool done = true;
  size_t size = sizeof(int32_t);
  small++;
  big++;
  if (small != 0 || big != 2147483648LL || !done || size != 4) reach_error();
  return 0;
}
