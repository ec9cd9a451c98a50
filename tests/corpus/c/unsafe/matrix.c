// two dimensions, rows one after the other
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int m[3][4] = { { 1, 2 }, [2] = { [3] = 9 } };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) m[i][j] += i * 10 + j;
  if (m[2][3] != 23 || m[0][1] != 3) reach_error();
  return 0;
}
