/* The stream cipher RC4 with its first bytes dropped, and a message that is encrypted in place behind a header. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define STATE 256
#define DROP 32
#define KEY_MAX 16
#define HEADER 4
#define MESSAGE 28

struct rc4 {
    uint8_t s[STATE];
    uint8_t i;
    uint8_t j;
};

static void swap(uint8_t *a, uint8_t *b) {
    uint8_t t = *a;
    *a = *b;
    *b = t;
}

static uint8_t rc4_byte(struct rc4 *c) {
    c->i = (uint8_t)(c->i + 1);
    c->j = (uint8_t)(c->j + c->s[c->i]);
    swap(&c->s[c->i], &c->s[c->j]);
    return c->s[(c->s[c->i] + c->s[c->j]) % STATE];
}

static int rc4_init(struct rc4 *c, const uint8_t *key, int length) {
    int j = 0;
    if (length < 1 || length > KEY_MAX)
        return -1;
    for (int i = 0; i < STATE; i++)
        c->s[i] = (uint8_t)i;
    for (int i = 0; i < STATE; i++) {
        j = (j + c->s[i] + key[i % length]) % STATE;
        swap(&c->s[i], &c->s[j]);
    }
    c->i = 0;
    c->j = 0;
    for (int i = 0; i < DROP; i++)
        rc4_byte(c);
    return 0;
}

static void rc4_crypt(struct rc4 *c, uint8_t *data, int size) {
    for (int i = 0; i < size; i++)
        data[i] ^= rc4_byte(c);
}

/* The header has the size of the body in two bytes, and their complement. */
static void put_header(uint8_t *message, int body) {
    message[0] = (uint8_t)(body >> 8);
    message[1] = (uint8_t)body;
    message[2] = (uint8_t)~message[0];
    message[3] = (uint8_t)~message[1];
}

/* The size of the body, or -1. */
static int get_header(const uint8_t *message, int size) {
    if (size < HEADER)
        return -1;
    if ((message[0] ^ message[2]) != 0xff || (message[1] ^ message[3]) != 0xff)
        return -1;
    int body = message[0] << 8 | message[1];
    return body <= size - HEADER ? body : -1;
}

static int seal(const uint8_t *key, int key_length, uint8_t *message, int body) {
    struct rc4 c;
    if (body < 0 || body > MESSAGE - HEADER || rc4_init(&c, key, key_length) != 0)
        return -1;
    put_header(message, body);
    rc4_crypt(&c, message + HEADER, body);
    return HEADER + body;
}

static int unseal(const uint8_t *key, int key_length, uint8_t *message, int size) {
    struct rc4 c;
    int body = get_header(message, size);
    if (body < 0 || rc4_init(&c, key, key_length) != 0)
        return -1;
    rc4_crypt(&c, message + HEADER, body);
    return body;
}

int main(void) {
    uint8_t key[KEY_MAX], message[MESSAGE];
    int key_length = __VERIFIER_nondet_int();
    for (int i = 0; i < KEY_MAX; i++)
        key[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < MESSAGE; i++)
        message[i] = (uint8_t)i;
    if (__VERIFIER_nondet_int()) {
        int body = __VERIFIER_nondet_int();
        int size = seal(key, key_length, message, body);
        if (size < 0)
            return 1;
        assert(size == HEADER + body);
        assert(unseal(key, key_length, message, size) == body);
        for (int i = 0; i < body; i++)
            assert(message[HEADER + i] == HEADER + i);
    } else {
        int size = __VERIFIER_nondet_int();
        if (size < 0 || size > MESSAGE)
            return 1;
        for (int i = 0; i < size && i < HEADER; i++)
            message[i] = __VERIFIER_nondet_uchar();
        int body = unseal(key, key_length, message, size);
        assert(body >= -1 && body <= MESSAGE - HEADER);
    }
    return 0;
}
