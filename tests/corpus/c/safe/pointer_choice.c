// what a pointer means depends on the input
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 1, y = 2;
  int *p = n > 0 ? &x : &y, **pp = &p;
  **pp = 10;
  *pp = &y;
  *p += 1;
  if (x + y != (n > 0 ? 13 : 12)) reach_error();
  return 0;
}
