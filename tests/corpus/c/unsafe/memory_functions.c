// memset and memcpy on small arrays
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
int main(void) {
  int a[4] = { 1, 2, 3, 4 }, b[4];
  memcpy(b, a, sizeof a);
  memset(a, 0, 2 * sizeof(int));
  if (b[1] != 2 || a[1] != 0 || a[2] != 0) reach_error();
  return 0;
}
