// McCarthy 91
// inputs: 102
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mc91(int n) { return n > 100 ? n - 10 : mc91(mc91(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 1000 || n < 0) return 0;
  int r = mc91(n);
  if (r != 91 && n <= 102) reach_error();
  return 0;
}
