// the arguments of the program
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == 45) options++;
  if (options < 0) reach_error();
  return 0;
}
