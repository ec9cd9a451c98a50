// a function that reads a variable number of arguments
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int count, ...) {
  va_list rest;
  va_start(rest, count);
  int total = 0;
  while (count-- > 0) total += va_arg(rest, int);
  va_end(rest);
  return total;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  if (sum(2, x, 4) != x + 4) reach_error();
  return 0;
}
