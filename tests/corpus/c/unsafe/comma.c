// the left side of a comma is done first
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = 1, b = (a += 2, a * 2);
  if (b != 2) reach_error();
  return 0;
}
