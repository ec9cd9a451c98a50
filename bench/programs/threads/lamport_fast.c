/* Lamport's fast mutual exclusion (1987), for two threads, which may each enter again and again.
 *
 * Without contention a thread needs a constant number of accesses: it writes x, finds y free, takes y, and finds x
 * unchanged. If x has changed, it waits until all others have withdrawn their bid, and enters only if y is still its
 * own. Threads are numbered from 1: 0 means that y is free.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int x;
_Atomic int y;
_Atomic int bids[3];
_Atomic int critical;

void wait_until_free(void) {
    while (y != 0) {
    }
}

void wait_until_withdrawn(int other) {
    while (bids[other]) {
    }
}

void lock(int self, int other) {
    for (;;) {
        bids[self] = 1;
        x = self;
        if (y != 0) {
            bids[self] = 0;
            wait_until_free();
            continue;
        }
        y = self;
        if (x == self)
            return;
        bids[self] = 0;
        wait_until_withdrawn(other);
        if (y == self)
            return;
        wait_until_free();
    }
}

void unlock(int self) {
    y = 0;
    bids[self] = 0;
}

void *first(void *unused) {
    (void)unused;
    do {
        lock(1, 2);
        critical = 1;
        if (critical != 1)
            reach_error();
        unlock(1);
    } while (__VERIFIER_nondet_int());
    return 0;
}

void *second(void *unused) {
    (void)unused;
    do {
        lock(2, 1);
        critical = 2;
        if (critical != 2)
            reach_error();
        unlock(2);
    } while (__VERIFIER_nondet_int());
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
