/* The server's side of a handshake for a secure connection, as one loop over a state (in the manner of the SSL 3 server).
 *
 * Messages wait in a buffer and go out when it is flushed. Rules: the buffer is flushed before the server waits for an
 * answer; a client whose certificate was demanded is served only after its signature was verified; the cipher suite is
 * chosen exactly once; a handshake that has failed sends one alert and nothing after it.
 *
 * Wrong: a client that sends an empty certificate is let through, as if no certificate had been demanded; without a
 * certificate there is nothing to verify, so it is served although a signature was demanded.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define BUFFER 6

enum state {
    START,
    READ_HELLO,
    WRITE_HELLO,
    WRITE_CERTIFICATE,
    WRITE_KEY_EXCHANGE,
    WRITE_REQUEST,
    WRITE_DONE,
    READ_CERTIFICATE,
    READ_KEY_EXCHANGE,
    READ_VERIFY,
    READ_FINISHED,
    WRITE_CHANGE,
    WRITE_FINISHED,
    FLUSH,
    SERVE,
    ALERT,
    CLOSED
};

int state;
int after_flush;
int buffered;
int suite;
int demand;          /* whether a certificate is demanded */
int has_certificate; /* the client has sent one */
int verified;
int resuming;
int alerts;
int keyed;

void put_message(void) {
    if (alerts > 0)
        reach_error();
    if (buffered >= BUFFER)
        reach_error();
    buffered = buffered + 1;
}

int receive(void) {
    if (buffered != 0)
        reach_error();
    return __VERIFIER_nondet_int() >= 0;
}

void choose_suite(int wish) {
    if (suite != 0)
        reach_error();
    suite = wish > 0 ? wish : 1;
}

int flush_then(int next) {
    after_flush = next;
    return FLUSH;
}

int read_hello(void) {
    if (!receive())
        return ALERT;
    choose_suite(__VERIFIER_nondet_int());
    resuming = __VERIFIER_nondet_int() == 1;
    return WRITE_HELLO;
}

int write_hello(void) {
    put_message();
    if (resuming) {
        keyed = 1;
        return WRITE_CHANGE;
    }
    return suite == 2 ? WRITE_KEY_EXCHANGE : WRITE_CERTIFICATE;
}

int write_request(void) {
    /* An anonymous server must not ask for a certificate. */
    if (suite != 2 && __VERIFIER_nondet_int()) {
        demand = 1;
        put_message();
    }
    return WRITE_DONE;
}

int read_certificate(void) {
    if (!receive())
        return ALERT;
    has_certificate = __VERIFIER_nondet_int() != 0;
    return READ_KEY_EXCHANGE;
}

int read_key_exchange(void) {
    if (!receive())
        return ALERT;
    keyed = 1;
    return has_certificate ? READ_VERIFY : READ_FINISHED;
}

int read_verify(void) {
    if (!receive())
        return ALERT;
    if (!has_certificate)
        reach_error();
    verified = __VERIFIER_nondet_int() != 0;
    return verified ? READ_FINISHED : ALERT;
}

int read_finished(void) {
    if (!receive())
        return ALERT;
    if (!keyed)
        reach_error();
    return resuming ? SERVE : WRITE_CHANGE;
}

int step(void) {
    switch (state) {
    case START:
        return READ_HELLO;
    case READ_HELLO:
        return read_hello();
    case WRITE_HELLO:
        return write_hello();
    case WRITE_CERTIFICATE:
        put_message();
        return __VERIFIER_nondet_int() ? WRITE_KEY_EXCHANGE : WRITE_REQUEST;
    case WRITE_KEY_EXCHANGE:
        put_message();
        return WRITE_REQUEST;
    case WRITE_REQUEST:
        return write_request();
    case WRITE_DONE:
        put_message();
        return flush_then(demand ? READ_CERTIFICATE : READ_KEY_EXCHANGE);
    case READ_CERTIFICATE:
        return read_certificate();
    case READ_KEY_EXCHANGE:
        return read_key_exchange();
    case READ_VERIFY:
        return read_verify();
    case READ_FINISHED:
        return read_finished();
    case WRITE_CHANGE:
        if (!keyed)
            reach_error();
        put_message();
        return WRITE_FINISHED;
    case WRITE_FINISHED:
        put_message();
        return flush_then(resuming ? READ_FINISHED : SERVE);
    case FLUSH:
        if (buffered > 0 && __VERIFIER_nondet_int())
            buffered = buffered - 1;
        return buffered == 0 ? after_flush : FLUSH;
    case ALERT:
        put_message();
        alerts = alerts + 1;
        return flush_then(CLOSED);
    default:
        return CLOSED;
    }
}

void serve(void) {
    if (suite == 0 || !keyed)
        reach_error();
    if (demand && !verified)
        reach_error();
    if (alerts > 0)
        reach_error();
}

int main(void) {
    state = START;
    while (state != CLOSED) {
        if (state == SERVE) {
            serve();
            if (__VERIFIER_nondet_int())
                state = ALERT; /* the connection is closed by an alert, too */
        } else {
            state = step();
        }
    }
    if (alerts > 1)
        reach_error();
    return 0;
}
