/* A small formatter: %d, %u, %x, %c, %s and %%, with a width and zeros, into a buffer of given size that always ends in
   a zero; the result is the length that would have been needed. */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define ROOM 24

struct output {
    char *buffer;
    size_t size;
    size_t length; /* may exceed the size */
};

static void put(struct output *out, char c) {
    if (out->length + 1 < out->size)
        out->buffer[out->length] = c;
    out->length++;
}

static void put_padded(struct output *out, const char *text, size_t length, size_t width, char fill) {
    if (fill == '0' && length > 0 && *text == '-') {
        put(out, '-');
        text++;
        length--;
        width = width > 0 ? width - 1 : 0;
    }
    for (size_t i = length; i < width; i++)
        put(out, fill);
    for (size_t i = 0; i < length; i++)
        put(out, text[i]);
}

static void put_number(struct output *out, unsigned value, int negative, unsigned base, size_t width, char fill) {
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (negative)
        digits[--at] = '-';
    put_padded(out, digits + at, sizeof digits - at, width, fill);
}

static size_t text_length(const char *text) {
    const char *end = text;
    while (*end != '\0')
        end++;
    return (size_t)(end - text);
}

static size_t format(char *buffer, size_t size, const char *pattern, ...) {
    struct output out = {buffer, size, 0};
    va_list arguments;
    va_start(arguments, pattern);
    for (; *pattern != '\0'; pattern++) {
        if (*pattern != '%') {
            put(&out, *pattern);
            continue;
        }
        pattern++;
        char fill = *pattern == '0' ? '0' : ' ';
        size_t width = 0;
        while (*pattern >= '0' && *pattern <= '9')
            width = width * 10 + (size_t)(*pattern++ - '0');
        if (*pattern == 'd') {
            int value = va_arg(arguments, int);
            put_number(&out, value < 0 ? 0u - (unsigned)value : (unsigned)value, value < 0, 10, width, fill);
        } else if (*pattern == 'u' || *pattern == 'x') {
            put_number(&out, va_arg(arguments, unsigned), 0, *pattern == 'u' ? 10 : 16, width, fill);
        } else if (*pattern == 'c') {
            char c = (char)va_arg(arguments, int);
            put_padded(&out, &c, 1, width, ' ');
        } else if (*pattern == 's') {
            const char *text = va_arg(arguments, const char *);
            put_padded(&out, text, text_length(text), width, ' ');
        } else if (*pattern == '%') {
            put(&out, '%');
        } else {
            break; /* an unknown conversion ends the text */
        }
    }
    va_end(arguments);
    if (size > 0)
        buffer[out.length < size ? out.length : size - 1] = '\0';
    return out.length;
}

int main(void) {
    char text[ROOM];
    int number = __VERIFIER_nondet_int();
    unsigned bits = __VERIFIER_nondet_uint();
    size_t size = __VERIFIER_nondet_uint() % (ROOM + 1);
    size_t needed = format(text, size, "%d: %08x", number, bits);
    assert(needed >= 11 && needed <= 21);
    if (size > 0)
        assert(text_length(text) == (needed < size ? needed : size - 1));
    needed = format(text, sizeof text, "%s=%5u%%%c", "load", bits % 101, '!');
    assert(needed == 12 && text[11] == '!' && text[12] == '\0');
    needed = format(text, sizeof text, "%04d", number % 1000);
    assert(needed == 4);
    assert(number % 1000 >= 0 ? text[0] == '0' : text[0] == '-');
    return 0;
}
