// exit ends the program
// inputs: -5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void exit(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) exit(1);
  if (n < 0) reach_error();
  return 0;
}
