// a do loop runs at least once
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = 0, x = 5;
  do { n++; x--; } while (x > 3);
  while (x > 100) n = 100;
  if (n != 1) reach_error();
  return 0;
}
