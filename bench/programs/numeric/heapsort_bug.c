/* Heapsort of an array (Williams; Floyd, 1964): build a heap by sifting down, then move the largest to the end.
 *
 * Wrong: the right child is looked at whenever there is a left one, so an even length is read one too far.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define LARGEST 64

int heap[LARGEST + 1];

void check(int index, int length) {
    if (!(0 <= index && index < length))
        reach_error();
}

int get(int index, int length) {
    check(index, length);
    return heap[index];
}

void put(int index, int value, int length) {
    check(index, length);
    heap[index] = value;
}

void sift_down(int root, int last, int length) {
    int value = get(root, length);
    int child = 2 * root + 1;
    while (child <= last) {
        if (child <= last && get(child, length) < get(child + 1, length))
            child = child + 1;
        if (get(child, length) <= value)
            break;
        put(root, get(child, length), length);
        root = child;
        child = 2 * root + 1;
    }
    put(root, value, length);
}

void sort(int length) {
    for (int root = length / 2 - 1; root >= 0; root--)
        sift_down(root, length - 1, length);
    for (int last = length - 1; last > 0; last--) {
        int largest = get(0, length);
        put(0, get(last, length), length);
        put(last, largest, length);
        sift_down(0, last - 1, length);
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        put(i, __VERIFIER_nondet_int(), length);
    sort(length);
    return 0;
}
