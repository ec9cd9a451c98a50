// memset of wide elements
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <string.h>
int main(void) {
  unsigned a[4];
  memset(a, 7, sizeof a);
  if (a[3] == 0x07070707u) reach_error();
  return 0;
}
