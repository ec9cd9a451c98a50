/* An electronic purse with a secret balance. Whether a payment is covered becomes known to the shop; but a shop whose
 * payment is not covered is paid in part, and sees how much it got.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

int balance;

int smaller(int one, int other) { return one < other ? one : other; }

int debit(int amount, int in_part) {
    int covered = balance >= amount;
    int given;
    sorrel_declassify(covered);
    if (covered)
        given = amount;
    else
        given = in_part ? smaller(balance, amount) : 0;
    balance = balance - given;
    return given;
}

int main(void) {
    int payments = __VERIFIER_nondet_int();
    int in_part = __VERIFIER_nondet_int();
    int total = 0;
    balance = __VERIFIER_nondet_int();
    sorrel_low(payments);
    sorrel_low(in_part);
    __VERIFIER_assume(0 <= balance && balance <= 10000);
    for (int i = 0; i < payments && i < 10; i++) {
        int amount = __VERIFIER_nondet_int();
        sorrel_low(amount);
        __VERIFIER_assume(0 <= amount && amount <= 1000);
        total = total + debit(amount, in_part);
    }
    sorrel_assert_low(total);
    return 0;
}
