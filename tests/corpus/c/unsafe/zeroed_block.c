// calloc gives zeros
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *calloc(unsigned long, unsigned long);
int main(void) {
  short *a = calloc(5, sizeof(short));
  a[1] = 4;
  if (a[1] + a[4] != 0) reach_error();
  return 0;
}
