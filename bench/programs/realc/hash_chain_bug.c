/* A dictionary from strings to numbers: chains of entries, names are copied, and the table grows with its entries. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define NAME 6

struct entry {
    struct entry *next;
    uint32_t hash;
    int value;
    char *name;
};

struct dictionary {
    struct entry **buckets;
    size_t size; /* a power of two */
    size_t count;
};

static uint32_t hash_of(const char *name) {
    uint32_t h = 0;
    while (*name != '\0')
        h = h * 31 + (unsigned char)*name++;
    return h;
}

static int dictionary_init(struct dictionary *d, size_t size) {
    d->buckets = calloc(size, sizeof *d->buckets);
    d->size = size;
    d->count = 0;
    return d->buckets == NULL ? -1 : 0;
}

static void entry_free(struct entry *e) {
    free(e->name);
    free(e);
}

static void dictionary_free(struct dictionary *d) {
    for (size_t i = 0; i < d->size; i++) {
        struct entry *e = d->buckets[i];
        while (e != NULL) {
            struct entry *next = e->next;
            entry_free(e);
            e = next;
        }
    }
    free(d->buckets);
}

static struct entry **locate(const struct dictionary *d, const char *name, uint32_t hash) {
    struct entry **link = &d->buckets[hash & (d->size - 1)];
    while (*link != NULL && ((*link)->hash != hash || strcmp((*link)->name, name) != 0))
        link = &(*link)->next;
    return link;
}

static void grow(struct dictionary *d) {
    size_t size = d->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    if (buckets == NULL)
        return; /* slower, but correct */
    for (size_t i = 0; i < d->size; i++) {
        struct entry *e = d->buckets[i];
        while (e != NULL) {
            struct entry *next = e->next;
            e->next = buckets[e->hash & (size - 1)];
            buckets[e->hash & (size - 1)] = e;
            e = next;
        }
    }
    free(d->buckets);
    d->buckets = buckets;
    d->size = size;
}

static int dictionary_set(struct dictionary *d, const char *name, int value) {
    uint32_t hash = hash_of(name);
    struct entry **link = locate(d, name, hash);
    if (*link != NULL) {
        (*link)->value = value;
        return 0;
    }
    if (d->count >= d->size) {
        grow(d);
    }
    struct entry *e = malloc(sizeof *e);
    char *copy = malloc(strlen(name) + 1);
    if (e == NULL || copy == NULL) {
        free(e);
        free(copy);
        return -1;
    }
    strcpy(copy, name);
    e->name = copy;
    e->hash = hash;
    e->value = value;
    e->next = *link;
    *link = e;
    d->count++;
    return 0;
}

static int dictionary_remove(struct dictionary *d, const char *name) {
    struct entry **link = locate(d, name, hash_of(name));
    struct entry *e = *link;
    if (e == NULL)
        return 0;
    *link = e->next;
    entry_free(e);
    d->count--;
    return 1;
}

static int dictionary_get(const struct dictionary *d, const char *name, int *value) {
    const struct entry *e = *locate(d, name, hash_of(name));
    if (e != NULL)
        *value = e->value;
    return e != NULL;
}

int main(void) {
    struct dictionary d;
    char name[NAME + 1];
    if (dictionary_init(&d, 2) != 0)
        return 1;
    while (__VERIFIER_nondet_int()) {
        int n = 0, value = __VERIFIER_nondet_int(), found = 0;
        while (n < NAME && (name[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
            n++;
        name[n] = '\0';
        if (__VERIFIER_nondet_int()) {
            if (dictionary_set(&d, name, value) == 0)
                assert(dictionary_get(&d, name, &found) && found == value);
        } else {
            dictionary_remove(&d, name);
            assert(!dictionary_get(&d, name, &found));
        }
    }
    dictionary_free(&d);
    return 0;
}
