/* A block whose protecting lock changes over time, after Flanagan, Freund and Qadeer (2002).
 *
 * While the block is free, the lock of the busy bit protects it; once an inode owns it, the lock of the inode does. The
 * allocating thread marks the block busy under both locks; the cleaning thread touches only blocks that are not busy.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
int inode;
int busy;
int block;

void write_block(int value) {
    block = value;
    if (block != value)
        reach_error();
}

void *allocate(void *unused) {
    (void)unused;
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        pthread_mutex_lock(&busy_lock);
        busy = 1;
        pthread_mutex_unlock(&busy_lock);
        inode = 1;
    }
    write_block(1);
    pthread_mutex_unlock(&inode_lock);
    return 0;
}

void *clean(void *unused) {
    (void)unused;
    do {
        pthread_mutex_lock(&busy_lock);
        if (busy == 0)
            write_block(0);
        pthread_mutex_unlock(&busy_lock);
    } while (__VERIFIER_nondet_int());
    return 0;
}

int main(void) {
    pthread_t one, two;
    if (__VERIFIER_nondet_int()) {
        inode = 1;
        busy = 1;
    }
    pthread_create(&one, 0, allocate, 0);
    pthread_create(&two, 0, clean, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (block != 1)
        reach_error();
    return 0;
}
