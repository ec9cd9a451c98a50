// two pointers to one variable
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int set_both(int *a, int *b) { *a = 1; *b = 2; return *a; }
int main(void) {
  int x, y;
  int apart = set_both(&x, &y);
  int same = set_both(&x, &x);
  if (apart != 1 || same != 1) reach_error();
  return 0;
}
