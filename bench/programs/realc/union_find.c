/* Disjoint sets with union by size and path halving, used to find the components of a grid with obstacles. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define SIDE_MAX 12

typedef struct {
    int *parent; /* of a root: minus the size of its set */
    int count;
    int sets;
} partition;

static partition *partition_new(int count)
{
    partition *p = malloc(sizeof(partition));
    if (!p)
        return NULL;
    p->parent = malloc((size_t)count * sizeof(int));
    if (!p->parent) {
        free(p);
        return NULL;
    }
    for (int i = 0; i < count; ++i)
        p->parent[i] = -1;
    p->count = count;
    p->sets = count;
    return p;
}

static void partition_delete(partition *p)
{
    if (!p)
        return;
    free(p->parent);
    free(p);
}

static int find(partition *p, int element)
{
    while (p->parent[element] >= 0) {
        int up = p->parent[element];
        if (p->parent[up] >= 0)
            p->parent[element] = p->parent[up];
        element = up;
    }
    return element;
}

static int unite(partition *p, int a, int b)
{
    a = find(p, a);
    b = find(p, b);
    if (a == b)
        return 0;
    if (p->parent[a] > p->parent[b]) {
        int swap = a;
        a = b;
        b = swap;
    }
    p->parent[a] += p->parent[b];
    p->parent[b] = a;
    p->sets--;
    return 1;
}

static int set_size(partition *p, int element)
{
    return -p->parent[find(p, element)];
}

/* Joins the free cells of a square that lie beside or below each other. */
static int join_neighbours(partition *p, const unsigned char *blocked, int side)
{
    int joined = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            int cell = y * side + x;
            if (blocked[cell])
                continue;
            if (x + 1 < side && !blocked[cell + 1])
                joined += unite(p, cell, cell + 1);
            if (y + 1 < side && !blocked[cell + side])
                joined += unite(p, cell, cell + side);
        }
    return joined;
}

int main(void)
{
    int side = __VERIFIER_nondet_int();
    if (side < 1 || side > SIDE_MAX)
        return 1;
    int cells = side * side;
    unsigned char *blocked = calloc((size_t)cells, 1);
    partition *p = partition_new(cells);
    if (!blocked || !p) {
        free(blocked);
        partition_delete(p);
        return 1;
    }
    int obstacles = __VERIFIER_nondet_int();
    for (int i = 0; i < obstacles; ++i) {
        int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x >= 0 && x < side && y >= 0 && y < side)
            blocked[y * side + x] = 1;
    }
    int joined = join_neighbours(p, blocked, side);
    assert(p->sets == cells - joined && p->sets >= 1);
    int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
    if (from >= 0 && from < cells && to >= 0 && to < cells) {
        if (find(p, from) == find(p, to))
            assert(set_size(p, from) == set_size(p, to));
        else
            assert(p->sets >= 2);
        assert(set_size(p, from) >= 1 && set_size(p, from) <= cells);
    }
    free(blocked);
    partition_delete(p);
    return 0;
}
