// an int seen as characters
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 258, j = 7;
  unsigned char *c = (unsigned char *)&i;
  c[1] = 0;
  if (j == 7) reach_error();
  return 0;
}
