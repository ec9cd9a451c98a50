// fields of a nameless structure inside
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct outer { int a; struct { int b; int c; }; };
int main(void) {
  struct outer o = { 1, { 2, 3 } };
  o.c += o.b;
  if (o.c != 3) reach_error();
  return 0;
}
