// a function changes a variable of the file
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int balance = 10;
static unsigned updates;
void add(int by) { balance += by; updates++; }
int main(void) {
  add(5);
  add(-3);
  if (balance != 12 || updates != 2) reach_error();
  return 0;
}
