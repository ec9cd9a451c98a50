/* A ring buffer of bytes between a producer and a consumer. */
#include <assert.h>

#define CAPACITY 64

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct ring {
    unsigned char data[CAPACITY];
    unsigned int head;
    unsigned int tail;
    unsigned int count;
};

static void ring_init(struct ring *ring) {
    ring->head = 0;
    ring->tail = 0;
    ring->count = 0;
}

static unsigned int ring_free(const struct ring *ring) {
    return CAPACITY - ring->count;
}

static unsigned int advance(unsigned int position) {
    position++;
    if (position == CAPACITY)
        position = 0;
    return position;
}

static int ring_put(struct ring *ring, unsigned char byte) {
    if (ring->count == CAPACITY)
        return 0;
    ring->data[ring->head] = byte;
    ring->head = advance(ring->head);
    ring->count++;
    return 1;
}

static int ring_get(struct ring *ring, unsigned char *byte) {
    if (ring->count == 0)
        return 0;
    *byte = ring->data[ring->tail];
    ring->tail = advance(ring->tail);
    ring->count--;
    return 1;
}

/* As many bytes as there is room for. */
static unsigned int ring_write(struct ring *ring, const unsigned char *bytes, unsigned int n) {
    unsigned int written = 0;
    while (written < n && ring_put(ring, bytes[written]))
        written++;
    return written;
}

static unsigned int ring_read(struct ring *ring, unsigned char *bytes, unsigned int n) {
    unsigned int taken = 0;
    while (taken < n && ring_get(ring, &bytes[taken]))
        taken++;
    return taken;
}

static int ring_peek(const struct ring *ring, unsigned int offset, unsigned char *byte) {
    if (offset >= ring->count)
        return 0;
    unsigned int position = ring->tail + offset;
    if (position >= CAPACITY)
        position -= CAPACITY;
    *byte = ring->data[position];
    return 1;
}

int main(void) {
    struct ring ring;
    unsigned char block[16], byte = 0;
    ring_init(&ring);
    for (int i = 0; i < 16; i++)
        block[i] = __VERIFIER_nondet_uchar();
    while (__VERIFIER_nondet_int()) {
        unsigned int n = __VERIFIER_nondet_uint() % 17;
        unsigned int before = ring.count;
        if (__VERIFIER_nondet_int()) {
            unsigned int written = ring_write(&ring, block, n);
            assert(ring.count == before + written);
        } else {
            unsigned int taken = ring_read(&ring, block, n);
            assert(taken <= before);
        }
        ring_peek(&ring, __VERIFIER_nondet_uint(), &byte);
        assert(ring_free(&ring) <= CAPACITY);
    }
    return 0;
}
