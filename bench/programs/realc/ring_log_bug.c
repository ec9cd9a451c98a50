/* A log in a ring of bytes: records have a length, a level and a text; when there is no room the oldest are dropped. */
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define CAPACITY 64
#define HEADER 2
#define MAX_TEXT 20

static uint8_t ring[CAPACITY];
static unsigned head;    /* where the next record goes */
static unsigned tail;    /* the oldest record */
static unsigned used;    /* bytes in use */
static unsigned records;
static unsigned dropped;

static uint8_t ring_at(unsigned position) { return ring[position % CAPACITY]; }

static void ring_put(uint8_t byte) {
    ring[head] = byte;
    head = (head + 1) % CAPACITY;
    used++;
}

static void drop_oldest(void) {
    unsigned size = HEADER + ring_at(tail);
    tail = (tail + size) % CAPACITY;
    used -= size;
    records--;
    dropped++;
}

static int log_write(uint8_t level, const char *text, int length) {
    if (length < 0 || length > MAX_TEXT)
        return -1;
    while (CAPACITY - used < (unsigned)length)
        drop_oldest();
    ring_put((uint8_t)length);
    ring_put(level);
    for (int i = 0; i < length; i++)
        ring_put((uint8_t)text[i]);
    records++;
    return 0;
}

/* Copies the n-th record, counted from the oldest, and a zero; returns its length or -1. */
static int log_read(unsigned n, char *text, uint8_t *level) {
    unsigned position = tail;
    if (n >= records)
        return -1;
    while (n-- > 0)
        position += HEADER + ring_at(position);
    int length = ring_at(position);
    *level = ring_at(position + 1);
    for (int i = 0; i < length; i++)
        text[i] = (char)ring_at(position + HEADER + (unsigned)i);
    text[length] = '\0';
    return length;
}

static int count_level(uint8_t least) {
    int count = 0;
    unsigned position = tail;
    for (unsigned i = 0; i < records; i++) {
        if (ring_at(position + 1) >= least)
            count++;
        position = (position + HEADER + ring_at(position)) % CAPACITY;
    }
    return count;
}

int main(void) {
    char text[MAX_TEXT + 1], copy[MAX_TEXT + 1];
    unsigned written = 0;
    while (__VERIFIER_nondet_int()) {
        uint8_t level = __VERIFIER_nondet_uchar() % 4, stored;
        int length = __VERIFIER_nondet_int();
        for (int i = 0; i < MAX_TEXT && i < length; i++)
            text[i] = (char)__VERIFIER_nondet_uchar();
        if (log_write(level, text, length) == 0) {
            written++;
            int stored_length = log_read(records - 1, copy, &stored);
            assert(stored_length == length && stored == level);
            assert(length == 0 || copy[length - 1] == text[length - 1]);
        }
        assert(used <= CAPACITY && written == records + dropped);
        assert(count_level(0) == (int)records);
    }
    while (records > 0)
        drop_oldest();
    assert(used == 0 && head == tail);
    return 0;
}
