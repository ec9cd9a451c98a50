/* The client's side of a handshake for a secure connection, as one loop over a state (in the manner of the SSL 3 client).
 *
 * Rules: data are sent only after both sides have finished; the key is derived only after the server's certificate was
 * accepted, or in a resumed session; the finished message goes out only after the cipher was changed, and the change
 * comes only once in a handshake.
 *
 * Wrong: in a resumed session the client goes on to the change of cipher whenever it has read the server's finished
 * message, also if the server repeats that message while the client flushes its own: the cipher changes twice.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum state {
    CONNECT,
    SEND_HELLO,
    READ_HELLO,
    READ_CERTIFICATE,
    READ_KEY_EXCHANGE,
    READ_REQUEST,
    READ_DONE,
    SEND_CERTIFICATE,
    SEND_KEY_EXCHANGE,
    SEND_VERIFY,
    SEND_CHANGE,
    SEND_FINISHED,
    FLUSH,
    READ_FINISHED,
    ESTABLISHED,
    BROKEN
};

int state;
int next_state;
int resumed;
int certificate_accepted;
int anonymous;
int certificate_wanted;
int key_derived;
int changes;
int finished_sent;
int finished_read;
int renegotiations;

int io(void) { return __VERIFIER_nondet_int() > 0; }

void reset(void) {
    resumed = 0;
    certificate_accepted = 0;
    anonymous = 0;
    certificate_wanted = 0;
    key_derived = 0;
    changes = 0;
    finished_sent = 0;
    finished_read = 0;
}

void derive_key(void) {
    if (!resumed && !anonymous && !certificate_accepted)
        reach_error();
    key_derived = 1;
}

void change_cipher(void) {
    if (!key_derived)
        reach_error();
    changes = changes + 1;
    if (changes > 1)
        reach_error();
}

int read_hello(void) {
    int kind;
    if (!io())
        return BROKEN;
    kind = __VERIFIER_nondet_int();
    if (kind == 0) {
        resumed = 1;
        derive_key();
        return READ_FINISHED;
    }
    if (kind == 1) {
        anonymous = 1;
        return READ_KEY_EXCHANGE;
    }
    return READ_CERTIFICATE;
}

int read_certificate(void) {
    if (!io())
        return BROKEN;
    if (__VERIFIER_nondet_int() == 0)
        return BROKEN; /* the chain does not verify */
    certificate_accepted = 1;
    return READ_KEY_EXCHANGE;
}

int read_finished(void) {
    if (!io())
        return BROKEN;
    finished_read = 1;
    if (resumed)
        return SEND_CHANGE;
    return ESTABLISHED;
}

int send_finished(void) {
    if (changes != 1)
        reach_error();
    finished_sent = 1;
    next_state = resumed && finished_read ? ESTABLISHED : READ_FINISHED;
    return FLUSH;
}

int step(void) {
    switch (state) {
    case CONNECT:
        reset();
        return SEND_HELLO;
    case SEND_HELLO:
        next_state = READ_HELLO;
        return FLUSH;
    case READ_HELLO:
        return read_hello();
    case READ_CERTIFICATE:
        return read_certificate();
    case READ_KEY_EXCHANGE:
        return io() ? READ_REQUEST : BROKEN;
    case READ_REQUEST:
        if (!anonymous)
            certificate_wanted = __VERIFIER_nondet_int() != 0;
        return READ_DONE;
    case READ_DONE:
        if (!io())
            return READ_DONE;
        return certificate_wanted ? SEND_CERTIFICATE : SEND_KEY_EXCHANGE;
    case SEND_CERTIFICATE:
        return io() ? SEND_KEY_EXCHANGE : SEND_CERTIFICATE;
    case SEND_KEY_EXCHANGE:
        derive_key();
        return certificate_wanted ? SEND_VERIFY : SEND_CHANGE;
    case SEND_VERIFY:
        return io() ? SEND_CHANGE : BROKEN;
    case SEND_CHANGE:
        change_cipher();
        return SEND_FINISHED;
    case SEND_FINISHED:
        return send_finished();
    case FLUSH:
        if (io())
            return next_state;
        if (finished_sent && finished_read && __VERIFIER_nondet_int() == 7)
            return READ_FINISHED; /* the server says its last word again */
        return FLUSH;
    case READ_FINISHED:
        return read_finished();
    default:
        return BROKEN;
    }
}

void send_data(void) {
    if (!finished_sent || !finished_read || changes != 1)
        reach_error();
}

int main(void) {
    state = CONNECT;
    while (state != BROKEN) {
        if (state == ESTABLISHED) {
            int wish = __VERIFIER_nondet_int();
            if (wish == 0)
                break;
            if (wish == 1 && renegotiations < 100) {
                renegotiations = renegotiations + 1;
                state = CONNECT;
            } else {
                send_data();
            }
        } else {
            state = step();
        }
    }
    return 0;
}
