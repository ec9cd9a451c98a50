// loops in loops, leaving both at once
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int found = 0;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      if (i * j == 6) { found = i * 10 + j; goto done; }
    }
  }
done:
  if (found != 32) reach_error();
  return 0;
}
