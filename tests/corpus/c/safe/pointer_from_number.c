// an address made of a number
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  char *failed = (char *)-1, *found = 0;
  int x = 1, *p = &x;
  *p = 4;
  found = failed;
  if (x != 4) reach_error();
  return 0;
}
