/* Gaussian elimination with a search for a pivot, modulo a prime, and back substitution.
 *
 * The matrix has one more column than rows: the right-hand side.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define PRIME 97
#define LARGEST 16
#define STRIDE (LARGEST + 1)

int matrix[LARGEST * STRIDE];
int solution[LARGEST];

int place(int row, int column, int size) {
    if (!(0 <= row && row < size))
        reach_error();
    if (!(0 <= column && column <= size))
        reach_error();
    return row * STRIDE + column;
}

int inverse(int value) {
    int candidate = 1;
    while (candidate < PRIME && value * candidate % PRIME != 1)
        candidate++;
    return candidate % PRIME;
}

int find_pivot(int column, int size) {
    int row = column;
    while (row < size && matrix[place(row, column, size)] == 0)
        row++;
    return row;
}

void exchange_rows(int one, int other, int size) {
    for (int j = 0; j <= size; j++) {
        int kept = matrix[place(one, j, size)];
        matrix[place(one, j, size)] = matrix[place(other, j, size)];
        matrix[place(other, j, size)] = kept;
    }
}

void eliminate(int pivot, int size) {
    int scale = inverse(matrix[place(pivot, pivot, size)]);
    for (int i = pivot + 1; i < size; i++) {
        int factor = matrix[place(i, pivot, size)] * scale % PRIME;
        for (int j = pivot; j <= size; j++) {
            int term = factor * matrix[place(pivot, j, size)] % PRIME;
            int entry = matrix[place(i, j, size)];
            matrix[place(i, j, size)] = (entry - term + PRIME) % PRIME;
        }
    }
}

int triangulate(int size) {
    for (int column = 0; column < size; column++) {
        int row = find_pivot(column, size);
        if (row == size)
            return 0;
        if (row != column)
            exchange_rows(row, column, size);
        eliminate(column, size);
    }
    return 1;
}

void substitute(int size) {
    for (int i = size - 1; i >= 0; i--) {
        int rest = matrix[place(i, size, size)];
        for (int j = i + 1; j < size; j++) {
            if (!(0 <= j && j < size))
                reach_error();
            rest = (rest - matrix[place(i, j, size)] * solution[j] % PRIME + PRIME) % PRIME;
        }
        if (!(0 <= i && i < size))
            reach_error();
        solution[i] = rest * inverse(matrix[place(i, i, size)]) % PRIME;
    }
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= size && size <= LARGEST);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j <= size; j++) {
            int entry = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= entry && entry < PRIME);
            matrix[place(i, j, size)] = entry;
        }
    }
    if (triangulate(size))
        substitute(size);
    return 0;
}
