// a comparison with a wider type keeps the sign
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  long long x = -1;
  unsigned y = 1;
  if (x < y) reach_error();
  return 0;
}
