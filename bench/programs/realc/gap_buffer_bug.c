/* The buffer of a small editor: the text has a gap at the cursor, so that typing and deleting there cost little. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define INITIAL 8
#define LARGEST 256

typedef struct editor {
    char *buffer;
    size_t size;      /* of the buffer */
    size_t gap_begin; /* the cursor */
    size_t gap_end;
} editor;

static size_t editor_length(const editor *e) {
    return e->size - (e->gap_end - e->gap_begin);
}

static editor *editor_create(void) {
    editor *e = malloc(sizeof *e);
    if (e == NULL)
        return NULL;
    e->buffer = malloc(INITIAL);
    if (e->buffer == NULL) {
        free(e);
        return NULL;
    }
    e->size = INITIAL;
    e->gap_begin = 0;
    e->gap_end = INITIAL;
    return e;
}

static void editor_destroy(editor *e) {
    if (e != NULL) {
        free(e->buffer);
        free(e);
    }
}

static int editor_grow(editor *e) {
    size_t size = e->size * 2;
    size_t behind = e->size - e->gap_end;
    if (size > LARGEST)
        return -1;
    char *buffer = realloc(e->buffer, size);
    if (buffer == NULL)
        return -1;
    memmove(buffer + size - behind, buffer + e->gap_end, behind);
    e->buffer = buffer;
    e->gap_end = size - behind;
    e->size = size;
    return 0;
}

static int editor_type(editor *e, char c) {
    if (e->gap_begin > e->gap_end && editor_grow(e) != 0)
        return -1;
    e->buffer[e->gap_begin++] = c;
    return 0;
}

static void editor_move(editor *e, size_t position) {
    if (position > editor_length(e))
        position = editor_length(e);
    while (e->gap_begin > position)
        e->buffer[--e->gap_end] = e->buffer[--e->gap_begin];
    while (e->gap_begin < position)
        e->buffer[e->gap_begin++] = e->buffer[e->gap_end++];
}

static int editor_backspace(editor *e) {
    if (e->gap_begin == 0)
        return 0;
    e->gap_begin--;
    return 1;
}

static int editor_delete(editor *e) {
    if (e->gap_end == e->size)
        return 0;
    e->gap_end++;
    return 1;
}

static char editor_at(const editor *e, size_t position) {
    return position < e->gap_begin ? e->buffer[position] : e->buffer[position + (e->gap_end - e->gap_begin)];
}

int main(void) {
    editor *e = editor_create();
    if (e == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        size_t before = editor_length(e), position = e->gap_begin;
        char c = (char)__VERIFIER_nondet_uchar();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (editor_type(e, c) == 0) {
                assert(editor_length(e) == before + 1);
                assert(editor_at(e, position) == c);
            }
            break;
        case 1:
            editor_move(e, (size_t)(unsigned char)c);
            assert(editor_length(e) == before);
            break;
        case 2:
            assert(editor_length(e) + (size_t)editor_backspace(e) == before || e->gap_begin == position - 1);
            break;
        default:
            editor_delete(e);
        }
        assert(e->gap_begin <= e->gap_end && e->gap_end <= e->size);
    }
    editor_destroy(e);
    return 0;
}
