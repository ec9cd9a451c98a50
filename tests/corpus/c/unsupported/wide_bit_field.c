// a bit-field that int does not hold: sums with it have 40 bits for one compiler and 64 for another
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { unsigned long long n : 40; };
int main(void) { struct s s; s.n = -1; if (s.n + 1 == 0) reach_error(); return 0; }
