// structures as arguments and results
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a; unsigned char b; };
struct pair swapped(struct pair p) { struct pair q = { p.b, p.a }; p.a = 100; return q; }
int main(void) {
  struct pair p = { 300, 2 };
  struct pair q = swapped(p);
  if (q.a != 2 || swapped(q).a != 44 || p.a != 300) reach_error();
  return 0;
}
