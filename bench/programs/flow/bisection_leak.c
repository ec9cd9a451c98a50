/* A secret found by questions that each tell one bit (after Smith, *Principles of secure information flow analysis*,
 * 2007): each question alone seems harmless. The number of questions is public.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

int secret;

int is_above(int value) { return secret > value; }

int ask(int low, int high, int questions) {
    if (questions == 0 || low >= high)
        return low;
    int middle = low + (high - low) / 2;
    if (is_above(middle))
        return ask(middle + 1, high, questions - 1);
    return ask(low, middle, questions - 1);
}

int main(void) {
    int questions = __VERIFIER_nondet_int();
    secret = __VERIFIER_nondet_int();
    sorrel_low(questions);
    __VERIFIER_assume(0 <= secret && secret <= 1023 && 0 <= questions && questions <= 10);
    sorrel_assert_low(ask(0, 1023, questions));
    return 0;
}
