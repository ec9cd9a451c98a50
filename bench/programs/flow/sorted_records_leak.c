/* Records with a public number and a secret weight: the heaviest are moved to the front, and the numbers printed in their
 * new order.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_low_array(const int *, int);
extern void sorrel_assert_low(int);

#define LARGEST 16

int number[LARGEST];
int weight[LARGEST];

void exchange(int *cells, int one, int other) {
    int kept = cells[one];
    cells[one] = cells[other];
    cells[other] = kept;
}

void select_heaviest(int n, int wanted) {
    for (int place = 0; place < wanted && place < n; place++) {
        int best = place;
        for (int i = place + 1; i < n; i++)
            if (weight[i] > weight[best])
                best = i;
        exchange(number, place, best);
        exchange(weight, place, best);
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int wanted = __VERIFIER_nondet_int();
    sorrel_low(n);
    sorrel_low(wanted);
    __VERIFIER_assume(0 <= n && n <= LARGEST);
    for (int i = 0; i < n; i++) {
        number[i] = __VERIFIER_nondet_int();
        weight[i] = __VERIFIER_nondet_int();
    }
    sorrel_low_array(number, n);
    select_heaviest(n, wanted);
    for (int i = 0; i < n; i++)
        sorrel_assert_low(number[i]);
    return 0;
}
