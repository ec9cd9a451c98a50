/* A vending machine: coins, a choice, change from what is in the tubes, and a service mode; a table of handlers. */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

enum { PRODUCTS = 6, COINS = 4, TUBE = 10, CREDIT_MAX = 500 };
enum state { WAITING, PAYING, SERVICE, STATES };
enum event { COIN, CHOICE, CANCEL, KEY, EVENTS };

struct machine {
    enum state state;
    int credit;
    int tubes[COINS];
    int stock[PRODUCTS];
    int earned;
};

static const int coin_value[COINS] = {10, 20, 50, 100};
static const int price[PRODUCTS] = {90, 90, 120, 150, 200, 70};

static int money_inside(const struct machine *m) {
    int sum = 0;
    for (int i = 0; i < COINS; i++)
        sum += m->tubes[i] * coin_value[i];
    return sum;
}

/* Pays out in the largest coins first; what cannot be paid stays as credit. */
static int pay_out(struct machine *m, int amount) {
    int paid = 0;
    for (int i = COINS - 1; i >= 0; i--)
        while (m->tubes[i] > 0 && amount - paid >= coin_value[i]) {
            m->tubes[i]--;
            paid += coin_value[i];
        }
    return paid;
}

static enum state on_coin(struct machine *m, int coin) {
    if (coin < 0 || coin >= COINS)
        return m->state;
    if (m->tubes[coin] == TUBE || m->credit + coin_value[coin] > CREDIT_MAX)
        return m->state; /* the coin is given back */
    m->tubes[coin]++;
    m->credit += coin_value[coin];
    return PAYING;
}

static enum state on_choice(struct machine *m, int product) {
    if (product < 0 || product >= PRODUCTS || m->stock[product] == 0 || m->credit < price[product])
        return PAYING;
    m->stock[product]--;
    m->credit -= price[product];
    m->earned += price[product];
    m->credit -= pay_out(m, m->credit);
    return m->credit > 0 ? PAYING : WAITING;
}

static enum state on_cancel(struct machine *m, int unused) {
    (void)unused;
    m->credit -= pay_out(m, m->credit);
    return m->credit > 0 ? PAYING : WAITING;
}

static enum state on_key(struct machine *m, int unused) {
    (void)unused;
    return m->state == SERVICE ? WAITING : SERVICE;
}

static enum state on_refill(struct machine *m, int product) {
    if (product >= 0 && product < PRODUCTS)
        m->stock[product] = 5;
    return SERVICE;
}

/* Takes the money that was earned, as far as it can be paid out. */
static enum state on_empty(struct machine *m, int unused) {
    (void)unused;
    m->earned -= pay_out(m, m->earned);
    return SERVICE;
}

typedef enum state (*handler)(struct machine *, int);

static const handler handlers[STATES][EVENTS] = {
    [WAITING] = {on_coin, NULL, NULL, on_key},
    [PAYING] = {on_coin, on_choice, on_cancel, NULL},
    [SERVICE] = {NULL, on_refill, on_empty, on_key},
};

static void handle(struct machine *m, int event, int argument) {
    if (event < 0 || event >= EVENTS || handlers[m->state][event] == NULL)
        return;
    m->state = handlers[m->state][event](m, argument);
}

int main(void) {
    struct machine m = {WAITING, 0, {0}, {0}, 0};
    while (__VERIFIER_nondet_int()) {
        int event = __VERIFIER_nondet_int();
        handle(&m, event, __VERIFIER_nondet_int());
        assert(m.credit >= 0 && m.credit <= CREDIT_MAX && m.earned >= 0);
        assert(money_inside(&m) == m.credit + m.earned);
        assert(m.state == PAYING || m.credit == 0);
    }
    return 0;
}
