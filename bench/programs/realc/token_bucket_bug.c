/* Limits of rates: each client has a bucket of tokens which is filled as time goes by; clients come and go. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define CLIENTS 8
#define BURST 20
#define RATE 3 /* tokens per unit of time */

struct client {
    int id; /* 0: nobody */
    int tokens;
    unsigned last;
    int accepted;
    int rejected;
};

struct limiter {
    struct client clients[CLIENTS];
    unsigned now;
};

static void limiter_init(struct limiter *l) {
    l->now = 0;
    for (int i = 0; i < CLIENTS; i++)
        l->clients[i].id = 0;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static void refill(struct client *c, unsigned now) {
    unsigned elapsed = now - c->last;
    c->tokens = least(BURST, c->tokens + (int)elapsed * RATE);
    c->last = now;
}

/* The client with this number; a new one takes a free place, or that of the one who was longest away. */
static struct client *client_of(struct limiter *l, int id) {
    int place = -1;
    for (int i = 0; i < CLIENTS; i++) {
        struct client *c = &l->clients[i];
        if (c->id == id)
            return c;
        if (c->id == 0) {
            place = i;
        } else if (place < 0 || (l->clients[place].id != 0 && l->now - c->last > l->now - l->clients[place].last)) {
            place = i;
        }
    }
    struct client *c = &l->clients[place];
    c->id = id;
    c->tokens = BURST;
    c->last = l->now;
    c->accepted = 0;
    c->rejected = 0;
    return c;
}

static int limiter_ask(struct limiter *l, int id, int cost) {
    if (id <= 0 || cost < 0 || cost > BURST)
        return 0;
    struct client *c = client_of(l, id);
    refill(c, l->now);
    if (c->tokens < cost) {
        if (c->rejected < INT_MAX)
            c->rejected++;
        return 0;
    }
    c->tokens -= cost;
    if (c->accepted < INT_MAX)
        c->accepted++;
    return 1;
}

static int limiter_forget(struct limiter *l, int id) {
    if (id <= 0)
        return 0;
    for (int i = 0; i < CLIENTS; i++)
        if (l->clients[i].id == id) {
            l->clients[i].id = 0;
            return 1;
        }
    return 0;
}

static int occupied(const struct limiter *l) {
    int n = 0;
    for (int i = 0; i < CLIENTS; i++)
        n += l->clients[i].id != 0;
    return n;
}

int main(void) {
    struct limiter l;
    limiter_init(&l);
    while (__VERIFIER_nondet_int()) {
        int id = __VERIFIER_nondet_int();
        l.now += __VERIFIER_nondet_uint();
        if (__VERIFIER_nondet_int()) {
            int cost = __VERIFIER_nondet_int();
            if (limiter_ask(&l, id, cost)) {
                const struct client *c = client_of(&l, id);
                assert(c->tokens >= 0 && c->tokens <= BURST - cost);
                assert(c->accepted > 0 && c->last == l.now);
            }
        } else if (limiter_forget(&l, id)) {
            assert(occupied(&l) < CLIENTS);
        }
        assert(occupied(&l) <= CLIENTS);
    }
    return 0;
}
