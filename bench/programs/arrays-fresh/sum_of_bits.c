/* A sum of remainders by two. */
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
    int a[n];
    int sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i % 2;
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    check(sum >= 0 && sum <= n);
    return 0;
}
