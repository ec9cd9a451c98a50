/* Quicksort with a partition around the first element of the range.
 *
 * Wrong: the walk from the left passes elements that are equal to the pivot and trusts that a larger one will stop it.
 * If the pivot is the largest of the range and the range ends the array, the walk leaves the array.
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
    int pivot = get(low);
    int i = low + 1;
    int j = high;
    while (i <= j) {
        while (get(i) <= pivot)
            i = i + 1;
        while (j > low && get(j) > pivot)
            j = j - 1;
        if (i < j)
            exchange(i, j);
    }
    exchange(low, j);
    return j;
}

void sort(int low, int high) {
    if (low < high) {
        int middle = partition(low, high);
        sort(low, middle - 1);
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
