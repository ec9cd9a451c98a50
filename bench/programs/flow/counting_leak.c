/* An implicit flow through loops: no secret is ever assigned to what is printed, but the number of rounds tells it (the
 * classic of the type systems; compare Giffhorn and Snelting, IJIS 2015).
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

int rounds;

void walk(int left, int width) {
    if (left <= 0)
        return;
    rounds = rounds + 1;
    walk(left - width, width);
}

int main(void) {
    int secret = __VERIFIER_nondet_int();
    int width = __VERIFIER_nondet_int();
    int printed = 0;
    sorrel_low(width);
    __VERIFIER_assume(0 <= secret && secret <= 1000 && 1 <= width && width <= 1000);
    walk(secret, width);
    while (rounds > 0) {
        rounds = rounds - 1;
        printed = printed + 2;
    }
    sorrel_assert_low(rounds);
    sorrel_assert_low(printed);
    return 0;
}
