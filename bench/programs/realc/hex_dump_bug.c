/* Lines as hexdump writes them: an offset, sixteen bytes in hexadecimal, and the same bytes as text between bars. */
#include <assert.h>
#include <stddef.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define PER_LINE 16
#define OFFSET_DIGITS 8
/* offset, two spaces, bytes, an extra space in the middle, two bars with text, the zero */
#define LINE_SIZE (OFFSET_DIGITS + 2 + PER_LINE * 3 + 1 + PER_LINE + 1 + 1)

static const char hex_digits[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

static char *put_hex(char *out, unsigned value, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
        out[i] = hex_digits[value & 15];
        value >>= 4;
    }
    return out + digits;
}

static char printable(unsigned char byte) {
    return byte >= 0x20 && byte < 0x7f ? (char)byte : '.';
}

/* Writes one line for data[0 .. size), size at most PER_LINE; returns its length. */
static size_t dump_line(char *line, unsigned offset, const unsigned char *data, size_t size) {
    char *out = put_hex(line, offset, OFFSET_DIGITS);
    *out++ = ' ';
    *out++ = ' ';
    for (size_t i = 0; i < PER_LINE; i++) {
        if (i == PER_LINE / 2)
            *out++ = ' ';
        if (i < size) {
            out = put_hex(out, data[i], 2);
        } else {
            *out++ = ' ';
            *out++ = ' ';
        }
        *out++ = ' ';
    }
    *out++ = '|';
    for (size_t i = 0; i < size; i++)
        *out++ = printable(data[i]);
    *out++ = '|';
    *out = '\0';
    return (size_t)(out - line);
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the bytes of a line back; returns how many there were. */
static size_t parse_line(const char *line, unsigned char *data) {
    size_t count = 0;
    const char *in = line + OFFSET_DIGITS + 2;
    while (count < PER_LINE) {
        if (count == PER_LINE / 2)
            in++;
        int high = digit_value(in[0]);
        int low = high < 0 ? -1 : digit_value(in[1]);
        if (low < 0)
            break;
        data[count++] = (unsigned char)(high << 4 | low);
        in += 3;
    }
    return count;
}

int main(void) {
    unsigned char data[40], back[PER_LINE];
    char line[LINE_SIZE];
    size_t size = __VERIFIER_nondet_uint() % (sizeof data + 1);
    for (size_t i = 0; i < size; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (size_t offset = 0; offset < size; offset += PER_LINE) {
        size_t count = size - offset < PER_LINE ? size - offset : PER_LINE;
        size_t length = dump_line(line, (unsigned)offset, data + offset, count);
        assert(length <= OFFSET_DIGITS + PER_LINE * 4 + 5);
        assert(parse_line(line, back) == count);
        for (size_t i = 0; i < count; i++)
            assert(back[i] == data[offset + i]);
    }
    return 0;
}
