/* Two workers hand a token to each other; the state of the token is guarded by a lock.
 *
 * The receiver looks at the flag while it holds the lock, and for as long as it likes: it may ask again and again.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int offered;
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
    int patient = __VERIFIER_nondet_int();
    int received = 0;
    while (patient && !received) {
        pthread_mutex_lock(&guard);
        if (offered) {
            if (token != 1)
                reach_error();
            token = 0;
            offered = 0;
            received = 1;
        }
        pthread_mutex_unlock(&guard);
        patient = __VERIFIER_nondet_int();
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, sender, 0);
    pthread_create(&second, 0, receiver, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (offered && token != 1)
        reach_error();
    return 0;
}
