/* Two counters that refill each other: when the right one is used up it gets a fixed amount and the left one pays; when
 * the left one falls below a reserve it is given back what was paid in the round, if the limit for gifts is not used up.
 *
 * The limit is checked but, by mistake, counted only for large gifts.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int left;
int right;
int reserve;
int gifts = 3;

void give_back(int paid) {
    if (gifts > 0) {
        left = left + paid;
        if (paid > 1)
            gifts = gifts - 1;
    }
}

void round_of_payments(int price) {
    left = left - price;
    right = 5;
    while (right > 0)
        right = right - 1;
    if (left < reserve)
        give_back(price);
}

int main(void) {
    int price = __VERIFIER_nondet_int();
    left = __VERIFIER_nondet_int();
    reserve = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= price && price <= 10 && 0 <= reserve && reserve <= 10 && left <= 1000);
    while (left > 0)
        round_of_payments(price);
    return left;
}
