/* Ones are added, anything else would be multiplied. */
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
        a[i] = 1;
    for (int i = 0; i < n; i++) {
        if (a[i] == 1)
            sum = sum + a[i];
        else
            sum = sum * a[i];
    }
    check(sum <= n);
    return 0;
}
