// a union whose members differ
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct message {
  int kind;
  union { int number; unsigned char bytes[4]; } u;
  int end;
};
int main(void) {
  struct message m;
  m.kind = 1;
  m.end = 2;
  m.u.number = 258;
  m.u.bytes[0] = 9;
  if (m.kind + m.end != 3) reach_error();
  return 0;
}
