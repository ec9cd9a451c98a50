/* Dispatch routines of a driver that share a request queue under a spin lock.
 *
 * Rule: the lock is acquired only when it is free and released only when it is held, and the dispatcher returns with the
 * lock free. The loop that serves requests releases the lock around each transfer and takes it again.
 *
 * Wrong: when a transfer fails, the loop is left before the lock is taken again, but the lock is released after the loop.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum major { CREATE, READ, WRITE, CLEANUP, CONTROL, MAJOR_COUNT };
enum status { SUCCESS, PENDING, INVALID, CANCELLED, NO_MEMORY };

#define QUEUE_LIMIT 8

int locked;
int queue_length;
int opened;
int cancelled;
int transfers;

void acquire_lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

void release_lock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int allocate(void) { return __VERIFIER_nondet_int() != 0; }

int transfer(int writing) {
    if (locked)
        reach_error(); /* a transfer may sleep */
    if (transfers < 1000000)
        transfers = transfers + 1;
    return writing ? __VERIFIER_nondet_int() >= 0 : __VERIFIER_nondet_int() > 0;
}

int enqueue(void) {
    int status = PENDING;
    acquire_lock();
    if (cancelled) {
        status = CANCELLED;
    } else if (queue_length == QUEUE_LIMIT) {
        status = NO_MEMORY;
    } else if (!allocate()) {
        release_lock();
        return NO_MEMORY;
    } else {
        queue_length = queue_length + 1;
    }
    release_lock();
    return status;
}

/* Serves what is queued; new requests may come in during a transfer. */
int drain(int writing) {
    int before;
    int good = 1;
    acquire_lock();
    do {
        before = queue_length;
        if (queue_length > 0) {
            queue_length = queue_length - 1;
            release_lock();
            if (!transfer(writing)) {
                good = 0;
                break;
            }
            acquire_lock();
            if (__VERIFIER_nondet_int() && queue_length < QUEUE_LIMIT)
                queue_length = queue_length + 1;
        }
    } while (before != queue_length && good);
    release_lock();
    return good ? SUCCESS : INVALID;
}

int on_create(void) {
    int status = SUCCESS;
    acquire_lock();
    if (opened)
        status = INVALID;
    else
        opened = 1;
    release_lock();
    return status;
}

int on_transfer(int writing) {
    int status;
    if (!opened)
        return INVALID;
    status = enqueue();
    if (status != PENDING)
        return status;
    return drain(writing);
}

int on_cleanup(void) {
    acquire_lock();
    cancelled = 1;
    while (queue_length > 0) {
        queue_length = queue_length - 1;
        if (__VERIFIER_nondet_int()) {
            /* The owner must be told, and that may sleep. */
            release_lock();
            transfer(0);
            acquire_lock();
        }
    }
    opened = 0;
    cancelled = 0;
    release_lock();
    return SUCCESS;
}

int on_control(int code) {
    int status = INVALID;
    acquire_lock();
    switch (code) {
    case 0:
        status = queue_length > 0 ? PENDING : SUCCESS;
        break;
    case 1:
        release_lock();
        status = drain(1);
        return status;
    case 2:
        if (queue_length > 0)
            queue_length = 0;
        status = SUCCESS;
        break;
    default:
        break;
    }
    release_lock();
    return status;
}

int dispatch(int major) {
    switch (major) {
    case CREATE:
        return on_create();
    case READ:
        return on_transfer(0);
    case WRITE:
        return on_transfer(1);
    case CLEANUP:
        return on_cleanup();
    case CONTROL:
        return on_control(__VERIFIER_nondet_int());
    default:
        return INVALID;
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int status = dispatch(__VERIFIER_nondet_int());
        if (locked)
            reach_error();
        if (status == NO_MEMORY && queue_length < 0)
            reach_error();
    }
    return 0;
}
