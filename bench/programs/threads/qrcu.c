/* QRCU, a read–copy–update with fast grace periods, after McKenney's description (2007).
 *
 * Two counters: readers count themselves in at the current one, if it is not zero. The updater notes which readers are
 * inside their read-side section, then either sees, twice and in any order of looking, that there is no reader at all,
 * or changes the current counter and waits until the old one is zero. After that, no reader that was inside when the
 * updater began may still be inside the same section.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum progress { BEFORE, INSIDE, AFTER };

pthread_mutex_t flip = PTHREAD_MUTEX_INITIALIZER;
_Atomic int current;
_Atomic int count_0 = 1;
_Atomic int count_1;
_Atomic int progress_a;
_Atomic int progress_b;

int try_enter(int index) {
    int entered = 0;
    __VERIFIER_atomic_begin();
    if (index == 0) {
        if (count_0 > 0) {
            count_0 = count_0 + 1;
            entered = 1;
        }
    } else {
        if (count_1 > 0) {
            count_1 = count_1 + 1;
            entered = 1;
        }
    }
    __VERIFIER_atomic_end();
    return entered;
}

void leave(int index) {
    __VERIFIER_atomic_begin();
    if (index == 0)
        count_0 = count_0 - 1;
    else
        count_1 = count_1 - 1;
    __VERIFIER_atomic_end();
}

int enter(void) {
    int index;
    do {
        index = current;
    } while (!try_enter(index));
    return index;
}

void *reader_a(void *unused) {
    (void)unused;
    int index = enter();
    progress_a = INSIDE;
    progress_a = AFTER;
    leave(index);
    return 0;
}

void *reader_b(void *unused) {
    (void)unused;
    int index = enter();
    progress_b = INSIDE;
    progress_b = AFTER;
    leave(index);
    return 0;
}

int sum_in_any_order(void) {
    int sum;
    if (__VERIFIER_nondet_int()) {
        sum = count_0;
        sum = sum + count_1;
    } else {
        sum = count_1;
        sum = sum + count_0;
    }
    return sum;
}

void wait_for_readers(void) {
    int old;
    pthread_mutex_lock(&flip);
    old = current;
    __VERIFIER_atomic_begin();
    if (old == 0)
        count_1 = count_1 + 1;
    else
        count_0 = count_0 + 1;
    __VERIFIER_atomic_end();
    current = 1 - old;
    leave(old);
    if (old == 0) {
        while (count_0 > 0) {
        }
    } else {
        while (count_1 > 0) {
        }
    }
    pthread_mutex_unlock(&flip);
}

void *updater(void *unused) {
    (void)unused;
    int seen_a = progress_a;
    int seen_b = progress_b;
    int sum = sum_in_any_order();
    if (sum <= 1)
        sum = sum_in_any_order();
    if (sum > 1)
        wait_for_readers();
    if (seen_a == INSIDE && progress_a == INSIDE)
        reach_error();
    if (seen_b == INSIDE && progress_b == INSIDE)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t a, b, up;
    pthread_create(&a, 0, reader_a, 0);
    pthread_create(&b, 0, reader_b, 0);
    pthread_create(&up, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(up, 0);
    return 0;
}
