/* The largest so far, for every place. */
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
    int a[n], m[n];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int largest = a[0];
    for (int i = 0; i < n; i++) {
        if (a[i] > largest)
            largest = a[i];
        m[i] = largest;
    }
    for (int i = 0; i < n; i++)
        check(m[i] >= a[i] && m[i] <= largest);
    return 0;
}
