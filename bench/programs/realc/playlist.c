/* A list of tracks that is played round and round: a circular list with links in both directions and a current track. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define TRACKS_MAX 50
#define SECONDS_MAX 7200

struct track {
    int id;
    int seconds;
    struct track *next;
    struct track *previous;
};

struct playlist {
    struct track *current; /* NULL: there are no tracks */
    int count;
    long total;
};

static void playlist_init(struct playlist *p)
{
    p->current = NULL;
    p->count = 0;
    p->total = 0;
}

/* Adds a track before the current one, which is the end of the round. */
static int playlist_add(struct playlist *p, int id, int seconds)
{
    if (p->count >= TRACKS_MAX || seconds < 1 || seconds > SECONDS_MAX)
        return 0;
    struct track *t = malloc(sizeof(struct track));
    if (t == NULL)
        return 0;
    t->id = id;
    t->seconds = seconds;
    if (p->current == NULL) {
        t->next = t->previous = t;
        p->current = t;
    } else {
        struct track *last = p->current->previous;
        t->next = p->current;
        t->previous = last;
        last->next = t;
        p->current->previous = t;
    }
    p->count++;
    p->total += seconds;
    return 1;
}

static void playlist_skip(struct playlist *p, int steps)
{
    if (p->count == 0)
        return;
    steps %= p->count;
    for (; steps > 0; steps--)
        p->current = p->current->next;
    for (; steps < 0; steps++)
        p->current = p->current->previous;
}

static int playlist_remove_current(struct playlist *p)
{
    struct track *t = p->current;
    if (t == NULL)
        return -1;
    int id = t->id;
    if (t->next == t) {
        p->current = NULL;
    } else {
        t->previous->next = t->next;
        t->next->previous = t->previous;
        p->current = t->next;
    }
    p->count--;
    p->total -= t->seconds;
    free(t);
    return id;
}

/* Exchanges the contents of the current track and the next one. */
static void playlist_swap(struct playlist *p)
{
    struct track *a = p->current;
    if (a == NULL)
        return;
    struct track *b = a->next;
    int id = a->id, seconds = a->seconds;
    a->id = b->id;
    a->seconds = b->seconds;
    b->id = id;
    b->seconds = seconds;
}

static long playing_time(const struct playlist *p)
{
    long sum = 0;
    const struct track *t = p->current;
    for (int i = 0; i < p->count; i++) {
        sum += t->seconds;
        t = t->next;
    }
    return sum;
}

int main(void)
{
    struct playlist p;
    int next_id = 0;
    playlist_init(&p);
    for (int round = 0; round < 300 && __VERIFIER_nondet_int(); round++) {
        int command = __VERIFIER_nondet_int();
        if (command == 0)
            next_id += playlist_add(&p, next_id, __VERIFIER_nondet_int());
        else if (command == 1)
            playlist_skip(&p, __VERIFIER_nondet_int());
        else if (command == 2)
            assert(playlist_remove_current(&p) < next_id);
        else
            playlist_swap(&p);
        assert(p.count <= TRACKS_MAX && playing_time(&p) == p.total);
    }
    while (p.current != NULL)
        playlist_remove_current(&p);
    assert(p.count == 0 && p.total == 0);
    return 0;
}
