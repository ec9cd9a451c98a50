/* Quicksort (Hoare, 1961) with the partition that walks from both ends towards each other.
 *
 * The pivot is an element of the range, so both walks meet an element that stops them.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define LARGEST 64

int length;
int values[LARGEST];

void check(int index) {
    if (!(0 <= index && index < length))
        reach_error();
}

int get(int index) {
    check(index);
    return values[index];
}

void exchange(int one, int other) {
    int kept = get(one);
    values[one] = get(other);
    values[other] = kept;
}

int partition(int low, int high) {
    int pivot = get(low + (high - low) / 2);
    int i = low - 1;
    int j = high + 1;
    for (;;) {
        do {
            i = i + 1;
        } while (get(i) < pivot);
        do {
            j = j - 1;
        } while (get(j) > pivot);
        if (i >= j)
            return j;
        exchange(i, j);
    }
}

void sort(int low, int high) {
    if (low < high) {
        int middle = partition(low, high);
        sort(low, middle);
        sort(middle + 1, high);
    }
}

int main(void) {
    length = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        values[i] = __VERIFIER_nondet_int();
    sort(0, length - 1);
    return 0;
}
