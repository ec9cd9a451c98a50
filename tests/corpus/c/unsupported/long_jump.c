// jumping out of functions
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef int jmp_buf[32];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
jmp_buf where;
int main(void) { if (setjmp(where)) reach_error(); longjmp(where, 1); }
