/* Order of tasks that depend on each other: edges in adjacency lists, ready tasks in a queue, cycles are found. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_TASKS 16

struct edge {
    int target;
    struct edge *next;
};

struct graph {
    int size;
    int edges;
    struct edge *out[MAX_TASKS];
    int incoming[MAX_TASKS];
};

static void graph_init(struct graph *g, int size) {
    g->size = size;
    g->edges = 0;
    for (int i = 0; i < MAX_TASKS; i++) {
        g->out[i] = NULL;
        g->incoming[i] = 0;
    }
}

static int graph_connect(struct graph *g, int from, int to) {
    if (from < 0 || from >= g->size || to < 0 || to >= g->size)
        return -1;
    for (struct edge *e = g->out[from]; e != NULL; e = e->next)
        if (e->target == to)
            return 0;
    struct edge *added = malloc(sizeof *added);
    if (added == NULL)
        return -1;
    added->target = to;
    added->next = g->out[from];
    g->out[from] = added;
    g->incoming[to]++;
    g->edges++;
    return 1;
}

static void graph_free(struct graph *g) {
    for (int i = 0; i < g->size - 1; i++) {
        struct edge *e = g->out[i];
        while (e != NULL) {
            struct edge *next = e->next;
            free(e);
            e = next;
        }
        g->out[i] = NULL;
    }
}

/* Kahn's algorithm. The order is written to `order`; returns how many tasks could be ordered. */
static int topological_order(const struct graph *g, int *order) {
    int waiting[MAX_TASKS];
    int queued = 0, done = 0;
    for (int i = 0; i < g->size; i++) {
        waiting[i] = g->incoming[i];
        if (waiting[i] == 0)
            order[queued++] = i;
    }
    while (done < queued) {
        int task = order[done++];
        for (const struct edge *e = g->out[task]; e != NULL; e = e->next)
            if (--waiting[e->target] == 0)
                order[queued++] = e->target;
    }
    return done;
}

static int is_ordered(const struct graph *g, const int *order, int count) {
    int position[MAX_TASKS];
    for (int i = 0; i < g->size; i++)
        position[i] = -1;
    for (int i = 0; i < count; i++)
        position[order[i]] = i;
    for (int i = 0; i < g->size; i++)
        for (const struct edge *e = g->out[i]; e != NULL; e = e->next)
            if (position[e->target] >= 0 && position[i] > position[e->target])
                return 0;
    return 1;
}

int main(void) {
    struct graph g;
    int order[MAX_TASKS];
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > MAX_TASKS)
        return 1;
    graph_init(&g, size);
    while (__VERIFIER_nondet_int()) {
        int from = __VERIFIER_nondet_int();
        int to = __VERIFIER_nondet_int();
        graph_connect(&g, from, to);
        assert(g.edges <= size * size);
    }
    int count = topological_order(&g, order);
    assert(count >= 0 && count <= size);
    assert(is_ordered(&g, order, count));
    if (g.edges == 0)
        assert(count == size);
    graph_free(&g);
    return count < size;
}
