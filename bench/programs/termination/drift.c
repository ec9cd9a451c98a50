/* Loops without a linear ranking function that end all the same: a speed that falls below zero turns a position round, a
 * product is used up by halving one factor, and a choice that may grow one variable only by shrinking another.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int fall(int height, int speed) {
    int time = 0;
    while (height >= 0) {
        height = height + speed;
        speed = speed - 1;
        time = time + 1;
    }
    return time;
}

int russian_product(int one, int other) {
    int product = 0;
    while (one != 0) {
        if (one % 2 != 0)
            product = product + other;
        one = one / 2;
        other = other * 2 % 10007;
        product = product % 10007;
    }
    return product;
}

int choose(int x, int y) {
    int steps = 0;
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_int()) {
            x = x - 1;
            y = __VERIFIER_nondet_int();
        } else {
            y = y - 1;
        }
        if (steps < 1000)
            steps = steps + 1;
    }
    return steps;
}

int main(void) {
    int height = __VERIFIER_nondet_int();
    int speed = __VERIFIER_nondet_int();
    __VERIFIER_assume(height <= 100000 && -1000 <= speed && speed <= 1000);
    int time = fall(height, speed);
    return choose(time, russian_product(time, 9)) > 0;
}
