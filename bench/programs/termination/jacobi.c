/* The loops of Jacobi's method for eigenvalues, modulo a prime: at most `sweeps` sweeps, in each all pairs of a row and a
 * later column, in each rotation four runs over the matrix (compare the row jacobi of Table 1). A sweep that changes
 * nothing ends the method early.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define LARGEST 10
#define PRIME 97

int matrix[LARGEST * LARGEST];

void turn(int one, int other) {
    int kept = matrix[one];
    matrix[one] = (kept + 2 * matrix[other]) % PRIME;
    matrix[other] = (matrix[other] + 3 * kept) % PRIME;
}

void rotate(int p, int q, int size) {
    for (int j = 0; j < p; j++)
        turn(j * LARGEST + p, j * LARGEST + q);
    for (int j = p + 1; j < q; j++)
        turn(p * LARGEST + j, j * LARGEST + q);
    for (int j = q + 1; j < size; j++)
        turn(p * LARGEST + j, q * LARGEST + j);
    for (int j = size - 1; j >= 0; j--)
        matrix[j * LARGEST + j] = matrix[j * LARGEST + j] % PRIME;
}

int sweep(int size) {
    int changed = 0;
    for (int p = 0; p < size - 1; p++) {
        for (int q = p + 1; q < size; q++) {
            if (matrix[p * LARGEST + q] != 0) {
                rotate(p, q, size);
                changed = 1;
            }
        }
    }
    return changed;
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    int sweeps = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= size && size <= LARGEST);
    for (int i = 0; i < size; i++) {
        for (int j = i; j < size; j++) {
            int entry = __VERIFIER_nondet_int();
            matrix[i * LARGEST + j] = 0 <= entry && entry < PRIME ? entry : 1;
        }
    }
    while (sweeps > 0 && sweep(size))
        sweeps = sweeps - 1;
    return 0;
}
