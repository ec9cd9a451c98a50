// an address used as a number
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 3;
  unsigned long address = (unsigned long)&x;
  x += 1;
  if (x == 4) reach_error();
  return 0;
}
