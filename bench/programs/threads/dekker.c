/* Dekker's mutual exclusion for two threads (as told by Dijkstra, 1965); each enters as often as it likes.
 *
 * A thread raises its flag; while the other's flag is up too, the one whose turn it is not lowers its flag and waits for
 * its turn. The turn passes on leaving.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int flag_a;
_Atomic int flag_b;
_Atomic int turn;
_Atomic int inside;
int shared;

void enter_a(void) {
    flag_a = 1;
    while (flag_b) {
        if (turn != 0) {
            flag_a = 0;
            while (turn != 0) {
            }
            flag_a = 1;
        }
    }
}

void leave_a(void) {
    turn = 1;
    flag_a = 0;
}

void enter_b(void) {
    flag_b = 1;
    while (flag_a) {
        if (turn != 1) {
            flag_b = 0;
            while (turn != 1) {
            }
            flag_b = 1;
        }
    }
}

void leave_b(void) {
    turn = 0;
    flag_b = 0;
}

void *run_a(void *unused) {
    (void)unused;
    do {
        enter_a();
        inside = inside + 1;
        shared = 0;
        if (inside != 1 || shared != 0)
            reach_error();
        inside = inside - 1;
        leave_a();
    } while (__VERIFIER_nondet_int());
    return 0;
}

void *run_b(void *unused) {
    (void)unused;
    do {
        enter_b();
        inside = inside + 1;
        shared = 1;
        if (inside != 1 || shared != 1)
            reach_error();
        inside = inside - 1;
        leave_b();
    } while (__VERIFIER_nondet_int());
    return 0;
}

int main(void) {
    pthread_t a, b;
    turn = __VERIFIER_nondet_int() ? 1 : 0;
    pthread_create(&a, 0, run_a, 0);
    pthread_create(&b, 0, run_b, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
