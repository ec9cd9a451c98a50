// pointers to variables of callers further up
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int count(int n, int *first) {
  int mine = n;
  int *top = first ? first : &mine;
  if (n == 0) return *top;
  mine++;
  return count(n - 1, top);
}
int main(void) {
  if (count(4, 0) != 4) reach_error();
  return 0;
}
