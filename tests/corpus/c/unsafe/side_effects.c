// side effects inside of expressions happen in order
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int state = 1;
int step(int by) { state = state * 2 + by; return state; }
int main(void) {
  int a[3] = { 0, 0, 0 }, i = 0;
  a[i++] = 4;
  a[i++] += 5;
  int first = step(1), second = step(first) - first, n = (i += 2, i--);
  if (second != 9 || a[1] != 5 || n != 4 || i != 3) reach_error();
  return a[0];
}
