/* A parallel port shared by a printer and a scanner, in the manner of the Linux parport layer.
 *
 * A device claims the port before it touches the lines, and releases it after. Who is refused may wait; the release wakes
 * the waiter. A device may be asked to yield to the other between two bytes. Rules: only the owner touches the lines; the
 * port is released only by its owner; the mode of the port is saved and restored when the owner changes; the strobe is
 * never left high.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum owner { NOBODY, PRINTER, SCANNER };
enum mode { COMPATIBLE, NIBBLE, BYTE, EXTENDED };

int owner;
int waiting_printer;
int waiting_scanner;
int mode;
int saved_printer = COMPATIBLE;
int saved_scanner = NIBBLE;
int strobe;
int bytes_left;
int page_open;

int other_of(int device) { return device == PRINTER ? SCANNER : PRINTER; }

int is_waiting(int device) { return device == PRINTER ? waiting_printer : waiting_scanner; }

void set_waiting(int device, int value) {
    if (device == PRINTER)
        waiting_printer = value;
    else
        waiting_scanner = value;
}

void restore_mode(int device) { mode = device == PRINTER ? saved_printer : saved_scanner; }

void save_mode(int device) {
    if (device == PRINTER)
        saved_printer = mode;
    else
        saved_scanner = mode;
}

int claim(int device) {
    if (owner == device)
        reach_error();
    if (owner != NOBODY) {
        set_waiting(device, 1);
        return 0;
    }
    owner = device;
    set_waiting(device, 0);
    restore_mode(device);
    return 1;
}

void release(int device) {
    int other = other_of(device);
    if (owner != device)
        reach_error();
    if (strobe)
        reach_error();
    save_mode(device);
    owner = NOBODY;
    if (is_waiting(other) && !claim(other))
        reach_error();
}

/* Gives the port away if the other one waits for it; whether the device still owns it. */
int yield(int device) {
    if (!is_waiting(other_of(device)))
        return 1;
    release(device);
    return owner == device;
}

void touch(int device) {
    if (owner != device)
        reach_error();
}

void pulse(int device) {
    touch(device);
    strobe = 1;
    while (__VERIFIER_nondet_int()) {
        /* busy */
    }
    strobe = 0;
}

void print_some(void) {
    while (bytes_left > 0) {
        if (mode == NIBBLE || mode == BYTE)
            reach_error(); /* these modes only read */
        pulse(PRINTER);
        bytes_left = bytes_left - 1;
        if (!yield(PRINTER))
            return;
    }
    release(PRINTER);
}

void scan_some(void) {
    touch(SCANNER);
    if (mode == COMPATIBLE)
        reach_error(); /* this mode only writes */
    if (__VERIFIER_nondet_int() == 1)
        mode = mode == NIBBLE ? BYTE : NIBBLE;
    pulse(SCANNER);
    if (__VERIFIER_nondet_int()) {
        page_open = 0;
        release(SCANNER);
    }
}

void negotiate(void) {
    touch(PRINTER);
    mode = __VERIFIER_nondet_int() ? EXTENDED : COMPATIBLE;
}

void printer_event(void) {
    if (owner == PRINTER) {
        if (__VERIFIER_nondet_int())
            negotiate();
        print_some();
    } else {
        int length = __VERIFIER_nondet_int();
        if (!waiting_printer && length > 0) {
            if (bytes_left == 0)
                bytes_left = length;
            if (claim(PRINTER))
                print_some();
        }
    }
}

void scanner_event(void) {
    if (owner == SCANNER) {
        scan_some();
    } else if (!waiting_scanner) {
        page_open = 1;
        if (claim(SCANNER))
            scan_some();
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            printer_event();
        else
            scanner_event();
        if (owner == SCANNER && !page_open)
            reach_error();
        if (waiting_printer && owner != SCANNER)
            reach_error();
        if (waiting_scanner && owner != PRINTER)
            reach_error();
        if (strobe)
            reach_error();
    }
    return 0;
}
