/* The hailstone sequence, from any start: below zero it has cycles that miss both ends. -5, -14, -7, -20, -10 is one.
 *
 * Starts above zero are taken from a range where the sequence is known to end.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int next(int n) { return n % 2 == 0 ? n / 2 : 3 * n + 1; }

int flight(int n) {
    int time = 0;
    while (n != 1 && n != -1 && n != 0) {
        n = next(n);
        if (time < 1000)
            time = time + 1;
    }
    return time;
}

int main(void) {
    int start = __VERIFIER_nondet_int();
    __VERIFIER_assume(-100 <= start && start <= 100);
    return flight(start);
}
