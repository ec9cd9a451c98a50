/* Binary search that keeps the middle in the range: a range of two elements is never made smaller. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define LARGEST 32

int table[LARGEST];

int find_last_not_above(int key, int low, int high) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] <= key)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        table[i] = __VERIFIER_nondet_int();
    for (int i = 0; i + 1 < length; i++)
        __VERIFIER_assume(table[i] <= table[i + 1]);
    int key = __VERIFIER_nondet_int();
    int found = find_last_not_above(key, 0, length - 1);
    return table[found] == key;
}
