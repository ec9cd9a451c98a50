/* The average of secret numbers may be known (after Sabelfeld and Sands, JCS 2009): the sum is released, and the report is
 * computed from it and from public data alone.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define LARGEST 32

int wages[LARGEST];

int sum(int from, int to) {
    if (to - from <= 0)
        return 0;
    if (to - from == 1)
        return wages[from];
    int middle = from + (to - from) / 2;
    return sum(from, middle) + sum(middle, to);
}

void shift_all(int n, int amount) {
    for (int i = 0; i < n; i++)
        wages[i] = wages[i] + amount;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int amount = __VERIFIER_nondet_int();
    sorrel_low(n);
    sorrel_low(amount);
    __VERIFIER_assume(1 <= n && n <= LARGEST && -100 <= amount && amount <= 100);
    for (int i = 0; i < n; i++) {
        wages[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= wages[i] && wages[i] <= 10000);
    }
    int before = sum(0, n);
    sorrel_declassify(before);
    sorrel_assert_low(before / n);
    shift_all(n, amount);
    sorrel_assert_low(before + n * amount);
    return 0;
}
