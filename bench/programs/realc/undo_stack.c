/* Undo and redo for a text of fixed size: changes are kept in a ring, and the oldest are forgotten. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define TEXT 24
#define HISTORY 8

enum kind { INSERTED, REMOVED };

struct change {
    enum kind kind;
    int position;
    char character;
};

struct document {
    char text[TEXT];
    int length;
    struct change history[HISTORY];
    int first;  /* the oldest change */
    int undos;  /* changes that can be undone, from `first` on */
    int redos;  /* changes behind them that can be done again */
};

static void document_init(struct document *d) {
    memset(d, 0, sizeof *d);
}

static void raw_insert(struct document *d, int position, char c) {
    memmove(d->text + position + 1, d->text + position, (size_t)(d->length - position));
    d->text[position] = c;
    d->length++;
}

static char raw_remove(struct document *d, int position) {
    char removed = d->text[position];
    memmove(d->text + position, d->text + position + 1, (size_t)(d->length - position - 1));
    d->length--;
    return removed;
}

static struct change *change_at(struct document *d, int i) {
    return &d->history[(d->first + i) % HISTORY];
}

static void remember(struct document *d, enum kind kind, int position, char c) {
    if (d->undos == HISTORY)
        d->first = (d->first + 1) % HISTORY;
    else
        d->undos++;
    d->redos = 0;
    struct change *change = change_at(d, d->undos - 1);
    change->kind = kind;
    change->position = position;
    change->character = c;
}

static int document_insert(struct document *d, int position, char c) {
    if (position < 0 || position > d->length || d->length == TEXT)
        return -1;
    raw_insert(d, position, c);
    remember(d, INSERTED, position, c);
    return 0;
}

static int document_remove(struct document *d, int position) {
    if (position < 0 || position >= d->length)
        return -1;
    remember(d, REMOVED, position, raw_remove(d, position));
    return 0;
}

static void apply(struct document *d, const struct change *change, int backwards) {
    if ((change->kind == INSERTED) != backwards)
        raw_insert(d, change->position, change->character);
    else
        raw_remove(d, change->position);
}

static int document_undo(struct document *d) {
    if (d->undos == 0)
        return 0;
    d->undos--;
    d->redos++;
    apply(d, change_at(d, d->undos), 1);
    return 1;
}

static int document_redo(struct document *d) {
    if (d->redos == 0)
        return 0;
    apply(d, change_at(d, d->undos), 0);
    d->undos++;
    d->redos--;
    return 1;
}

int main(void) {
    struct document d, before;
    document_init(&d);
    while (__VERIFIER_nondet_int()) {
        int position = __VERIFIER_nondet_int();
        before = d;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (document_insert(&d, position, (char)__VERIFIER_nondet_uchar()) == 0) {
                assert(document_undo(&d) && d.length == before.length);
                assert(memcmp(d.text, before.text, (size_t)d.length) == 0);
                assert(document_redo(&d) && d.length == before.length + 1);
            }
            break;
        case 1:
            document_remove(&d, position);
            break;
        case 2:
            document_undo(&d);
            break;
        default:
            document_redo(&d);
        }
        assert(d.length >= 0 && d.length <= TEXT);
        assert(d.undos + d.redos <= HISTORY);
    }
    return 0;
}
