// structures are copied as a whole
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct point { int x, y; };
struct box { struct point low, high; int tag[2]; };
int main(void) {
  struct box a = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, b;
  b = a;
  b.high.y = 9;
  b.tag[1] = 7;
  if (a.high.y != 4 || a.tag[1] != 6 || b.tag[0] != 5) reach_error();
  return 0;
}
