// constants of an enumeration, some with values of their own
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum state { IDLE, RUNNING = 10, DONE };
int main(void) {
  enum state s = DONE;
  if (s != 2) reach_error();
  return 0;
}
