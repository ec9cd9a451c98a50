// every activation has a variable of its own
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void fibonacci(int n, int *result) {
  int a, b;
  if (n < 2) { *result = n; return; }
  fibonacci(n - 1, &a);
  fibonacci(n - 2, &b);
  *result = a + b;
}
int main(void) {
  int r;
  fibonacci(7, &r);
  if (r != 21) reach_error();
  return 0;
}
