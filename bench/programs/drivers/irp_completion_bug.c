/* A filter driver that passes request packets down the stack, after the rules of the Windows driver model.
 *
 * Rules: a packet is completed exactly once; whoever gets `PENDING` back has marked it pending; a packet that was
 * completed is not touched again; a dispatch routine returns the status that it completed with.
 *
 * Wrong: a query for removal that is refused because requests are outstanding is completed, but is passed down all the
 * same.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum status { SUCCESS = 0, PENDING = 259, UNSUCCESSFUL = -1, NOT_SUPPORTED = -2, MORE_PROCESSING = -3, REMOVED = -4 };
enum function { START_DEVICE, QUERY_REMOVE, REMOVE_DEVICE, SURPRISE, QUERY_CAPABILITIES, SET_POWER, READ_DATA };
enum power { WORKING, SLEEPING };

struct packet {
    int function;
    int status;
    int completed;
    int marked_pending;
    int passed_down;
    int routine; /* whether our completion routine is set */
};

int started;
int removed;
int power;
int outstanding = 1;

void complete(struct packet *irp, int status) {
    if (irp->completed)
        reach_error();
    if (status == PENDING)
        reach_error();
    irp->status = status;
    irp->completed = 1;
}

void mark_pending(struct packet *irp) {
    if (irp->completed)
        reach_error();
    irp->marked_pending = 1;
}

int completion_routine(struct packet *irp) {
    if (irp->completed)
        reach_error();
    return MORE_PROCESSING;
}

/* The driver below completes the packet now, or later; our routine may keep it for us. */
int call_lower(struct packet *irp) {
    int status;
    int choice = __VERIFIER_nondet_int();
    if (irp->completed || irp->passed_down)
        reach_error();
    irp->passed_down = 1;
    if (choice == 0)
        status = SUCCESS;
    else if (choice == 1)
        status = UNSUCCESSFUL;
    else
        status = PENDING;
    if (irp->routine) {
        if (completion_routine(irp) != MORE_PROCESSING)
            reach_error();
        irp->routine = 0;
        irp->status = __VERIFIER_nondet_int() ? SUCCESS : UNSUCCESSFUL;
        return status;
    }
    if (status == PENDING) {
        mark_pending(irp);
        complete(irp, SUCCESS); /* later, but no one else may touch the packet from now on */
        return PENDING;
    }
    complete(irp, status);
    return status;
}

int enter(void) {
    if (removed)
        return 0;
    if (outstanding < 1000000)
        outstanding = outstanding + 1;
    return 1;
}

void leave(void) {
    if (outstanding > 1)
        outstanding = outstanding - 1;
}

/* Passes the packet down and gets it back, whatever the lower driver does. */
int call_lower_and_wait(struct packet *irp) {
    int status;
    irp->routine = 1;
    status = call_lower(irp);
    if (status == PENDING)
        status = irp->status;
    else
        irp->status = status;
    irp->passed_down = 0;
    return status;
}

int dispatch_plug(struct packet *irp) {
    int status;
    if (!enter()) {
        complete(irp, REMOVED);
        return REMOVED;
    }
    switch (irp->function) {
    case START_DEVICE:
        status = call_lower_and_wait(irp);
        if (status == SUCCESS)
            started = 1;
        complete(irp, status);
        break;
    case QUERY_REMOVE:
        if (outstanding > 2)
            complete(irp, UNSUCCESSFUL);
        status = call_lower(irp);
        break;
    case SURPRISE:
        started = 0;
        status = call_lower(irp);
        break;
    case REMOVE_DEVICE:
        started = 0;
        removed = 1;
        status = call_lower(irp);
        break;
    case QUERY_CAPABILITIES:
        status = call_lower_and_wait(irp);
        complete(irp, status);
        break;
    default:
        status = call_lower(irp);
        break;
    }
    leave();
    return status;
}

int dispatch_power(struct packet *irp) {
    int wanted = __VERIFIER_nondet_int() ? WORKING : SLEEPING;
    int status;
    if (wanted == SLEEPING) {
        power = SLEEPING;
        return call_lower(irp);
    }
    status = call_lower_and_wait(irp);
    if (status == SUCCESS)
        power = WORKING;
    complete(irp, status);
    return status;
}

int dispatch_read(struct packet *irp) {
    int status;
    if (!started || power != WORKING) {
        complete(irp, NOT_SUPPORTED);
        return NOT_SUPPORTED;
    }
    if (!enter()) {
        complete(irp, REMOVED);
        return REMOVED;
    }
    status = call_lower(irp);
    if (status != PENDING)
        leave();
    return status;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct packet irp;
        int status;
        if (outstanding > 1 && __VERIFIER_nondet_int())
            leave(); /* a pending read has been done */
        irp.function = __VERIFIER_nondet_int();
        irp.status = NOT_SUPPORTED;
        irp.completed = 0;
        irp.marked_pending = 0;
        irp.passed_down = 0;
        irp.routine = 0;
        if (irp.function == SET_POWER)
            status = dispatch_power(&irp);
        else if (irp.function == READ_DATA)
            status = dispatch_read(&irp);
        else
            status = dispatch_plug(&irp);
        if (!irp.completed)
            reach_error();
        if (status == PENDING && !irp.marked_pending)
            reach_error();
        if (status != PENDING && status != irp.status)
            reach_error();
    }
    return 0;
}
