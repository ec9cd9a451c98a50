// an array as long as the input says
// inputs: 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 20) return 0;
  int a[n], b[n][2];
  for (int i = 0; i < n; i++) { a[i] = i; b[i][1] = a[i] + 1; }
  if (b[n - 1][1] != n || sizeof a != n * sizeof(int)) reach_error();
  return 0;
}
