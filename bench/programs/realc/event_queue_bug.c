/* Events of a simulation in the order of their time: a sorted list with one allocation per event; events can be
   cancelled by their number. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define HORIZON 1000000u

typedef struct event {
    unsigned time;
    int id;
    struct event *next;
} event_t;

typedef struct {
    event_t *head;
    unsigned now;
    int next_id;
    int pending;
    int fired;
} simulation_t;

static void simulation_init(simulation_t *s)
{
    s->head = NULL;
    s->now = 0;
    s->next_id = 1;
    s->pending = 0;
    s->fired = 0;
}

/* The number of the event, or 0. */
static int schedule(simulation_t *s, unsigned delay)
{
    if (delay > HORIZON - s->now)
        return 0;
    event_t *event = malloc(sizeof(event_t));
    if (event == NULL)
        return 0;
    event->time = s->now + delay;
    event->id = s->next_id++;
    event_t **link = &s->head;
    while (*link != NULL && (*link)->time <= event->time)
        link = &(*link)->next;
    event->next = *link;
    *link = event;
    s->pending++;
    return event->id;
}

static int cancel(simulation_t *s, int id)
{
    for (event_t **link = &s->head; *link != NULL; link = &(*link)->next) {
        event_t *event = *link;
        if (event->id == id) {
            *link = event->next;
            free(event);
            s->pending--;
            return 1;
        }
    }
    return 0;
}

/* Advances to the next event; returns its number, or 0 if there is none. */
static int step(simulation_t *s)
{
    event_t *event = s->head;
    if (event == NULL)
        return 0;
    int id = event->id;
    s->head = event->next;
    free(event);
    s->now = event->time;
    s->pending--;
    s->fired++;
    return id;
}

static int run_until(simulation_t *s, unsigned time)
{
    int count = 0;
    while (s->head != NULL && s->head->time <= time) {
        step(s);
        count++;
    }
    if (s->now < time && time <= HORIZON)
        s->now = time;
    return count;
}

static void simulation_clear(simulation_t *s)
{
    while (s->head != NULL)
        cancel(s, s->head->id);
}

int main(void)
{
    simulation_t s;
    simulation_init(&s);
    for (int round = 0; round < 200 && __VERIFIER_nondet_int(); round++) {
        unsigned before = s.now;
        int pending = s.pending;
        switch (__VERIFIER_nondet_int()) {
        case 0: {
            int id = schedule(&s, __VERIFIER_nondet_uint());
            if (id != 0)
                assert(s.pending == pending + 1 && s.head != NULL);
            break;
        }
        case 1:
            if (cancel(&s, __VERIFIER_nondet_int()))
                assert(s.pending == pending - 1);
            break;
        case 2:
            assert(run_until(&s, __VERIFIER_nondet_uint()) == pending - s.pending);
            break;
        default:
            step(&s);
        }
        assert(s.now >= before && s.now <= HORIZON);
        assert(s.next_id - 1 >= s.pending + s.fired);
    }
    simulation_clear(&s);
    assert(s.pending == 0);
    return 0;
}
