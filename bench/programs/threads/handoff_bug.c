/* Two workers hand a token to each other; the state of the token is guarded by a lock.
 *
 * The receiver looks at the flag outside the lock and trusts what it saw after it has got the lock: in between the
 * sender can withdraw the offer, and the receiver takes a token that is not there.
 */
#include <pthread.h>

extern void abort(void);
void reach_error(void) { abort(); }

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
_Atomic int offered;
int token;

void *sender(void *unused) {
    (void)unused;
    pthread_mutex_lock(&guard);
    token = 1;
    offered = 1;
    pthread_mutex_unlock(&guard);

    pthread_mutex_lock(&guard);
    if (offered) {
        token = 0;
        offered = 0;
    }
    pthread_mutex_unlock(&guard);
    return 0;
}

void *receiver(void *unused) {
    (void)unused;
    if (offered) {
        pthread_mutex_lock(&guard);
        if (token != 1)
            reach_error();
        token = 0;
        offered = 0;
        pthread_mutex_unlock(&guard);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, sender, 0);
    pthread_create(&second, 0, receiver, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
