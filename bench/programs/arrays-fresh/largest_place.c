/* The place of the largest element, the last one of these. */
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
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int place = 0;
    int i = 1;
    while (i < n) {
        if (a[i] >= a[place])
            place = i;
        i = i + 1;
    }
    for (int j = 0; j < n; j++)
        check(a[j] <= a[place]);
    return 0;
}
