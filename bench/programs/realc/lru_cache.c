/* A cache that forgets what was least recently used: entries in a table, chained by age and by hash. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define CAPACITY 8
#define BUCKETS 5
#define NIL (-1)

typedef struct {
    unsigned key;
    int value;
    int older;
    int newer;
    int next_in_bucket;
} entry_t;

typedef struct {
    entry_t entries[CAPACITY];
    int buckets[BUCKETS];
    int newest;
    int oldest;
    int count;
} cache_t;

static void cache_init(cache_t *c) {
    for (int i = 0; i < BUCKETS; i++)
        c->buckets[i] = NIL;
    c->newest = NIL;
    c->oldest = NIL;
    c->count = 0;
}

static int cache_find(const cache_t *c, unsigned key) {
    int at = c->buckets[key % BUCKETS];
    while (at != NIL && c->entries[at].key != key)
        at = c->entries[at].next_in_bucket;
    return at;
}

static void unlink_age(cache_t *c, int at) {
    int older = c->entries[at].older;
    int newer = c->entries[at].newer;
    if (older != NIL)
        c->entries[older].newer = newer;
    else
        c->oldest = newer;
    if (newer != NIL)
        c->entries[newer].older = older;
    else
        c->newest = older;
}

static void link_newest(cache_t *c, int at) {
    c->entries[at].older = c->newest;
    c->entries[at].newer = NIL;
    if (c->newest != NIL)
        c->entries[c->newest].newer = at;
    else
        c->oldest = at;
    c->newest = at;
}

static void unlink_bucket(cache_t *c, int at) {
    int *link = &c->buckets[c->entries[at].key % BUCKETS];
    while (*link != at)
        link = &c->entries[*link].next_in_bucket;
    *link = c->entries[at].next_in_bucket;
}

static int cache_get(cache_t *c, unsigned key, int *value) {
    int at = cache_find(c, key);
    if (at == NIL)
        return 0;
    unlink_age(c, at);
    link_newest(c, at);
    *value = c->entries[at].value;
    return 1;
}

static void cache_put(cache_t *c, unsigned key, int value) {
    int at = cache_find(c, key);
    if (at != NIL) {
        unlink_age(c, at);
    } else {
        if (c->count < CAPACITY) {
            at = c->count++;
        } else {
            at = c->oldest;
            unlink_age(c, at);
            unlink_bucket(c, at);
        }
        c->entries[at].key = key;
        c->entries[at].next_in_bucket = c->buckets[key % BUCKETS];
        c->buckets[key % BUCKETS] = at;
    }
    c->entries[at].value = value;
    link_newest(c, at);
}

int main(void) {
    cache_t cache;
    cache_init(&cache);
    while (__VERIFIER_nondet_int() > 0) {
        unsigned key = (unsigned)__VERIFIER_nondet_int();
        int value = 0;
        if (__VERIFIER_nondet_int()) {
            int expected = __VERIFIER_nondet_int();
            cache_put(&cache, key, expected);
            assert(cache_get(&cache, key, &value) && value == expected);
        } else if (cache_get(&cache, key, &value)) {
            assert(cache.entries[cache.newest].key == key);
        }
        assert(cache.count <= CAPACITY);
    }
    return 0;
}
