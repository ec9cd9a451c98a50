// leaving and restarting the nearest loop
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (i % 2) continue;
    if (i == 6) break;
    sum += i;
  }
  if (sum != 6) reach_error();
  return 0;
}
