/* McCarthy's function with one step too far back: the inner call of 90 returns 90 again.
 *
 * The loop counts open calls; from 90 it goes to 101 and back to 90, always with one more call open and closed.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int calls;

int by_loop(int n) {
    int open = 1;
    while (open != 0) {
        if (calls < 1000)
            calls = calls + 1;
        if (n > 100) {
            n = n - 11;
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
    __VERIFIER_assume(0 <= n && n <= 1000);
    return by_loop(n);
}
