/* A builder for long texts: pieces are collected in a list of chunks and joined once at the end. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define CHUNK 16
#define PIECE 40

struct chunk {
    struct chunk *next;
    size_t used;
    char data[CHUNK];
};

struct builder {
    struct chunk *first;
    struct chunk *last;
    size_t length;
    int failed;
};

static void builder_init(struct builder *b) {
    b->first = b->last = NULL;
    b->length = 0;
    b->failed = 0;
}

static struct chunk *chunk_new(void) {
    struct chunk *c = malloc(sizeof *c);
    if (c != NULL) {
        c->next = NULL;
        c->used = 0;
    }
    return c;
}

/* A chunk with room for at least one character. */
static struct chunk *writable(struct builder *b) {
    if (b->last != NULL && b->last->used < CHUNK)
        return b->last;
    struct chunk *c = chunk_new();
    if (c == NULL) {
        b->failed = 1;
        return NULL;
    }
    if (b->first == NULL)
        b->first = c;
    else if (b->last != b->first)
        b->last->next = c;
    b->last = c;
    return c;
}

static void builder_append(struct builder *b, const char *text, size_t length) {
    while (length > 0 && !b->failed) {
        struct chunk *c = writable(b);
        if (c == NULL)
            return;
        size_t room = CHUNK - c->used;
        size_t part = length < room ? length : room;
        memcpy(c->data + c->used, text, part);
        c->used += part;
        b->length += part;
        text += part;
        length -= part;
    }
}

static void builder_append_number(struct builder *b, unsigned value) {
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    builder_append(b, digits + at, sizeof digits - at);
}

static void builder_free(struct builder *b) {
    while (b->first != NULL) {
        struct chunk *next = b->first->next;
        free(b->first);
        b->first = next;
    }
    builder_init(b);
}

/* All that was appended, as one string which is the caller's; the builder is empty again. */
static char *builder_finish(struct builder *b) {
    char *text = b->failed ? NULL : malloc(b->length + 1);
    size_t at = 0;
    if (text != NULL) {
        for (const struct chunk *c = b->first; c != NULL; c = c->next) {
            memcpy(text + at, c->data, c->used);
            at += c->used;
        }
        text[at] = '\0';
    }
    builder_free(b);
    return text;
}

int main(void) {
    struct builder b;
    size_t expected = 0;
    char piece[PIECE];
    builder_init(&b);
    for (int i = 0; i < 30 && __VERIFIER_nondet_int(); i++) {
        if (__VERIFIER_nondet_int()) {
            size_t length = __VERIFIER_nondet_uchar() % (PIECE + 1);
            memset(piece, 'a' + i % 26, length);
            builder_append(&b, piece, length);
            expected += length;
        } else {
            builder_append_number(&b, __VERIFIER_nondet_uchar());
            expected = b.length;
        }
    }
    int failed = b.failed;
    char *text = builder_finish(&b);
    if (text != NULL) {
        assert(!failed && strlen(text) == expected);
        free(text);
    }
    assert(b.first == NULL && b.length == 0);
    return 0;
}
