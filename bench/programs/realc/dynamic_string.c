/* Strings that grow: length, capacity and a buffer that doubles. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define LARGEST 4096

struct string {
    char *data;
    int length;
    int capacity;
};

static int string_init(struct string *s, int capacity) {
    if (capacity < 1 || capacity > LARGEST)
        return -1;
    s->data = malloc((size_t)capacity);
    if (s->data == NULL)
        return -1;
    s->data[0] = '\0';
    s->length = 0;
    s->capacity = capacity;
    return 0;
}

static void string_free(struct string *s) {
    free(s->data);
    s->data = NULL;
    s->length = 0;
    s->capacity = 0;
}

/* Room for `more` characters and the zero behind them. */
static int string_reserve(struct string *s, int more) {
    if (more > LARGEST - s->length - 1)
        return -1;
    int needed = s->length + more + 1;
    if (needed <= s->capacity)
        return 0;
    int capacity = s->capacity;
    while (capacity < needed)
        capacity = capacity * 2;
    char *data = malloc((size_t)capacity);
    if (data == NULL)
        return -1;
    for (int i = 0; i <= s->length; i++)
        data[i] = s->data[i];
    free(s->data);
    s->data = data;
    s->capacity = capacity;
    return 0;
}

static int string_push(struct string *s, char c) {
    if (string_reserve(s, 1) != 0)
        return -1;
    s->data[s->length] = c;
    s->length++;
    s->data[s->length] = '\0';
    return 0;
}

static int string_repeat(struct string *s, char c, int times) {
    if (times < 0 || string_reserve(s, times) != 0)
        return -1;
    for (int i = 0; i < times; i++)
        s->data[s->length + i] = c;
    s->length += times;
    s->data[s->length] = '\0';
    return 0;
}

static void string_truncate(struct string *s, int length) {
    if (length >= 0 && length < s->length) {
        s->length = length;
        s->data[length] = '\0';
    }
}

int main(void) {
    struct string s;
    if (string_init(&s, 8) != 0)
        return 1;
    while (__VERIFIER_nondet_int()) {
        int before = s.length;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (string_push(&s, 'x') == 0)
                assert(s.length == before + 1);
            break;
        case 1: {
            int times = __VERIFIER_nondet_int();
            if (string_repeat(&s, (char)__VERIFIER_nondet_uchar(), times) == 0)
                assert(s.length == before + times);
            break;
        }
        default:
            string_truncate(&s, __VERIFIER_nondet_int());
            assert(s.length <= before);
        }
        assert(s.length < s.capacity);
    }
    string_free(&s);
    return 0;
}
