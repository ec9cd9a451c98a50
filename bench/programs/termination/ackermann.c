/* Ackermann's function as Péter wrote it (1935), and the same function with an explicit stack of first arguments.
 *
 * Recursion: the pair (m, n) decreases lexicographically, although n has no bound that is known in advance.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define DEPTH 2000

int stack[DEPTH];

int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int with_stack(int m, int n) {
    int top = 0;
    stack[top] = m;
    while (top >= 0 && top < DEPTH - 1) {
        int first = stack[top];
        if (first == 0) {
            n = n + 1;
            top = top - 1;
        } else if (n == 0) {
            stack[top] = first - 1;
            n = 1;
        } else {
            stack[top] = first - 1;
            top = top + 1;
            stack[top] = first;
            n = n - 1;
        }
    }
    return n;
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= m && m <= 3 && 0 <= n && n <= 6);
    return ackermann(m, n) == with_stack(m, n);
}
