/* A driver that must not be used once it has stopped, after the Bluetooth driver of Qadeer and Wu (KISS, 2004).
 *
 * pending_io counts the requests under way, and one more until the driver is asked to stop. Who takes it to zero sets
 * the event that the stopper waits for.
 *
 * Two workers that may each make several requests, and one stopper. A worker counts itself in before it looks whether
 * the driver is stopping. Requests that come late must all be refused.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
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
    __VERIFIER_atomic_begin();
    pending_io = pending_io + 1;
    __VERIFIER_atomic_end();
    if (stopping_flag) {
        leave();
        return -1;
    }
    return 0;
}

_Atomic int refused;

void request(void) {
    int seen_stopped = stopped;
    int status = enter();
    if (status == 0) {
        if (seen_stopped || stopped)
            reach_error();
        leave();
    } else {
        refused = 1;
    }
}

void *first_worker(void *unused) {
    (void)unused;
    request();
    while (__VERIFIER_nondet_int())
        request();
    return 0;
}

void *second_worker(void *unused) {
    (void)unused;
    while (!refused && __VERIFIER_nondet_int())
        request();
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
    pthread_t first, second, last;
    pthread_create(&first, 0, first_worker, 0);
    pthread_create(&second, 0, second_worker, 0);
    pthread_create(&last, 0, stopper, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(last, 0);
    if (!stopped || pending_io != 0)
        reach_error();
    return 0;
}
