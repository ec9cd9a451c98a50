// a static variable keeps its value between calls
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int next(void) {
  static int count = 3;
  return count++;
}
int main(void) {
  next();
  if (next() != 4) reach_error();
  return 0;
}
