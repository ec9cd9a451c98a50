/* Objects of one size from slabs: each slab is one allocation with a list of its free objects through the objects
   themselves; a slab without objects in use is given back. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define OBJECTS 6
#define HELD 20

union object {
    union object *next_free;
    int payload[4];
};

struct slab {
    struct slab *next;
    int used;
    union object *free_list;
    union object objects[OBJECTS];
};

struct cache {
    struct slab *slabs;
    int slab_count;
    int in_use;
};

static struct slab *slab_create(void) {
    struct slab *slab = malloc(sizeof(struct slab));
    if (slab == NULL)
        return NULL;
    slab->next = NULL;
    slab->used = 0;
    slab->free_list = NULL;
    for (int i = OBJECTS - 1; i >= 0; i--) {
        slab->objects[i].next_free = slab->free_list;
        slab->free_list = &slab->objects[i];
    }
    return slab;
}

static union object *cache_take(struct cache *c) {
    struct slab *slab = c->slabs;
    while (slab != NULL && slab->free_list == NULL)
        slab = slab->next;
    if (slab == NULL) {
        slab = slab_create();
        if (slab == NULL)
            return NULL;
        slab->next = c->slabs;
        c->slabs = slab;
        c->slab_count++;
    }
    union object *object = slab->free_list;
    slab->free_list = object->next_free;
    slab->used++;
    c->in_use++;
    return object;
}

static int owns(const struct slab *slab, const union object *object) {
    for (int i = 0; i < OBJECTS; i++)
        if (object == &slab->objects[i])
            return 1;
    return 0;
}

static void cache_give(struct cache *c, union object *object) {
    struct slab **link = &c->slabs;
    while (*link != NULL && !owns(*link, object))
        link = &(*link)->next;
    struct slab *slab = *link;
    if (slab == NULL)
        return;
    object->next_free = slab->free_list;
    slab->free_list = object;
    slab->used--;
    c->in_use--;
    if (slab->used == 0) {
        *link = slab->next;
        free(slab);
        c->slab_count--;
    }
}

int main(void) {
    struct cache c = {NULL, 0, 0};
    union object *held[HELD];
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && count < HELD) {
            union object *object = cache_take(&c);
            if (object == NULL)
                break;
            object->payload[0] = count;
            object->payload[3] = -count;
            held[count++] = object;
        } else if (count > 0) {
            int victim = __VERIFIER_nondet_int();
            if (victim < 0 || victim >= count)
                victim = count - 1;
            cache_give(&c, held[victim]);
            held[victim] = held[--count];
            if (victim < count)
                held[victim]->payload[0] = victim;
        }
        assert(c.in_use == count);
        assert(c.slab_count <= count && count <= c.slab_count * OBJECTS);
        if (count > 0)
            assert(held[count - 1]->payload[0] == count - 1);
    }
    while (count > 0)
        cache_give(&c, held[--count]);
    assert(c.slabs == NULL && c.slab_count == 0);
    return 0;
}
