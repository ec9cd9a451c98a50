// char is signed and wraps when it is assigned
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  char c = 'z';
  c += 6;
  if (c < 0) reach_error();
  return 0;
}
