/* A counter that first goes up to a limit and then down: no single linear measure decreases in both phases.
 *
 * The second loop has phases too, but they follow from the data: the variables trade places once one is used up.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int up_and_down(int start, int limit) {
    int rising = 1;
    int x = start;
    while (x >= 0) {
        if (rising) {
            x = x + 1;
            if (x >= limit)
                rising = 0;
        } else {
            x = x - 1;
        }
    }
    return x;
}

int trade(int fuel, int distance) {
    int steps = 0;
    while (fuel > 0 || distance > 0) {
        if (distance > 0) {
            distance = distance - 2;
            fuel = fuel + 1;
        } else {
            fuel = fuel - 3;
        }
        steps = steps + 1;
    }
    return steps;
}

int main(void) {
    int start = __VERIFIER_nondet_int();
    int limit = __VERIFIER_nondet_int();
    __VERIFIER_assume(-1000 <= start && start <= 1000 && limit <= 1000000);
    int end = up_and_down(start, limit);
    int fuel = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= fuel && fuel <= 1000);
    return trade(fuel, limit - end) > 0;
}
