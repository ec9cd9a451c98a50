/* No more are counted than there are. */
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
    int zeros = 0, others = 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] == 0)
            zeros++;
        else
            others++;
    }
    check(zeros >= 0 && others >= 0 && zeros + others == n);
    return 0;
}
