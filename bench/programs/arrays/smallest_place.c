/* The place of the smallest element. */
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
    for (int i = 1; i < n; i++)
        if (a[i] < a[place])
            place = i;
    check(place >= 0 && place < n);
    for (int i = 0; i < n; i++)
        check(a[i] >= a[place]);
    return 0;
}
