/* A driver that must not be used once it has stopped, after the Bluetooth driver of Qadeer and Wu (KISS, 2004).
 *
 * pending_io counts the requests under way, and one more until the driver is asked to stop. Who takes it to zero sets
 * the event that the stopper waits for.
 *
 * The worker looks whether the driver is stopping, and only then counts itself in. The stopper can finish in between, so
 * that the worker uses a device that is already stopped.
 */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { abort(); }

_Atomic int pending_io = 1;
_Atomic int stopping_flag;
_Atomic int stopping_event;
_Atomic int stopped;

void leave(void) {
    int left;
    __VERIFIER_atomic_begin();
    pending_io = pending_io - 1;
    left = pending_io;
    __VERIFIER_atomic_end();
    if (left == 0)
        stopping_event = 1;
}

int enter(void) {
    if (stopping_flag)
        return -1;
    __VERIFIER_atomic_begin();
    pending_io = pending_io + 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *worker(void *unused) {
    (void)unused;
    int status = enter();
    if (status == 0) {
        if (stopped)
            reach_error();
        leave();
    }
    return 0;
}

void *stopper(void *unused) {
    (void)unused;
    stopping_flag = 1;
    leave();
    while (!stopping_event) {
    }
    stopped = 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, stopper, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
