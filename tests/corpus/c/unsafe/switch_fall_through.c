// a case without break goes on with the next
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int grade(int n) {
  int result = 0;
  switch (n) {
    case 1: result += 1;
    case 2: result += 10; break;
    case 3 ... 5: result = 7; break;
    default: result = -1;
  }
  return result;
}
int main(void) {
  if (grade(1) != 1 || grade(2) != 10 || grade(4) != 7 || grade(9) != -1) reach_error();
  return 0;
}
