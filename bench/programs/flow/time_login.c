/* A password check that looks at all characters and collects the differences (after the login examples of Antonopoulos and
 * others, PLDI 2017). A user that does not exist is checked against an empty password, with the same work.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_low_array(const int *, int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define LARGEST 16
#define USERS 4

int password[USERS * LARGEST];
int guess[LARGEST];
int cost;

int is_nonzero(int value) {
    /* Without a branch: the sign bit of value | -value. */
    unsigned bits = (unsigned)value;
    return (int)((bits | (0u - bits)) >> 31);
}

int matches(int user, int length) {
    int different = 0;
    for (int i = 0; i < length; i++) {
        cost = cost + 1;
        different = different | is_nonzero(password[user * LARGEST + i] ^ guess[i]);
    }
    return 1 - different;
}

int main(void) {
    int user = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    sorrel_low(user);
    sorrel_low(length);
    __VERIFIER_assume(0 <= length && length <= LARGEST);
    if (user < 0 || user >= USERS)
        user = 0;
    for (int i = 0; i < length; i++)
        password[user * LARGEST + i] = __VERIFIER_nondet_int();
    for (int i = 0; i < length; i++)
        guess[i] = __VERIFIER_nondet_int();
    sorrel_low_array(guess, length);
    int result = matches(user, length);
    sorrel_assert_low(cost);
    sorrel_declassify(result);
    sorrel_assert_low(result);
    return 0;
}
