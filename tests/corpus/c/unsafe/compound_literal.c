// a structure without a name
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct p { int x, y; };
int sum(struct p *p) { return p->x + p->y; }
int main(void) {
  struct p q = (struct p){ .y = 2 };
  if (sum(&(struct p){ 3, 4 }) + q.y != 7) reach_error();
  return 0;
}
