// members of a union with one layout share it
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union word { int s; unsigned u; };
int main(void) {
  union word w;
  w.s = -1;
  if (w.u != 1u) reach_error();
  return 0;
}
