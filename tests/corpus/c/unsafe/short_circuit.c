// the right side is evaluated only if the left leaves it open
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int calls;
int touch(int v) { calls++; return v; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int both = n > 5 && touch(1);
  int one = n > 5 || touch(0);
  if (calls != 2 || both != one) reach_error();
  return 0;
}
