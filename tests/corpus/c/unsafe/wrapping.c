// unsigned arithmetic wraps
// inputs: -1
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned n = (unsigned)__VERIFIER_nondet_int();
  unsigned m = n + 1;
  if (m == 0 && n != 0u) reach_error();
  return 0;
}
