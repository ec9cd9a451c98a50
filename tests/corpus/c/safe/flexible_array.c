// an array without a length at the end of a structure
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdlib.h>
#include <string.h>
struct text { int length; char characters[]; };
int main(void) {
  struct text *t = malloc(sizeof *t + 4);
  if (!t) return 0;
  t->length = 3;
  memset(t->characters, 0, 4);
  t->characters[1] = 65;
  if (t->length != 3) reach_error();
  free(t);
  return 0;
}
