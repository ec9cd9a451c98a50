// small types become int before arithmetic
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned char a = 200, b = 100;
  int wide = a + b;
  unsigned char narrow = a + b;
  if (wide != 44 || narrow != 44) reach_error();
  return 0;
}
