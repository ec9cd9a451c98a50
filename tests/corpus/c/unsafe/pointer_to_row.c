// a pointer to the rows of a matrix
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total(int (*rows)[3], int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) sum += rows[i][j];
  return sum;
}
int main(void) {
  int m[2][3] = { 1, 2, 3, 4, 5, 6 };
  if (total(m, 2) != 6 || total(m + 1, 1) != 15) reach_error();
  return 0;
}
