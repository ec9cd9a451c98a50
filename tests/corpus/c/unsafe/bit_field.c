// a field of three bits wraps at eight
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct flags { unsigned low : 3; int high : 4; };
int main(void) {
  struct flags f = { 7, -1 };
  f.low++;
  if (f.low != 8 || f.high != -1) reach_error();
  return 0;
}
