/* A driver for devices that come and go: ports of a hub, transfers in flight, and users that keep a device open.
 *
 * Each device counts its references: one for being plugged in, one for each open file, one for each transfer. Rules: a
 * device is freed when the last reference goes, and only then; no reference is taken to a freed device; transfers are
 * submitted only while the device is plugged in; addresses are given back exactly once.
 *
 * Wrong: a finished transfer gives its reference back before a short one is submitted again, and the second submission
 * does not ask whether the device is still there. After the file was closed and the device unplugged, that was the last
 * reference: the rest is submitted to a freed device.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define PORTS 4
#define MOST 100

enum state { EMPTY, ADDRESSED, CONFIGURED, DISCONNECTED };

int state[PORTS];
int references[PORTS];
int transfers[PORTS];
int opened[PORTS];
int addresses;

int read_port(void) {
    int port = __VERIFIER_nondet_int();
    return 0 <= port && port < PORTS ? port : 0;
}

void get(int port) {
    if (references[port] <= 0)
        reach_error();
    references[port] = references[port] + 1;
}

void put(int port) {
    if (references[port] <= 0)
        reach_error();
    references[port] = references[port] - 1;
    if (references[port] == 0) {
        if (transfers[port] != 0 || opened[port] != 0)
            reach_error();
        if (state[port] != DISCONNECTED)
            reach_error();
        addresses = addresses - 1;
        if (addresses < 0)
            reach_error();
        state[port] = EMPTY;
    }
}

int configure(int port) {
    if (state[port] != ADDRESSED)
        reach_error();
    return __VERIFIER_nondet_int() >= 0;
}

void disconnect(int port) {
    state[port] = DISCONNECTED;
    put(port);
}

void plug_in(int port) {
    if (state[port] != EMPTY)
        return;
    addresses = addresses + 1;
    if (addresses > PORTS)
        reach_error();
    state[port] = ADDRESSED;
    references[port] = 1;
    if (configure(port))
        state[port] = CONFIGURED;
    else
        disconnect(port);
}

void unplug(int port) {
    if (state[port] == ADDRESSED || state[port] == CONFIGURED)
        disconnect(port);
}

void open_file(int port) {
    if (state[port] == CONFIGURED && opened[port] < MOST) {
        get(port);
        opened[port] = opened[port] + 1;
    }
}

void close_file(int port) {
    if (opened[port] > 0) {
        opened[port] = opened[port] - 1;
        put(port);
    }
}

int submit(int port) {
    if (opened[port] == 0 || transfers[port] == MOST)
        return -1;
    if (state[port] != CONFIGURED)
        return -1;
    get(port);
    transfers[port] = transfers[port] + 1;
    return 0;
}

/* The controller has finished a transfer; a short one is submitted again for the rest. */
void complete(int port) {
    int again;
    if (transfers[port] == 0)
        return;
    again = __VERIFIER_nondet_int() == 1;
    transfers[port] = transfers[port] - 1;
    put(port);
    if (again) {
        get(port);
        transfers[port] = transfers[port] + 1;
    }
}

void hub_reset(void) {
    for (int port = 0; port < PORTS; port++) {
        unplug(port);
        while (transfers[port] > 0)
            complete(port);
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int port = read_port();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            plug_in(port);
            break;
        case 1:
            unplug(port);
            break;
        case 2:
            open_file(port);
            break;
        case 3:
            close_file(port);
            break;
        case 4:
            submit(port);
            break;
        case 5:
            complete(port);
            break;
        case 6:
            hub_reset();
            break;
        default:
            break;
        }
        if (state[port] == EMPTY && references[port] != 0)
            reach_error();
    }
    return 0;
}
