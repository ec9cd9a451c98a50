/* Timers in a wheel of slots: each slot has a list of timers, which are linked by index; long ones go round more than once. */
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SLOTS 16
#define TIMERS 10
#define NO_TIMER (-1)

struct timer {
    bool active;
    unsigned rounds;
    int slot;
    int previous;
    int next;
    int expired;
};

static struct timer timers[TIMERS];
static int slots[SLOTS];
static int hand;
static int active_timers;

static void wheel_init(void) {
    for (int i = 0; i < SLOTS; i++)
        slots[i] = NO_TIMER;
    for (int i = 0; i < TIMERS; i++) {
        timers[i].active = false;
        timers[i].expired = 0;
    }
    hand = 0;
    active_timers = 0;
}

static void unlink_timer(int id) {
    struct timer *t = &timers[id];
    if (t->previous == NO_TIMER)
        slots[t->slot] = t->next;
    else
        timers[t->previous].next = t->next;
    t->active = false;
    active_timers--;
}

static int timer_stop(int id) {
    if (id < 0 || id >= TIMERS || !timers[id].active)
        return -1;
    unlink_timer(id);
    return 0;
}

/* Starts a timer, or starts it again; a delay of zero is one tick. */
static int timer_start(int id, unsigned delay) {
    if (id < 0 || id >= TIMERS)
        return -1;
    if (timers[id].active)
        unlink_timer(id);
    if (delay == 0)
        delay = 1;
    struct timer *t = &timers[id];
    t->active = true;
    t->slot = (int)(((unsigned)hand + delay % SLOTS) % SLOTS);
    t->rounds = (delay - 1) / SLOTS;
    t->previous = NO_TIMER;
    t->next = slots[t->slot];
    if (t->next != NO_TIMER)
        timers[t->next].previous = id;
    slots[t->slot] = id;
    active_timers++;
    return 0;
}

/* One tick; returns how many timers expired. */
static int wheel_tick(void) {
    int expired = 0;
    hand = (hand + 1) % SLOTS;
    int id = slots[hand];
    while (id != NO_TIMER) {
        int next = timers[id].next;
        if (timers[id].rounds == 0) {
            unlink_timer(id);
            timers[id].expired = 1;
            expired++;
        } else {
            timers[id].rounds--;
        }
        id = next;
    }
    return expired;
}

static int count_active(void) {
    int count = 0;
    for (int i = 0; i < SLOTS; i++)
        for (int id = slots[i]; id != NO_TIMER; id = timers[id].next)
            count++;
    return count;
}

int main(void) {
    wheel_init();
    while (__VERIFIER_nondet_int()) {
        int id = __VERIFIER_nondet_int();
        int before = active_timers;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (timer_start(id, __VERIFIER_nondet_uint()) == 0)
                assert(timers[id].active && timers[id].slot < SLOTS);
            break;
        case 1:
            if (timer_stop(id) == 0)
                assert(active_timers == before - 1);
            break;
        default:
            assert(wheel_tick() == before - active_timers);
        }
        assert(active_timers >= 0 && active_timers <= TIMERS);
        assert(count_active() == active_timers);
    }
    return 0;
}
