/* Three ways to the greatest common divisor: by remainders, by differences, and by halving (Stein, 1967). */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int by_remainders(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int by_differences(int a, int b) {
    while (a != b) {
        if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    return a;
}

int by_halving(int a, int b) {
    if (a == b)
        return a;
    if (a % 2 == 0 && b % 2 == 0)
        return 2 * by_halving(a / 2, b / 2);
    if (a % 2 == 0)
        return by_halving(a / 2, b);
    if (b % 2 == 0)
        return by_halving(a, b / 2);
    if (a > b)
        return by_halving((a - b) / 2, b);
    return by_halving(a, (b - a) / 2);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 < a && 0 < b);
    return by_remainders(a, b) == by_differences(a, b) && by_halving(a, b) > 0;
}
