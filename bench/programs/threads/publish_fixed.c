/* A producer publishes two words through a version number, without a lock (a sequence lock).
 *
 * An odd version says that a change is under way. The consumer reads again until the version was even and is still the
 * same after it has read both words.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int version;
_Atomic int left;
_Atomic int right;
int last;

void write_pair(int value) {
    version = version + 1;
    left = value;
    right = value;
    version = version + 1;
}

void *producer(void *unused) {
    (void)unused;
    for (int value = 1; value <= last; value++)
        write_pair(value);
    return 0;
}

void *consumer(void *unused) {
    (void)unused;
    int before, after, first, second;
    do {
        before = version;
        first = left;
        second = right;
        after = version;
    } while (before % 2 != 0 || before != after);
    if (first != second)
        reach_error();
    if (first < 0 || first > last)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t one, other;
    last = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= last && last <= 1000);
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
