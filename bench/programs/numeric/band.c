/* Product of a band matrix with a vector, and elimination in the band without pivoting, modulo a prime.
 *
 * Row i of the compact form holds the columns i - lower to i + upper of the full matrix (compare "banmul" in the
 * Numerical Recipes). Columns that fall off the matrix are skipped at both ends.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define PRIME 97
#define LARGEST 32
#define WIDEST 9

int band[LARGEST * WIDEST];
int vector[LARGEST];
int image[LARGEST];

void check(int index, int length) {
    if (!(0 <= index && index < length))
        reach_error();
}

int place(int row, int column, int length, int width) {
    check(row, length);
    check(column, width);
    return row * WIDEST + column;
}

int smaller(int one, int other) { return one < other ? one : other; }

int larger(int one, int other) { return one > other ? one : other; }

void multiply(int length, int lower, int upper) {
    int width = lower + upper + 1;
    for (int i = 0; i < length; i++) {
        int shift = i - lower;
        int last = smaller(width, length - shift);
        image[i] = 0;
        for (int j = larger(0, -shift); j < last; j++) {
            check(j + shift, length);
            image[i] = (image[i] + band[place(i, j, length, width)] * vector[j + shift]) % PRIME;
        }
    }
}

int inverse(int value) {
    int candidate = 1;
    while (candidate < PRIME && value * candidate % PRIME != 1)
        candidate++;
    return candidate % PRIME;
}

/* Rows below the pivot reach it through their columns left of the diagonal, nearest row first. */
void eliminate(int pivot, int length, int lower, int upper) {
    int width = lower + upper + 1;
    int scale = inverse(band[place(pivot, lower, length, width)]);
    int last = smaller(pivot + lower, length - 1);
    for (int row = pivot + 1; row <= last; row++) {
        int distance = row - pivot;
        int factor = band[place(row, lower - distance, length, width)] * scale % PRIME;
        for (int j = lower; j < width; j++) {
            int term = factor * band[place(pivot, j, length, width)] % PRIME;
            int here = place(row, j - distance, length, width);
            band[here] = (band[here] - term + PRIME) % PRIME;
        }
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    int lower = __VERIFIER_nondet_int();
    int upper = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= length && length <= LARGEST);
    __VERIFIER_assume(0 <= lower && lower <= 4 && 0 <= upper && upper <= 4);
    for (int i = 0; i < length; i++) {
        vector[i] = i % PRIME;
        for (int j = 0; j <= lower + upper; j++) {
            int entry = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= entry && entry < PRIME);
            band[place(i, j, length, lower + upper + 1)] = entry;
        }
    }
    multiply(length, lower, upper);
    for (int pivot = 0; pivot < length; pivot++)
        eliminate(pivot, length, lower, upper);
    return 0;
}
