// a pointer moves through an array
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[5] = { 3, 1, 4, 1, 5 }, sum = 0;
  for (int *p = a, *end = a + 5; p != end; p++) sum += *p;
  int *q = &a[4];
  if (sum != 15 || q - a != 4 || q[-2] != 4) reach_error();
  return 0;
}
