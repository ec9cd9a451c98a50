// only the chosen side is evaluated
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), calls = 0;
  int x = n > 0 ? ++calls : 0;
  int y = n ?: 9;
  if (calls != (n > 0) || y == 0) reach_error();
  return x - calls;
}
