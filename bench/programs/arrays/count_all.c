/* What was written everywhere is counted everywhere. */
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
    int wanted = __VERIFIER_nondet_int();
    int count = 0;
    for (int i = 0; i < n; i++)
        a[i] = wanted;
    for (int i = 0; i < n; i++)
        if (a[i] == wanted)
            count++;
    check(count == n);
    return 0;
}
