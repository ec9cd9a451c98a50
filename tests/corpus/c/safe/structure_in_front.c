// a structure that begins with another
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct shape { int kind; struct shape *next; };
struct circle { struct shape shape; int radius; };
static int grown(struct shape *s) {
  struct circle *c = (struct circle *)s;
  c->radius++;
  return 1;
}
int main(void) {
  struct circle c = { { 1, 0 }, 2 };
  int n = grown(&c.shape);
  if (n != 1) reach_error();
  return 0;
}
