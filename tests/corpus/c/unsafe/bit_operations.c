// masks and shifts
// inputs: -1
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned n = (unsigned)__VERIFIER_nondet_int();
  unsigned low = n & 15u, high = n >> 28;
  int negative = -16 >> 2;
  if (low > 15 || high > 14 || negative != -4 || (1u << 31) != 2147483648u) reach_error();
  return 0;
}
