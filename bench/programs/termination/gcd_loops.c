/* The greatest common divisor by differences, for inputs that may be zero: the difference is then never smaller. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int reductions;

int reduce(int large, int small) {
    while (large >= small && large != 0) {
        large = large - small;
        if (reductions < 1000)
            reductions = reductions + 1;
    }
    return large;
}

int divisor(int a, int b) {
    while (a != b) {
        if (a > b)
            a = reduce(a, b) == 0 ? b : reduce(a, b);
        else
            b = reduce(b, a) == 0 ? a : reduce(b, a);
    }
    return a;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= a && a <= 10000 && 0 <= b && b <= 10000);
    return divisor(a, b);
}
