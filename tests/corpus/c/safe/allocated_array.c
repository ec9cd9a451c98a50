// an array from malloc
// inputs: 4
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 10) return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = 2 * i;
  int last = a[n - 1];
  free(a);
  if (last != 2 * (n - 1)) reach_error();
  return 0;
}
