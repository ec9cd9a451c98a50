/* A password check that stops at the first difference (after the login examples of Antonopoulos and others, PLDI 2017).
 * The attacker's guess and both lengths are public; the result may be known; the time tells how much of the guess is right.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_low_array(const int *, int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define LARGEST 16

int password[LARGEST];
int guess[LARGEST];
int cost;

int matches(int length) {
    for (int i = 0; i < length; i++) {
        cost = cost + 1;
        if (password[i] != guess[i])
            return 0;
    }
    return 1;
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    sorrel_low(length);
    __VERIFIER_assume(0 <= length && length <= LARGEST);
    for (int i = 0; i < length; i++)
        password[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < length; i++)
        guess[i] = __VERIFIER_nondet_int();
    sorrel_low_array(guess, length);
    sorrel_declassify(matches(length));
    sorrel_assert_low(cost);
    return 0;
}
