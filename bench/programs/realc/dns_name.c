/* Names in DNS messages: labels with their lengths, and pointers to names that came before; loops are refused. */
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define MESSAGE 64
#define NAME 40
#define LABEL_MAX 63
#define POINTER 0xc0

struct message {
    uint8_t bytes[MESSAGE];
    int size;
};

/* Decodes the name at `at` as text with points. Returns where the name ends in the message, or -1. */
static int read_name(const struct message *m, int at, char *name, int room)
{
    int n = 0;
    int end = -1; /* behind the first pointer */
    int limit = at; /* pointers must lead before this */

    for (;;) {
        if (at >= m->size)
            return -1;
        uint8_t length = m->bytes[at++];
        if (length == 0)
            break;
        if ((length & POINTER) == POINTER) {
            if (at >= m->size)
                return -1;
            int target = (length & ~POINTER) << 8 | m->bytes[at++];
            if (end < 0)
                end = at;
            if (target >= limit)
                return -1;
            limit = target;
            at = target;
            continue;
        }
        if (length > LABEL_MAX || length > m->size - at)
            return -1;
        if (n + length + 1 >= room)
            return -1;
        if (n > 0)
            name[n++] = '.';
        for (int i = 0; i < length; i++)
            name[n++] = (char)m->bytes[at++];
    }
    name[n] = '\0';
    return end < 0 ? at : end;
}

/* Appends a name without compression; returns 0 or -1. */
static int write_name(struct message *m, const char *name)
{
    int begin = m->size;
    while (*name != '\0') {
        int length = 0;
        while (name[length] != '\0' && name[length] != '.')
            length++;
        if (length == 0 || length > LABEL_MAX || length + 1 > MESSAGE - m->size) {
            m->size = begin;
            return -1;
        }
        m->bytes[m->size++] = (uint8_t)length;
        for (int i = 0; i < length; i++)
            m->bytes[m->size++] = (uint8_t)name[i];
        name += length;
        if (*name == '.')
            name++;
    }
    if (m->size == MESSAGE) {
        m->size = begin;
        return -1;
    }
    m->bytes[m->size++] = 0;
    return 0;
}

static int same_name(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a;
        int y = *b >= 'A' && *b <= 'Z' ? *b + 32 : *b;
        if (x != y)
            return 0;
    }
    return *a == *b;
}

int main(void)
{
    struct message m;
    char name[NAME], again[NAME];
    m.size = __VERIFIER_nondet_int();
    if (m.size < 0 || m.size > MESSAGE)
        return 1;
    for (int i = 0; i < m.size; i++)
        m.bytes[i] = __VERIFIER_nondet_uchar();
    int at = 0;
    while (at < m.size) {
        int end = read_name(&m, at, name, NAME);
        if (end < 0)
            return 1;
        assert(end > at && end <= m.size);
        at = end;
    }
    int begin = m.size;
    if (write_name(&m, "www.example.org") == 0) {
        assert(read_name(&m, begin, again, NAME) == m.size);
        assert(same_name(again, "WWW.example.org"));
    }
    assert(m.size <= MESSAGE);
    return 0;
}
