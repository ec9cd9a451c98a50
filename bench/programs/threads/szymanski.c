/* Szymanski's mutual exclusion (1988), for two threads, which may each enter again and again.
 *
 * Threads gather in a waiting room with a door: 0 outside, 1 wants in, 2 waits for others to come in, 3 stands in the
 * doorway, 4 the door is closed behind. Who is in the closed room enters in the order of numbers; the last one out opens
 * the door.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum place { OUTSIDE, WANTS_IN, WAITS, DOORWAY, CLOSED };

_Atomic int place_low;
_Atomic int place_high;
_Atomic int critical;

void *low(void *unused) {
    (void)unused;
    int seen;
    do {
        place_low = WANTS_IN;
        while (place_high >= DOORWAY) {
        }
        place_low = DOORWAY;
        if (place_high == WANTS_IN) {
            place_low = WAITS;
            while (place_high != CLOSED) {
            }
        }
        place_low = CLOSED;

        critical = 1;
        if (critical != 1)
            reach_error();

        do {
            seen = place_high;
        } while (seen == WAITS || seen == DOORWAY);
        place_low = OUTSIDE;
    } while (__VERIFIER_nondet_int());
    return 0;
}

void *high(void *unused) {
    (void)unused;
    do {
        place_high = WANTS_IN;
        while (place_low >= DOORWAY) {
        }
        place_high = DOORWAY;
        if (place_low == WANTS_IN) {
            place_high = WAITS;
            while (place_low != CLOSED) {
            }
        }
        place_high = CLOSED;
        while (place_low >= WAITS) {
        }

        critical = 2;
        if (critical != 2)
            reach_error();

        place_high = OUTSIDE;
    } while (__VERIFIER_nondet_int());
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, low, 0);
    pthread_create(&other, 0, high, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
