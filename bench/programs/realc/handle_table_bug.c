/* Resources behind handles: a handle has a slot and a generation, so that a stale one is recognised. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define SLOT_BITS 4
#define SLOTS (1 << SLOT_BITS)
#define SLOT_MASK (SLOTS - 1)
#define LARGEST 64

typedef uint32_t handle;
#define NO_HANDLE 0u

struct buffer {
    size_t size;
    unsigned char bytes[];
};

struct slot {
    uint32_t generation;
    struct buffer *buffer; /* NULL: the slot is free */
};

struct table {
    struct slot slots[SLOTS];
    int open;
};

static void table_init(struct table *t) {
    for (int i = 0; i < SLOTS; i++) {
        t->slots[i].generation = 1;
        t->slots[i].buffer = NULL;
    }
    t->open = 0;
}

static struct slot *lookup(struct table *t, handle h) {
    struct slot *s = &t->slots[h & SLOT_MASK];
    if (s->generation != h >> SLOT_BITS)
        return NULL;
    return s;
}

static handle table_open(struct table *t, size_t size) {
    if (size == 0 || size > LARGEST)
        return NO_HANDLE;
    for (int i = 0; i < SLOTS; i++) {
        struct slot *s = &t->slots[i];
        if (s->buffer != NULL)
            continue;
        s->buffer = malloc(sizeof(struct buffer) + size);
        if (s->buffer == NULL)
            return NO_HANDLE;
        s->buffer->size = size;
        memset(s->buffer->bytes, 0, size);
        t->open++;
        return s->generation << SLOT_BITS | (uint32_t)i;
    }
    return NO_HANDLE;
}

static int table_close(struct table *t, handle h) {
    struct slot *s = lookup(t, h);
    if (s == NULL)
        return -1;
    free(s->buffer);
    s->buffer = NULL;
    s->generation = (s->generation + 1) & (UINT32_MAX >> SLOT_BITS);
    if (s->generation == 0)
        s->generation = 1;
    t->open--;
    return 0;
}

static int table_write(struct table *t, handle h, size_t at, unsigned char byte) {
    struct slot *s = lookup(t, h);
    if (s == NULL || at >= s->buffer->size)
        return -1;
    s->buffer->bytes[at] = byte;
    return 0;
}

static int table_read(struct table *t, handle h, size_t at) {
    struct slot *s = lookup(t, h);
    return s == NULL || at >= s->buffer->size ? -1 : s->buffer->bytes[at];
}

static void table_clear(struct table *t) {
    for (uint32_t i = 0; i < SLOTS; i++)
        if (t->slots[i].buffer != NULL)
            table_close(t, t->slots[i].generation << SLOT_BITS | i);
}

int main(void) {
    static struct table t;
    handle last = NO_HANDLE;
    table_init(&t);
    while (__VERIFIER_nondet_int()) {
        handle h = __VERIFIER_nondet_int() ? last : __VERIFIER_nondet_uint();
        size_t n = __VERIFIER_nondet_uint();
        switch (__VERIFIER_nondet_int()) {
        case 0: {
            handle opened = table_open(&t, n);
            if (opened != NO_HANDLE) {
                assert(table_read(&t, opened, n - 1) == 0);
                last = opened;
            }
            break;
        }
        case 1:
            if (table_close(&t, h) == 0)
                assert(table_read(&t, h, 0) == -1);
            break;
        case 2:
            if (table_write(&t, h, n, 0xa5) == 0)
                assert(table_read(&t, h, n) == 0xa5);
            break;
        default:
            assert(table_read(&t, h, n) <= 255);
        }
        assert(t.open >= 0 && t.open <= SLOTS);
    }
    table_clear(&t);
    assert(t.open == 0);
    return 0;
}
