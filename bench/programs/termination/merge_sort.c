/* Merge sort: recursion on halves, and a merge loop that advances one of two cursors. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define LARGEST 64

int values[LARGEST];
int scratch[LARGEST];

void merge(int low, int middle, int high) {
    int one = low;
    int other = middle;
    int to = low;
    while (one < middle || other < high) {
        int take_one = other >= high || (one < middle && values[one] <= values[other]);
        if (take_one) {
            scratch[to] = values[one];
            one = one + 1;
        } else {
            scratch[to] = values[other];
            other = other + 1;
        }
        to = to + 1;
    }
    for (int i = low; i < high; i++)
        values[i] = scratch[i];
}

void sort(int low, int high) {
    if (high - low > 1) {
        int middle = low + (high - low) / 2;
        sort(low, middle);
        sort(middle, high);
        merge(low, middle, high);
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        values[i] = __VERIFIER_nondet_int();
    sort(0, length);
    return 0;
}
