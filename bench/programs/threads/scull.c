/* A memory device with readers and writers, after the scull driver of Linux Device Drivers.
 *
 * The device keeps a list of quanta; its semaphore guards the number of bytes, the number of allocated quanta and the
 * right to change them. Opening for writing trims the device. A process that holds the semaphore must find that the
 * allocated quanta hold the bytes, and must be alone.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

enum { QUANTUM = 4, LARGEST = 12 };

pthread_mutex_t semaphore = PTHREAD_MUTEX_INITIALIZER;
int quanta;
int size;
int owner;

void check_device(void) {
    if (size < 0 || size > LARGEST)
        reach_error();
    if (size > quanta * QUANTUM)
        reach_error();
}

void acquire(int self) {
    pthread_mutex_lock(&semaphore);
    owner = self;
}

void release(int self) {
    if (owner != self)
        reach_error();
    owner = 0;
    pthread_mutex_unlock(&semaphore);
}

void trim(void) {
    quanta = 0;
    size = 0;
}

void open_device(int self, int for_writing) {
    if (for_writing) {
        acquire(self);
        trim();
        check_device();
        release(self);
    }
}

int write_device(int self, int position, int count) {
    int written = 0;
    acquire(self);
    if (position + count > LARGEST)
        count = LARGEST - position;
    if (count > 0) {
        while (quanta * QUANTUM < position + count)
            quanta = quanta + 1;
        if (size < position + count)
            size = position + count;
        written = count;
    }
    check_device();
    release(self);
    return written;
}

int read_device(int self, int position, int count) {
    int got = 0;
    acquire(self);
    if (position < size) {
        if (position + count > size)
            count = size - position;
        if ((position + count - 1) / QUANTUM >= quanta)
            reach_error();
        got = count;
    }
    check_device();
    release(self);
    return got;
}

void *writer(void *unused) {
    (void)unused;
    int position = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= position && position <= LARGEST);
    open_device(1, 1);
    position = position + write_device(1, position, 3);
    if (position > LARGEST)
        reach_error();
    write_device(1, position, QUANTUM);
    return 0;
}

void *reader(void *unused) {
    (void)unused;
    int position = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= position && position <= LARGEST);
    open_device(2, __VERIFIER_nondet_int() != 0);
    while (read_device(2, position, 1) > 0)
        position = position + 1;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    check_device();
    return 0;
}
