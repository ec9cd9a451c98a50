// fields through a pointer, and a pointer to a field
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct account { int id; int balance; };
void deposit(struct account *a, int amount) { a->balance += amount; }
int main(void) {
  struct account one = { 1, 10 }, two = { 2, 20 };
  struct account *chosen = &one;
  deposit(chosen, 5);
  chosen = &two;
  int *field = &chosen->balance;
  *field += 1;
  deposit(&one, 1);
  if (one.balance != 16 || two.balance != 21) reach_error();
  return 0;
}
