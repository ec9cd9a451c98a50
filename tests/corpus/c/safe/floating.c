// numbers with a fraction are rounded
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  double d = 1.5;
  float f = d * 2;
  int steps = 0;
  while (f > 0 && steps < 3) { f -= 1; steps++; }
  if (steps > 3) reach_error();
  return 0;
}
