/* Sparse vectors: sorted pairs of an index and a value in memory that grows; sums and inner products by merging. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define DIMENSION 100000
#define LIMIT 1000 /* of the absolute value of an entry */

struct entry {
    int index;
    int value;
};

struct vector {
    struct entry *entries;
    int count;
    int capacity;
};

static struct vector empty_vector(void) {
    struct vector v = {NULL, 0, 0};
    return v;
}

static void vector_free(struct vector *v) {
    free(v->entries);
    *v = empty_vector();
}

static int reserve(struct vector *v, int capacity) {
    if (capacity <= v->capacity)
        return 0;
    int larger = v->capacity == 0 ? 4 : v->capacity * 2;
    if (larger < capacity)
        larger = capacity;
    struct entry *entries = realloc(v->entries, (size_t)larger * sizeof *entries);
    if (entries == NULL)
        return -1;
    v->entries = entries;
    v->capacity = larger;
    return 0;
}

/* The first entry whose index is at least the given one. */
static int search(const struct vector *v, int index) {
    int low = 0, high = v->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (v->entries[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int vector_get(const struct vector *v, int index) {
    int at = search(v, index);
    return at < v->count && v->entries[at].index == index ? v->entries[at].value : 0;
}

static int vector_set(struct vector *v, int index, int value) {
    if (index < 0 || index >= DIMENSION || value < -LIMIT || value > LIMIT)
        return -1;
    int at = search(v, index);
    if (at < v->count && v->entries[at].index == index) {
        v->entries[at].value = value;
        return 0;
    }
    if (reserve(v, v->count + 1) != 0)
        return -1;
    for (int i = v->count; i > at; i--)
        v->entries[i] = v->entries[i - 1];
    v->entries[at].index = index;
    v->entries[at].value = value;
    v->count++;
    return 0;
}

static long long inner_product(const struct vector *a, const struct vector *b) {
    long long sum = 0;
    int i = 0, k = 0;
    while (i < a->count && k < b->count) {
        if (a->entries[i].index < b->entries[k].index) {
            i++;
        } else if (a->entries[i].index > b->entries[k].index) {
            k++;
        } else {
            sum += (long long)a->entries[i].value * b->entries[k].value;
            i++;
            k++;
        }
    }
    return sum;
}

int main(void) {
    struct vector a = empty_vector(), b = empty_vector();
    for (int i = 0; i < 40 && __VERIFIER_nondet_int(); i++) {
        struct vector *target = __VERIFIER_nondet_int() ? &a : &b;
        int index = __VERIFIER_nondet_int();
        int value = __VERIFIER_nondet_int();
        if (vector_set(target, index, value) == 0)
            assert(vector_get(target, index) == value);
        assert(target->count <= target->capacity);
    }
    assert(inner_product(&a, &a) >= 0);
    assert(inner_product(&a, &b) == inner_product(&b, &a));
    for (int i = 1; i < a.count; i++)
        assert(a.entries[i - 1].index < a.entries[i].index);
    vector_free(&a);
    vector_free(&b);
    return 0;
}
