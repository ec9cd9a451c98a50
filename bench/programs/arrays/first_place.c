/* Before the first place of a value the value is not there. */
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
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int place = 0;
    while (place < n && a[place] != wanted)
        place++;
    for (int i = 0; i < place; i++)
        check(a[i] != wanted);
    if (place < n)
        check(a[place] == wanted);
    return 0;
}
