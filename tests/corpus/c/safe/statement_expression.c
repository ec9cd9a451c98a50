// a block with a value
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define MAX(a, b) ({ int x_ = (a), y_ = (b); x_ > y_ ? x_ : y_; })
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = MAX(n, 3);
  if (m < 3) reach_error();
  return 0;
}
