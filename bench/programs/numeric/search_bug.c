/* Search in a sorted table, first by doubling steps and then by halving the range, as a table lookup for interpolation
 * does (compare "hunt" in the Numerical Recipes).
 *
 * Wrong: the loop goes on while the range is not empty, as if the upper end were a candidate.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define LARGEST 64

int table[LARGEST];
int length;

int get(int index) {
    if (!(0 <= index && index < length))
        reach_error();
    return table[index];
}

/* The largest i between low and high with table[i] <= key, if table[low] <= key. */
int bisect(int low, int high, int key) {
    while (high > low) {
        int middle = low + (high - low) / 2;
        if (get(middle) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The largest i with table[i] <= key, or -1; near the guess if it is a good one. */
int hunt(int key, int guess) {
    int low = guess;
    int step = 1;
    if (key < get(0))
        return -1;
    if (get(low) > key) {
        while (low > 0 && get(low) > key) {
            low = low - step;
            step = 2 * step;
            if (low < 0)
                low = 0;
        }
        return bisect(low, guess, key);
    }
    int high = low;
    while (high < length && get(high) <= key) {
        low = high;
        high = high + step;
        step = 2 * step;
        if (high > length)
            high = length;
    }
    return bisect(low, high, key);
}

int main(void) {
    length = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        table[i] = __VERIFIER_nondet_int();
    for (int i = 0; i + 1 < length; i++)
        __VERIFIER_assume(table[i] <= table[i + 1]);
    int key = __VERIFIER_nondet_int();
    int guess = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= guess && guess < length);
    int found = hunt(key, guess);
    if (found >= 0)
        get(found);
    return 0;
}
