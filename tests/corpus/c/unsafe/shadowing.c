// an inner variable hides an outer one
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x = 1;
int main(void) {
  int x = 2;
  { int x = 3; x++; }
  for (int x = 9; x > 0; x--) { }
  if (x != 1) reach_error();
  return 0;
}
