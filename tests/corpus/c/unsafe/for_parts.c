// every part of a for may be missing
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0, n = 0;
  for (;;) { if (++i > 3) break; }
  for (; i < 6;) i++;
  for (i = 6;; i++) if (i == 8) break;
  for (; i < 9; i++) n++;
  for (int j = 0, k = 4; j < k; j++, k--) n++;
  if (i * 10 + n != 92) reach_error();
  return 0;
}
