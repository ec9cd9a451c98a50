/* Tiles of two elements, each written by an inner loop that counts down. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    if (n % 2 != 0)
        return 0;
    int a[n];
    for (int i = 1; i <= n / 2; i++)
        for (int j = 2; j >= 1; j--) {
            if (j >= 2)
                a[2 * i - j] = j;
            else
                a[2 * i - j] = 0;
        }
    for (int i = 0; i < n; i++)
        check(a[i] >= 2 || a[i] == 0);
    return 0;
}
