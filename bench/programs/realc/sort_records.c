/* Sorting records by any comparison: a stable merge sort with insertion for short pieces, and a search in the result. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define RECORDS_MAX 40
#define SHORT 4

typedef struct record {
    int key;
    int weight;
    int original; /* the place before sorting */
} record;

typedef int (*comparison)(const record *, const record *);

static int by_key(const record *a, const record *b) {
    return (a->key > b->key) - (a->key < b->key);
}

static int by_weight_descending(const record *a, const record *b) {
    return (b->weight > a->weight) - (b->weight < a->weight);
}

static void insertion_sort(record *r, int n, comparison compare) {
    for (int i = 1; i < n; i++) {
        record moved = r[i];
        int k = i - 1;
        while (k >= 0 && compare(&r[k], &moved) > 0) {
            r[k + 1] = r[k];
            k--;
        }
        r[k + 1] = moved;
    }
}

static void merge(record *r, int middle, int n, record *scratch, comparison compare) {
    int left = 0, right = middle, out = 0;
    for (int i = 0; i < middle; i++)
        scratch[i] = r[i];
    while (left < middle && right < n) {
        if (compare(&scratch[left], &r[right]) <= 0)
            r[out++] = scratch[left++];
        else
            r[out++] = r[right++];
    }
    while (left < middle)
        r[out++] = scratch[left++];
}

static void merge_sort(record *r, int n, record *scratch, comparison compare) {
    if (n <= SHORT) {
        insertion_sort(r, n, compare);
        return;
    }
    int middle = n / 2;
    merge_sort(r, middle, scratch, compare);
    merge_sort(r + middle, n - middle, scratch, compare);
    if (compare(&r[middle - 1], &r[middle]) > 0)
        merge(r, middle, n, scratch, compare);
}

static int sort_records(record *r, int n, comparison compare) {
    record *scratch = malloc((size_t)(n / 2 + 1) * sizeof *scratch);
    if (scratch == NULL)
        return -1;
    merge_sort(r, n, scratch, compare);
    free(scratch);
    return 0;
}

/* The first record with this key, or -1. */
static int find_key(const record *r, int n, int key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (r[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && r[low].key == key ? low : -1;
}

static void check_sorted(const record *r, int n, comparison compare) {
    for (int i = 1; i < n; i++) {
        int order = compare(&r[i - 1], &r[i]);
        assert(order <= 0);
        if (order == 0)
            assert(r[i - 1].original < r[i].original);
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > RECORDS_MAX)
        return 1;
    record *records = malloc((size_t)n * sizeof(record));
    if (records == NULL)
        return 1;
    for (int i = 0; i < n; i++) {
        records[i].key = __VERIFIER_nondet_int();
        records[i].weight = __VERIFIER_nondet_int();
        records[i].original = i;
    }
    int wanted = records[n / 2].key;
    int status = sort_records(records, n, __VERIFIER_nondet_int() ? by_weight_descending : by_key);
    if (status == 0 && by_key(&records[0], &records[n - 1]) > 0) {
        check_sorted(records, n, by_weight_descending);
        for (int i = 0; i < n; i++)
            records[i].original = i;
        status = sort_records(records, n, by_key);
    }
    if (status == 0 && find_key(records, n, wanted) == 0)
        assert(records[0].key == wanted);
    free(records);
    return 0;
}
