/* An electronic purse with a secret balance (after the example of Darvas, Hähnle and Sands, SPC 2005). Whether a payment
 * is covered becomes known to the shop, and nothing else; payments are tried one after the other.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

enum answer { PAID, REFUSED, CLOSED };

int balance;
int failures;
int paid;

int debit(int amount) {
    int covered;
    if (failures >= 3)
        return CLOSED;
    covered = balance >= amount;
    sorrel_declassify(covered);
    if (!covered) {
        failures = failures + 1;
        return REFUSED;
    }
    balance = balance - amount;
    failures = 0;
    paid = paid + amount;
    return PAID;
}

void credit(int amount) {
    if (balance <= 10000)
        balance = balance + amount;
}

int main(void) {
    int more = __VERIFIER_nondet_int();
    balance = __VERIFIER_nondet_int();
    sorrel_low(more);
    __VERIFIER_assume(0 <= balance && balance <= 10000);
    while (more > 0 && paid <= 10000) {
        int amount = __VERIFIER_nondet_int();
        int gift = __VERIFIER_nondet_int();
        sorrel_low(amount);
        __VERIFIER_assume(0 <= amount && amount <= 1000);
        __VERIFIER_assume(0 <= gift && gift <= 1000);
        sorrel_assert_low(debit(amount));
        credit(gift);
        more = more - 1;
    }
    sorrel_assert_low(paid);
    sorrel_assert_low(failures);
    return 0;
}
