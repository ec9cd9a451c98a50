/* Ones are summed up, and the sum is added to each of them. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long size);
void reach_error(void) { abort(); }
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *a = malloc(sizeof(int) * n);
    int *sum = malloc(sizeof(int));
    sum[0] = 0;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        sum[0] = sum[0] + a[i];
    for (int i = 0; i < n; i++)
        a[i] = a[i] + sum[0];
    for (int i = 0; i < n; i++)
        check(a[i] == n + 1);
    return 0;
}
