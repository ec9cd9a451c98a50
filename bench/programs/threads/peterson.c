/* Peterson's mutual exclusion for two threads (1981); each enters as often as it likes.
 *
 * A thread says that it wants to enter and gives way to the other; it waits while the other wants to enter and the last
 * to give way was itself.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int wants[2];
_Atomic int victim;
_Atomic int critical;

void lock(int self) {
    int other = 1 - self;
    wants[self] = 1;
    victim = self;
    while (wants[other] && victim == self) {
    }
}

void unlock(int self) { wants[self] = 0; }

void work(int self) {
    critical = self + 1;
    if (critical != self + 1)
        reach_error();
    critical = 0;
}

void *first(void *unused) {
    (void)unused;
    while (__VERIFIER_nondet_int()) {
        lock(0);
        work(0);
        unlock(0);
    }
    return 0;
}

void *second(void *unused) {
    (void)unused;
    while (__VERIFIER_nondet_int()) {
        lock(1);
        work(1);
        unlock(1);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
