/* A readers–writer lock over two counters: many readers, or one writer.
 *
 * Two readers and one writer. The data are two words that the writer changes one after the other: readers must see them
 * equal, and unchanged while they hold the lock.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { abort(); }

int readers;
int writing;
int left;
int right;

int try_read(void) {
    int taken = 0;
    __VERIFIER_atomic_begin();
    if (!writing) {
        readers = readers + 1;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    return taken;
}

int try_write(void) {
    int taken = 0;
    __VERIFIER_atomic_begin();
    if (!writing && readers == 0) {
        writing = 1;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    return taken;
}

void end_read(void) {
    __VERIFIER_atomic_begin();
    readers = readers - 1;
    __VERIFIER_atomic_end();
}

void end_write(void) {
    __VERIFIER_atomic_begin();
    writing = 0;
    __VERIFIER_atomic_end();
}

void *writer(void *unused) {
    (void)unused;
    int value = __VERIFIER_nondet_int();
    while (!try_write()) {
    }
    left = value;
    right = value;
    end_write();
    return 0;
}

void *reader(void *unused) {
    (void)unused;
    int first, second;
    while (!try_read()) {
    }
    first = left;
    second = right;
    if (first != second)
        reach_error();
    if (left != first)
        reach_error();
    end_read();
    return 0;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    if (left != right || readers != 0 || writing)
        reach_error();
    return 0;
}
