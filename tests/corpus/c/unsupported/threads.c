// more than one thread
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
void *work(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }
