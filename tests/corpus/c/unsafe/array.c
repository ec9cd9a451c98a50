// an array is filled and read
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[8];
  for (int i = 0; i < 8; i++) a[i] = i * i;
  if (a[5] != 24) reach_error();
  return 0;
}
