/* An INI parser: sections, keys and values, copied into buffers of fixed size, long ones cut off. */
#include <assert.h>

#define LINE 40
#define NAME 12
#define VALUE 16

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

struct entry {
    char section[NAME];
    char key[NAME];
    char value[VALUE];
};

static int is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static int skip_spaces(const char *line, int i) {
    while (is_space(line[i]))
        i++;
    return i;
}

static int trim_end(const char *line, int begin, int end) {
    while (end > begin && is_space(line[end - 1]))
        end--;
    return end;
}

static int find(const char *line, int i, char wanted) {
    while (line[i] != '\0' && line[i] != wanted && line[i] != ';')
        i++;
    return i;
}

/* Copies line[begin..end) and a zero; at most size - 1 characters. */
static int copy(char *target, int size, const char *line, int begin, int end) {
    int n = 0;
    while (begin + n < end && n < size) {
        target[n] = line[begin + n];
        n++;
    }
    target[n] = '\0';
    return n;
}

/* 1: a value, 0: nothing or a section, -1: an error. */
static int parse_line(struct entry *entry, const char *line) {
    int i = skip_spaces(line, 0);
    if (line[i] == '\0' || line[i] == ';' || line[i] == '#')
        return 0;
    if (line[i] == '[') {
        int end = find(line, i + 1, ']');
        if (line[end] != ']')
            return -1;
        copy(entry->section, NAME, line, i + 1, end);
        return 0;
    }
    int equals = find(line, i, '=');
    if (line[equals] != '=')
        return -1;
    if (copy(entry->key, NAME, line, i, trim_end(line, i, equals)) == 0)
        return -1;
    int begin = skip_spaces(line, equals + 1);
    int end = find(line, begin, ';');
    copy(entry->value, VALUE, line, begin, trim_end(line, begin, end));
    return 1;
}

static void read_line(char *line, int size) {
    int n = 0;
    while (n < size - 1) {
        char c = (char)__VERIFIER_nondet_uchar();
        if (c == '\n' || c == '\0')
            break;
        line[n] = c;
        n++;
    }
    line[n] = '\0';
}

int main(void) {
    struct entry entry;
    char line[LINE];
    int lines = 0, values = 0, errors = 0;
    entry.section[0] = '\0';
    entry.key[0] = '\0';
    entry.value[0] = '\0';
    while (lines < 1000 && __VERIFIER_nondet_int()) {
        read_line(line, LINE);
        int status = parse_line(&entry, line);
        lines++;
        if (status > 0)
            values++;
        else if (status < 0)
            errors++;
    }
    assert(values + errors <= lines);
    return 0;
}
