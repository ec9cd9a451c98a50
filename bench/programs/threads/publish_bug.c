/* A producer publishes two words through a version number, without a lock.
 *
 * An odd version says that a change is under way. The consumer checks the version only before it reads, so that it may
 * see one old and one new word.
 */
#include <pthread.h>

extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int version;
_Atomic int left;
_Atomic int right;

void write_pair(int value) {
    version = version + 1;
    left = value;
    right = value;
    version = version + 1;
}

void *producer(void *unused) {
    (void)unused;
    for (int value = 1; value <= 2; value++)
        write_pair(value);
    return 0;
}

void *consumer(void *unused) {
    (void)unused;
    int before, first, second;
    do {
        before = version;
    } while (before % 2 != 0);
    first = left;
    second = right;
    if (first != second)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
