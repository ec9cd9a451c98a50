/* Splits lines of comma-separated values: fields in quotation marks may hold commas, and quotation marks twice. */
#include <assert.h>
#include <string.h>

#define LINE 48
#define FIELDS 6

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct field {
    const char *text;
    size_t length;
};

struct record {
    struct field fields[FIELDS];
    int count;
    int overflow;
};

static void add_field(struct record *record, const char *text, size_t length) {
    if (record->count > FIELDS) {
        record->overflow = 1;
        return;
    }
    record->fields[record->count].text = text;
    record->fields[record->count].length = length;
    record->count++;
}

/* The end of a field that begins at `begin`, in place: doubled quotation marks become one. */
static char *unquote(char *begin, size_t *length) {
    char *from = begin, *to = begin;
    size_t written = 0;
    while (*from != '\0') {
        if (*from == '"') {
            if (from[1] != '"')
                break;
            from++;
        }
        *to++ = *from++;
        written++;
    }
    *length = written;
    return *from == '"' ? from + 1 : from;
}

static char *plain(char *begin, size_t *length) {
    char *end = begin;
    while (*end != '\0' && *end != ',')
        end++;
    *length = (size_t)(end - begin);
    return end;
}

static int split(struct record *record, char *line) {
    char *position = line;
    record->count = 0;
    record->overflow = 0;
    for (;;) {
        size_t length = 0;
        char *end;
        if (*position == '"') {
            end = unquote(position + 1, &length);
            add_field(record, position + 1, length);
        } else {
            end = plain(position, &length);
            add_field(record, position, length);
        }
        if (*end != ',')
            return *end == '\0' ? record->count : -1;
        position = end + 1;
    }
}

static size_t longest(const struct record *record) {
    size_t most = 0;
    for (int i = 0; i < record->count; i++)
        if (record->fields[i].length > most)
            most = record->fields[i].length;
    return most;
}

int main(void) {
    char line[LINE];
    struct record record;
    int n = 0;
    while (n < LINE - 1) {
        line[n] = (char)__VERIFIER_nondet_uchar();
        if (line[n] == '\0')
            break;
        n++;
    }
    line[n] = '\0';
    int fields = split(&record, line);
    assert(fields <= FIELDS);
    assert(record.count >= 0 && record.count <= FIELDS);
    longest(&record);
    return 0;
}
