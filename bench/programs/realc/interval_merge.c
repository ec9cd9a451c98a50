/* Sets of numbers as sorted intervals that neither touch nor overlap; what is added is merged with its neighbours. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_INTERVALS 12

struct interval {
    int low;
    int high; /* inclusive */
};

struct interval_set {
    struct interval items[MAX_INTERVALS];
    int count;
};

/* The first interval that ends at or behind `value`, or the count. */
static int lower_bound(const struct interval_set *set, int value) {
    int low = 0, high = set->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (set->items[middle].high < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool contains(const struct interval_set *set, int value) {
    int i = lower_bound(set, value);
    return i < set->count && set->items[i].low <= value;
}

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

static int insert_at(struct interval_set *set, int at, int low, int high) {
    if (set->count == MAX_INTERVALS)
        return -1;
    for (int i = set->count; i > at; i--)
        set->items[i] = set->items[i - 1];
    set->items[at].low = low;
    set->items[at].high = high;
    set->count++;
    return 0;
}

static void remove_range(struct interval_set *set, int from, int to) {
    int removed = to - from;
    for (int i = to; i < set->count; i++)
        set->items[i - removed] = set->items[i];
    set->count -= removed;
}

static int add(struct interval_set *set, int low, int high) {
    if (low > high)
        return 0;
    int from = lower_bound(set, low == INT_MIN ? low : low - 1);
    int to = from;
    while (to < set->count && (high == INT_MAX || set->items[to].low <= high + 1)) {
        low = least(low, set->items[to].low);
        high = greatest(high, set->items[to].high);
        to++;
    }
    if (to == from)
        return insert_at(set, from, low, high);
    set->items[from].low = low;
    set->items[from].high = high;
    remove_range(set, from + 1, to);
    return 0;
}

static void check(const struct interval_set *set) {
    assert(set->count >= 0 && set->count <= MAX_INTERVALS);
    for (int i = 0; i < set->count; i++) {
        assert(set->items[i].low <= set->items[i].high);
        if (i > 0)
            assert(set->items[i - 1].high < set->items[i].low);
    }
}

/* The number of members, as long as it fits. */
static long long measure(const struct interval_set *set) {
    long long sum = 0;
    for (int i = 0; i < set->count; i++)
        sum += (long long)set->items[i].high - set->items[i].low + 1;
    return sum;
}

int main(void) {
    struct interval_set set;
    set.count = 0;
    for (int i = 0; i < 100 && __VERIFIER_nondet_int(); i++) {
        int low = __VERIFIER_nondet_int();
        int high = __VERIFIER_nondet_int();
        long long before = measure(&set);
        if (add(&set, low, high) == 0 && low <= high) {
            assert(contains(&set, low) && contains(&set, high));
            assert(measure(&set) >= before);
        }
        check(&set);
    }
    return 0;
}
