// a function without a body may return anything
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int unknown(int);
int main(void) {
  int x = unknown(3) & 7;
  if (x > 7) reach_error();
  return 0;
}
