// a signed operand becomes unsigned if the other one is as wide
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = -1;
  unsigned y = 1;
  if (x > y) reach_error();
  return 0;
}
