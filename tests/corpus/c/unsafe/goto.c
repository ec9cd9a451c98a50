// a loop made of labels
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0, sum = 0;
again:
  if (i == 4) goto out;
  sum += i++;
  goto again;
out:
  if (sum != 10) reach_error();
  return 0;
}
