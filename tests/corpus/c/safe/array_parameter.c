// a function that fills the array it is given
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void fill(int a[], int n, int value) { for (int i = 0; i < n; i++) a[i] = value; }
int sum(const int *a, int n) { return n == 0 ? 0 : a[n - 1] + sum(a, n - 1); }
int main(void) {
  int x[4], y[3];
  fill(x, 4, 2);
  fill(y, 3, 5);
  if (sum(x, 4) + sum(y, 3) != 23) reach_error();
  return 0;
}
