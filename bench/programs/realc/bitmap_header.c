/* Reading BMP pictures with 1, 4, 8 or 24 bits for a pixel: headers in little-endian order, sizes that may lie, rows that
   are padded to four bytes and stored from the bottom to the top. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define FILE_MAX 160
#define FILE_HEADER 14
#define INFO_HEADER 40
#define SIDE_MAX 4096

struct bitmap {
    int width;
    int height;
    int bits;
    int top_down;
    uint32_t offset; /* of the first row */
    uint32_t stride;
    const uint8_t *file;
    uint32_t size;
};

enum status { BMP_OK, BMP_SHORT, BMP_MAGIC, BMP_FORMAT, BMP_SIZE };

static uint32_t little16(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static uint32_t little32(const uint8_t *p) { return little16(p) | little16(p + 2) << 16; }

static int32_t signed32(const uint8_t *p) {
    uint32_t bits = little32(p);
    return bits <= INT32_MAX ? (int32_t)bits : (int32_t)(bits - INT32_MAX - 1) + INT32_MIN;
}

static enum status bitmap_open(struct bitmap *b, const uint8_t *file, uint32_t size) {
    if (size < FILE_HEADER + INFO_HEADER)
        return BMP_SHORT;
    if (file[0] != 'B' || file[1] != 'M')
        return BMP_MAGIC;
    int32_t width = signed32(file + 18);
    int32_t height = signed32(file + 22);
    b->offset = little32(file + 10);
    b->bits = (int)little16(file + 28);
    if (b->bits != 1 && b->bits != 4 && b->bits != 8 && b->bits != 24)
        return BMP_FORMAT;
    if (little32(file + 30) != 0)
        return BMP_FORMAT; /* compressed */
    if (width < 1 || width > SIDE_MAX || height == 0 || height < -SIDE_MAX || height > SIDE_MAX)
        return BMP_SIZE;
    b->width = width;
    b->top_down = height < 0;
    b->height = height < 0 ? -height : height;
    b->stride = ((uint32_t)width * (uint32_t)b->bits + 31) / 32 * 4;
    if (b->offset < FILE_HEADER + INFO_HEADER || b->offset > size)
        return BMP_SHORT;
    if ((uint32_t)b->height > (size - b->offset) / b->stride)
        return BMP_SHORT;
    b->file = file;
    b->size = size;
    return BMP_OK;
}

/* The pixel as a number: an index, or red, green and blue. */
static uint32_t bitmap_pixel(const struct bitmap *b, int x, int y) {
    int row = b->top_down ? y : b->height - 1 - y;
    const uint8_t *line = b->file + b->offset + (uint32_t)row * b->stride;
    switch (b->bits) {
    case 1:
        return line[x / 8] >> (7 - x % 8) & 1u;
    case 4:
        return x % 2 == 0 ? line[x / 2] >> 4 : line[x / 2] & 15u;
    case 8:
        return line[x];
    default:
        return (uint32_t)line[3 * x + 2] << 16 | (uint32_t)line[3 * x + 1] << 8 | line[3 * x];
    }
}

static long long bitmap_sum(const struct bitmap *b) {
    long long sum = 0;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            sum += bitmap_pixel(b, x, y);
    return sum;
}

int main(void) {
    uint8_t file[FILE_MAX];
    struct bitmap b;
    int size = __VERIFIER_nondet_int();
    if (size < 0 || size > FILE_MAX)
        return 1;
    for (int i = 0; i < size; i++)
        file[i] = i >= 30 && i < 54 ? 0 : __VERIFIER_nondet_uchar();
    if (bitmap_open(&b, file, (uint32_t)size) != BMP_OK)
        return 1;
    assert(b.width >= 1 && b.height >= 1);
    assert(b.stride % 4 == 0 && b.stride * 8 >= (uint32_t)b.width * (uint32_t)b.bits);
    long long largest = b.bits == 24 ? 0xffffff : (1 << b.bits) - 1;
    long long sum = bitmap_sum(&b);
    assert(sum >= 0 && sum <= largest * b.width * b.height);
    return 0;
}
