// typedef and const
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef unsigned short word;
typedef word pair[2];
int main(void) {
  const word limit = 65535;
  pair p = { limit, 1 };
  word sum = p[0] + p[1];
  if (sum != 0) reach_error();
  return 0;
}
