/* Three counters: the last counts down, and when one counter is used up the next one to the left pays for refilling the
 * ones to its right with amounts that the environment chooses. The measure is lexicographic, its parts are not bounded by
 * the start.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int hours;
int minutes;
int seconds;

int refill(void) {
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount >= 0);
    return amount;
}

int tick(void) {
    if (seconds > 0) {
        seconds = seconds - 1;
        return 1;
    }
    if (minutes > 0) {
        minutes = minutes - 1;
        seconds = refill();
        return 1;
    }
    if (hours > 0) {
        hours = hours - 1;
        minutes = refill();
        if (__VERIFIER_nondet_int())
            seconds = refill();
        return 1;
    }
    return 0;
}

int main(void) {
    int ticks = 0;
    hours = refill();
    minutes = refill();
    seconds = refill();
    while (tick()) {
        if (ticks < 1000)
            ticks = ticks + 1;
    }
    return ticks > 0;
}
