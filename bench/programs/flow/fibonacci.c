/* A public loop, a branch on a secret that does the same on both sides, and a second loop that depends on both (after the
 * figures of Terauchi and Aiken, SAS 2005).
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

int step_of(int secret) {
    int step;
    if (secret > 0) {
        step = secret;
        step = step - secret + 1;
    } else {
        int other = 1 - secret;
        step = other + secret;
    }
    return step;
}

int fibonacci(int n) {
    int one = 1;
    int other = 0;
    while (n > 0) {
        one = one + other;
        other = one - other;
        n = n - 1;
    }
    return one;
}

int climb(int target, int step) {
    int height = 0;
    int i = 0;
    while (i < target) {
        height = height + step;
        i = i + 1;
    }
    return height;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int secret = __VERIFIER_nondet_int();
    sorrel_low(n);
    __VERIFIER_assume(n <= 20 && -1000 <= secret && secret <= 1000);
    sorrel_assert_low(climb(fibonacci(n), step_of(secret)));
    return 0;
}
