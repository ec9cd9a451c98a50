/* Frames on a serial line: a start byte, a length, the payload and a check sum; the receiver is fed byte by byte and
   finds its way back after noise. */
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define START 0x7e
#define PAYLOAD 16
#define OVERHEAD 3

enum state { IDLE, LENGTH, DATA, CHECK };

struct receiver {
    enum state state;
    uint8_t length;
    uint8_t received;
    uint8_t sum;
    uint8_t payload[PAYLOAD];
    unsigned frames;
    unsigned errors;
    void (*deliver)(const uint8_t *payload, int length);
};

static unsigned delivered_frames;
static int delivered_bytes;

static void count_delivery(const uint8_t *payload, int length) {
    uint8_t sum = 0;
    for (int i = 0; i < length; i++)
        sum = (uint8_t)(sum + payload[i]);
    delivered_frames++;
    delivered_bytes = delivered_bytes < 10000 ? delivered_bytes + length : delivered_bytes;
}

static void receiver_reset(struct receiver *r) {
    r->state = IDLE;
    r->length = 0;
    r->received = 0;
    r->sum = 0;
}

static void receiver_init(struct receiver *r, void (*deliver)(const uint8_t *, int)) {
    receiver_reset(r);
    r->frames = 0;
    r->errors = 0;
    r->deliver = deliver;
}

static void receiver_feed(struct receiver *r, uint8_t byte) {
    switch (r->state) {
    case IDLE:
        if (byte == START)
            r->state = LENGTH;
        break;
    case LENGTH:
        if (byte > PAYLOAD) {
            r->errors++;
            receiver_reset(r);
            break;
        }
        r->length = byte;
        r->received = 0;
        r->sum = byte;
        r->state = byte == 0 ? CHECK : DATA;
        break;
    case DATA:
        r->payload[r->received++] = byte;
        r->sum = (uint8_t)(r->sum + byte);
        if (r->received == r->length)
            r->state = CHECK;
        break;
    case CHECK:
        if ((uint8_t)(r->sum + byte) == 0) {
            r->frames++;
            r->deliver(r->payload, r->length);
        } else {
            r->errors++;
        }
        receiver_reset(r);
        break;
    }
}

static int make_frame(uint8_t *frame, const uint8_t *payload, int length) {
    uint8_t sum = (uint8_t)length;
    int n = 0;
    frame[n++] = START;
    frame[n++] = (uint8_t)length;
    for (int i = 0; i < length; i++) {
        frame[n++] = payload[i];
        sum = (uint8_t)(sum + payload[i]);
    }
    frame[n++] = (uint8_t)-sum;
    return n;
}

int main(void) {
    struct receiver r;
    uint8_t payload[PAYLOAD], frame[PAYLOAD + OVERHEAD];
    receiver_init(&r, count_delivery);
    while (__VERIFIER_nondet_int()) {
        receiver_feed(&r, __VERIFIER_nondet_uchar());
        assert(r.received <= PAYLOAD);
        assert(r.state != DATA || r.received < r.length);
    }
    receiver_reset(&r);
    int length = __VERIFIER_nondet_int();
    if (length >= 0 && length <= PAYLOAD) {
        for (int i = 0; i < length; i++)
            payload[i] = __VERIFIER_nondet_uchar();
        int size = make_frame(frame, payload, length);
        unsigned before = delivered_frames;
        for (int i = 0; i < size; i++)
            receiver_feed(&r, frame[i]);
        assert(size == length + OVERHEAD && r.state == IDLE);
        assert(delivered_frames == before + 1);
    }
    return 0;
}
