// _Bool keeps only whether something is zero
// inputs: 0
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  _Bool b = n;
  b += 1;
  if (b != (n != 0)) reach_error();
  return 0;
}
