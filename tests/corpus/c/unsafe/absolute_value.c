// abs and __builtin_expect
// inputs: -100
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int abs(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -100 || n > 100) return 0;
  if (__builtin_expect(abs(n) > 99, 0)) reach_error();
  return 0;
}
