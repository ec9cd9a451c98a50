/* Solves a tridiagonal system modulo a prime by elimination and back substitution (Thomas' algorithm), twice: the second
 * time for a cyclic system, by a correction with one more right-hand side (Sherman and Morrison).
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define PRIME 101
#define LARGEST 32

int below[LARGEST];
int diagonal[LARGEST];
int above[LARGEST];
int right[LARGEST];
int ratio[LARGEST];
int solution[LARGEST];
int correction[LARGEST];

void check(int index, int length) {
    if (!(0 <= index && index < length))
        reach_error();
}

int read_residue(void) {
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= value && value < PRIME);
    return value;
}

int minus(int one, int other) { return (one - other + PRIME) % PRIME; }

int divide(int value, int by) {
    int quotient = 0;
    while (quotient < PRIME && quotient * by % PRIME != value)
        quotient++;
    return quotient % PRIME;
}

int solve(int length) {
    int pivot = diagonal[0];
    if (pivot == 0)
        return 0;
    solution[0] = divide(right[0], pivot);
    for (int j = 1; j < length; j++) {
        check(j - 1, length);
        check(j, length);
        ratio[j] = divide(above[j - 1], pivot);
        pivot = minus(diagonal[j], below[j] * ratio[j] % PRIME);
        if (pivot == 0)
            return 0;
        solution[j] = divide(minus(right[j], below[j] * solution[j - 1] % PRIME), pivot);
    }
    for (int j = length - 2; j >= 0; j--) {
        check(j, length);
        check(j + 1, length);
        solution[j] = minus(solution[j], ratio[j + 1] * solution[j + 1] % PRIME);
    }
    return 1;
}

void solve_cyclic(int length, int corner_low, int corner_high) {
    for (int i = 0; i < length; i++) {
        check(i, length);
        correction[i] = solution[i];
        right[i] = 0;
    }
    right[0] = 1;
    check(length - 1, length);
    right[length - 1] = corner_low;
    if (!solve(length))
        return;
    int weight = (solution[0] + corner_high * solution[length - 1]) % PRIME;
    int scale = minus(1, weight) == 0 ? 1 : minus(1, weight);
    int factor = divide((correction[0] + corner_high * correction[length - 1]) % PRIME, scale);
    for (int i = length - 1; i >= 0; i--) {
        check(i, length);
        correction[i] = minus(correction[i], factor * solution[i] % PRIME);
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(2 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++) {
        below[i] = read_residue();
        diagonal[i] = read_residue();
        above[i] = read_residue();
        right[i] = read_residue();
    }
    if (solve(length))
        solve_cyclic(length, read_residue(), read_residue());
    return 0;
}
