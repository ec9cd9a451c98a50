// a function writes where it is told
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void divide(int a, int b, int *quotient, int *remainder) { *quotient = a / b; *remainder = a % b; }
int main(void) {
  int q, r;
  divide(17, 5, &q, &r);
  if (q != 3 || r != 3) reach_error();
  return 0;
}
