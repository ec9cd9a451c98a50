// the arguments of the program
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(int argc, char **argv) { return argv[0][0]; }
