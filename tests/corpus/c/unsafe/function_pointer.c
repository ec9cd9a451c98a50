// a table of functions
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }
int main(void) {
  int (*table[2])(int) = { twice, &square };
  int n = __VERIFIER_nondet_int();
  int (*f)(int) = table[n > 0];
  if (f(5) != 25) reach_error();
  return (*table[0])(1);
}
