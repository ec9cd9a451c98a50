// initialisers name the element that they mean
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a, b[3]; struct { int c; } d; };
struct s g = { .b = { [1] = 4, 5 }, .d = { .c = 6 }, .a = 1 };
int table[] = { [3] = 1, 2, [0 ... 1] = 7 };
int main(void) {
  struct s l = { 1, 2, 3, 4, 5 };
  if (g.b[2] != 5 || l.d.c != 5 || table[4] != 2 || table[1] != 0 || sizeof table != 20) reach_error();
  return 0;
}
