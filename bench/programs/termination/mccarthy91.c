/* McCarthy's function, which is 91 below 102, by recursion and by a loop that counts open calls (Manna and McCarthy). */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int by_recursion(int n) {
    if (n > 100)
        return n - 10;
    return by_recursion(by_recursion(n + 11));
}

int by_loop(int n) {
    int open = 1;
    while (open != 0) {
        if (n > 100) {
            n = n - 10;
            open = open - 1;
        } else {
            n = n + 11;
            open = open + 1;
        }
    }
    return n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= -1000);
    return by_recursion(n) == by_loop(n);
}
