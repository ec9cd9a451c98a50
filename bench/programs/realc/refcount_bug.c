/* Strings that are shared: every copy counts, a change makes a copy of its own first, the last owner frees. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define VARIABLES 4
#define LONGEST 32

struct text {
    int owners;
    int length;
    char *characters;
};

static int live_texts;

static struct text *text_new(const char *characters, int length) {
    struct text *t = malloc(sizeof *t);
    if (t == NULL)
        return NULL;
    t->characters = malloc((size_t)length + 1);
    if (t->characters == NULL) {
        free(t);
        return NULL;
    }
    memcpy(t->characters, characters, (size_t)length);
    t->characters[length] = '\0';
    t->length = length;
    t->owners = 1;
    live_texts++;
    return t;
}

static struct text *text_share(struct text *t) {
    if (t != NULL)
        t->owners++;
    return t;
}

static void text_release(struct text *t) {
    if (t == NULL || --t->owners > 0)
        return;
    free(t->characters);
    free(t);
    live_texts--;
}

/* Makes `*variable` the only owner of what it has. */
static int text_detach(struct text **variable) {
    struct text *old = *variable;
    if (old->owners == 1)
        return 0;
    struct text *own = text_new(old->characters, old->length);
    if (own == NULL)
        return -1;
    text_release(old);
    *variable = own;
    return 0;
}

static int text_set(struct text **variable, int at, char c) {
    if (*variable == NULL || at < 0 || at >= (*variable)->length || c == '\0')
        return -1;
    if (text_detach(variable) != 0)
        return -1;
    (*variable)->characters[at] = c;
    return 0;
}

static void assign(struct text **target, struct text *source) {
    text_release(*target);
    *target = text_share(source);
}

static int pick(void) {
    int i = __VERIFIER_nondet_int();
    return i >= 0 && i < VARIABLES ? i : 0;
}

int main(void) {
    struct text *variables[VARIABLES] = {NULL, NULL, NULL, NULL};
    while (__VERIFIER_nondet_int()) {
        int a = pick(), b = pick();
        switch (__VERIFIER_nondet_int()) {
        case 0: {
            int length = __VERIFIER_nondet_uchar() % LONGEST;
            char content[LONGEST];
            memset(content, 'a' + b, (size_t)length);
            struct text *t = text_new(content, length);
            assign(&variables[a], t);
            text_release(t);
            break;
        }
        case 1:
            assign(&variables[a], variables[b]);
            assert(variables[a] == variables[b]);
            break;
        case 2: {
            char before = variables[b] != NULL ? variables[b]->characters[0] : '\0';
            if (text_set(&variables[a], 0, 'z') == 0 && a != b && variables[b] != NULL)
                assert(variables[b]->characters[0] == before);
            break;
        }
        default:
            assign(&variables[a], NULL);
            assert(variables[a] == NULL);
        }
        assert(live_texts >= 0 && live_texts <= VARIABLES);
    }
    for (int i = 0; i < VARIABLES; i++)
        text_release(variables[i]);
    assert(live_texts == 0);
    return 0;
}
