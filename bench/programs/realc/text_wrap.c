/* Breaks a text into lines of a given width: words are kept together unless they are longer than a line. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define TEXT_MAX 60
#define WIDTH_MAX 30

struct lines {
    char **line;
    size_t count;
    size_t capacity;
};

static int lines_add(struct lines *lines, const char *begin, size_t length) {
    if (lines->count == lines->capacity) {
        size_t capacity = lines->capacity == 0 ? 4 : 2 * lines->capacity;
        char **grown = realloc(lines->line, capacity * sizeof *grown);
        if (grown == NULL)
            return -1;
        lines->line = grown;
        lines->capacity = capacity;
    }
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return -1;
    memcpy(copy, begin, length);
    copy[length] = '\0';
    lines->line[lines->count++] = copy;
    return 0;
}

static void lines_free(struct lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i]);
    free(lines->line);
    lines->line = NULL;
    lines->count = lines->capacity = 0;
}

/* How much of the text goes on the next line. */
static size_t break_at(const char *text, size_t width) {
    size_t best = 0;
    for (size_t i = 0; i <= width; i++) {
        if (text[i] == '\0' || text[i] == '\n')
            return i;
        if (text[i] == ' ')
            best = i;
    }
    return best > 0 ? best : width;
}

static int wrap(struct lines *lines, const char *text, size_t width) {
    while (*text != '\0') {
        size_t length = break_at(text, width);
        const char *next = text + length;
        size_t shown = length;
        while (shown > 0 && text[shown - 1] == ' ')
            shown--;
        if (lines_add(lines, text, shown) != 0)
            return -1;
        if (*next == '\n') {
            next++;
        } else {
            while (*next == ' ')
                next++;
        }
        text = next;
    }
    return 0;
}

int main(void) {
    char text[TEXT_MAX + 1];
    struct lines lines = {NULL, 0, 0};
    int width = __VERIFIER_nondet_int();
    if (width < 1 || width > WIDTH_MAX)
        return 1;
    int n = 0, letters = 0, kept = 0;
    while (n < TEXT_MAX && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0') {
        letters += text[n] != ' ' && text[n] != '\n';
        n++;
    }
    text[n] = '\0';
    int status = wrap(&lines, text, (size_t)width);
    for (size_t i = 0; i < lines.count; i++) {
        size_t length = strlen(lines.line[i]);
        assert(length <= (size_t)width);
        for (size_t k = 0; k < length; k++)
            kept += lines.line[i][k] != ' ';
    }
    assert(status != 0 || kept == letters);
    assert(lines.count <= lines.capacity);
    lines_free(&lines);
    return 0;
}
