/* A hash table with open addressing: keys are positive, 0 marks a free slot, deleted ones are kept as -1. */
#include <assert.h>
#include <string.h>

#define SLOTS 32
#define FREE 0
#define DELETED (-1)

extern int __VERIFIER_nondet_int(void);

struct table {
    int keys[SLOTS];
    int values[SLOTS];
    int used;
};

static void table_init(struct table *table) {
    memset(table, 0, sizeof *table);
}

static unsigned hash(int key) {
    unsigned h = (unsigned)key;
    h ^= h >> 16;
    h *= 0x45d9f3bu;
    h ^= h >> 16;
    return h;
}

/* The slot of the key, or -1. */
static int table_find(const struct table *table, int key) {
    int slot = key % SLOTS;
    for (int probes = 0; probes < SLOTS; probes++) {
        int present = table->keys[slot];
        if (present == key)
            return (int)slot;
        if (present == FREE)
            return -1;
        slot = (slot + 1) % SLOTS;
    }
    return -1;
}

/* The first slot that a new key may take, or -1. */
static int table_room(const struct table *table, int key) {
    unsigned slot = hash(key) % SLOTS;
    for (int probes = 0; probes < SLOTS; probes++) {
        if (table->keys[slot] == FREE || table->keys[slot] == DELETED)
            return (int)slot;
        slot = (slot + 1) % SLOTS;
    }
    return -1;
}

static int table_put(struct table *table, int key, int value) {
    if (key <= 0)
        return -1;
    int slot = table_find(table, key);
    if (slot >= 0) {
        table->values[slot] = value;
        return 0;
    }
    slot = table_room(table, key);
    if (slot < 0)
        return -1;
    table->keys[slot] = key;
    table->values[slot] = value;
    table->used++;
    return 1;
}

static int table_get(const struct table *table, int key, int *value) {
    int slot = table_find(table, key);
    if (key <= 0 || slot < 0)
        return 0;
    *value = table->values[slot];
    return 1;
}

static int table_remove(struct table *table, int key) {
    int slot = table_find(table, key);
    if (key <= 0 || slot < 0)
        return 0;
    table->keys[slot] = DELETED;
    table->used--;
    return 1;
}

int main(void) {
    struct table table;
    int puts = 0, removed = 0;
    table_init(&table);
    while (puts < 100000 && __VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        int value = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            if (table_put(&table, key, value) == 1)
                puts++;
        } else if (table_get(&table, key, &value)) {
            removed += table_remove(&table, key);
        }
        assert(table.used == puts - removed);
    }
    return 0;
}
