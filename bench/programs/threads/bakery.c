/* Lamport's bakery (1974) for two threads, which enter `rounds` times each.
 *
 * A customer says that it is choosing, reads the other's ticket, takes one more, and says that it has chosen. Then it
 * waits while the other is choosing, and while the other has a smaller ticket, or the same ticket and a smaller number.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

int rounds;
_Atomic int choosing[2];
_Atomic int ticket[2];
_Atomic int counter;

int is_before(int ticket_one, int number_one, int ticket_two, int number_two) {
    if (ticket_one != ticket_two)
        return ticket_one < ticket_two;
    return number_one < number_two;
}

void take_ticket(int self, int other) {
    int seen;
    choosing[self] = 1;
    seen = ticket[other];
    ticket[self] = seen + 1;
    choosing[self] = 0;
}

void wait_for_turn(int self, int other) {
    int theirs;
    while (choosing[other]) {
    }
    do {
        theirs = ticket[other];
    } while (theirs != 0 && is_before(theirs, other, ticket[self], self));
}

void visit(int self, int other) {
    take_ticket(self, other);
    wait_for_turn(self, other);
    counter = counter + 1;
    if (counter != 1)
        reach_error();
    counter = counter - 1;
    ticket[self] = 0;
}

void *first(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++)
        visit(0, 1);
    return 0;
}

void *second(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++)
        visit(1, 0);
    return 0;
}

int main(void) {
    pthread_t one, other;
    rounds = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= rounds && rounds <= 1000);
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
