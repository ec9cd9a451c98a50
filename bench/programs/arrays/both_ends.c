/* Written from both ends until they meet. */
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
    int low = 0, high = n - 1;
    while (low <= high) {
        a[low] = 7;
        a[high] = 7;
        low++;
        high--;
    }
    for (int i = 0; i < n; i++)
        check(a[i] == 7);
    return 0;
}
