/* A bakery without the doorway: taking a ticket is one atomic action (after Lamport, 1974).
 *
 * Two customers come back `rounds` times. A customer waits while the other has a smaller ticket. Tickets are never
 * equal, since each is one more than the other's at the moment it is taken; they may grow from round to round.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { abort(); }

int rounds;
_Atomic int ticket_a;
_Atomic int ticket_b;
_Atomic int served;

void *customer_a(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++) {
        __VERIFIER_atomic_begin();
        ticket_a = ticket_b + 1;
        __VERIFIER_atomic_end();
        while (ticket_b != 0 && ticket_b < ticket_a) {
        }
        served = 1;
        if (served != 1)
            reach_error();
        ticket_a = 0;
    }
    return 0;
}

void *customer_b(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++) {
        __VERIFIER_atomic_begin();
        ticket_b = ticket_a + 1;
        __VERIFIER_atomic_end();
        while (ticket_a != 0 && ticket_a < ticket_b) {
        }
        served = 2;
        if (served != 2)
            reach_error();
        ticket_b = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    rounds = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= rounds && rounds <= 1000);
    pthread_create(&a, 0, customer_a, 0);
    pthread_create(&b, 0, customer_b, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
