/* A counter between two limits: when the upper one is reached it goes down, and when the lower one is reached up again.
 *
 * The loop is left only on reaching exactly the target, which steps of two miss if the parities differ.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int low;
int high;
int rising = 1;

int move(int x) {
    if (rising) {
        if (x + 2 > high) {
            rising = 0;
            return x;
        }
        return x + 2;
    }
    if (x - 2 < low) {
        rising = 1;
        return x;
    }
    return x - 2;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int target = __VERIFIER_nondet_int();
    low = __VERIFIER_nondet_int();
    high = __VERIFIER_nondet_int();
    __VERIFIER_assume(-1000 <= low && low <= x && x <= high && high <= 1000);
    __VERIFIER_assume(low <= target && target <= high);
    while (x != target)
        x = move(x);
    return 0;
}
