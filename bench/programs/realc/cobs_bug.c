/* Consistent overhead byte stuffing: no zero is left in the encoded data, so that zeros can separate packets. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define PACKET 20
#define ENCODED (PACKET + PACKET / 254 + 1)

typedef struct {
    size_t out_len;
    enum { COBS_OK, COBS_OVERFLOW, COBS_ZERO, COBS_SHORT } status;
} cobs_result;

static cobs_result cobs_encode(uint8_t *dst, size_t dst_len, const uint8_t *src, size_t src_len)
{
    cobs_result result = {0, COBS_OK};
    const uint8_t *src_end = src + src_len;
    uint8_t *dst_start = dst;
    uint8_t *dst_end = dst + dst_len;
    uint8_t *code = dst++;
    uint8_t search_len = 1;

    if (dst_len == 0) {
        result.status = COBS_OVERFLOW;
        return result;
    }
    while (src < src_end) {
        if (dst >= dst_end) {
            result.status = COBS_OVERFLOW;
            return result;
        }
        uint8_t byte = *src++;
        if (byte == 0) {
            *code = search_len;
            code = dst++;
            search_len = 1;
        } else {
            *dst++ = byte;
            search_len++;
            if (search_len == 0xff && src < src_end) {
                if (dst >= dst_end) {
                    result.status = COBS_OVERFLOW;
                    return result;
                }
                *code = search_len;
                code = dst++;
                search_len = 1;
            }
        }
    }
    *code = search_len;
    result.out_len = (size_t)(dst - dst_start);
    return result;
}

static cobs_result cobs_decode(uint8_t *dst, size_t dst_len, const uint8_t *src, size_t src_len)
{
    cobs_result result = {0, COBS_OK};
    const uint8_t *src_end = src + src_len;
    uint8_t *dst_start = dst;
    uint8_t *dst_end = dst + dst_len;

    while (src < src_end) {
        uint8_t code = *src++;
        if (code == 0) {
            result.status = COBS_ZERO;
            break;
        }
        size_t run = (size_t)code - 1;
        if (run > (size_t)(src_end - src)) {
            result.status = COBS_SHORT;
            break;
        }
        if (run > (size_t)(dst_end - dst)) {
            result.status = COBS_OVERFLOW;
            break;
        }
        for (size_t i = 0; i < run; i++) {
            if (*src == 0)
                result.status = COBS_ZERO;
            *dst++ = *src++;
        }
        if (code != 0xff) {
            if (dst >= dst_end) {
                result.status = COBS_OVERFLOW;
                break;
            }
            *dst++ = 0;
        }
    }
    result.out_len = (size_t)(dst - dst_start);
    return result;
}

int main(void)
{
    uint8_t packet[PACKET], encoded[ENCODED], decoded[PACKET];
    size_t size = __VERIFIER_nondet_uint() % (PACKET + 1);
    for (size_t i = 0; i < size; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    cobs_result e = cobs_encode(encoded, sizeof encoded, packet, size);
    assert(e.status == COBS_OK && e.out_len == size + 1);
    for (size_t i = 0; i < e.out_len; i++)
        assert(encoded[i] != 0);
    cobs_result d = cobs_decode(decoded, sizeof decoded, encoded, e.out_len);
    assert(d.status == COBS_OK && d.out_len == size);
    if (__VERIFIER_nondet_int()) {
        for (size_t i = 0; i < ENCODED; i++)
            encoded[i] = __VERIFIER_nondet_uchar();
        d = cobs_decode(decoded, sizeof decoded, encoded, ENCODED);
        assert(d.out_len <= PACKET);
    }
    return 0;
}
