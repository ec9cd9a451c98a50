/* Each element is one more than that before it. */
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
    a[0] = 5;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + 1;
    for (int i = 0; i < n; i++)
        check(a[i] == i + 5);
    return 0;
}
