/* A tally of secret votes (in the spirit of Küsters, Truderung and Graf, CSF 2012). The counts are released when all votes
 * are in; until then the machine shows only how many have voted. Invalid votes are counted with the first candidate.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define VOTERS 30
#define CANDIDATES 3

int votes[VOTERS];
int count[CANDIDATES];
int voted;

void vote(int choice) {
    votes[voted] = 0 <= choice && choice < CANDIDATES ? choice : 0;
    voted = voted + 1;
    sorrel_assert_low(voted);
}

void tally(void) {
    for (int i = 0; i < voted; i++)
        count[votes[i]] = count[votes[i]] + 1;
}

int winner(void) {
    int best = 0;
    for (int candidate = 1; candidate < CANDIDATES; candidate++)
        if (count[candidate] > count[best])
            best = candidate;
    return best;
}

int main(void) {
    int voters = __VERIFIER_nondet_int();
    sorrel_low(voters);
    __VERIFIER_assume(0 <= voters && voters <= VOTERS);
    while (voted < voters)
        vote(__VERIFIER_nondet_int());
    tally();
    for (int candidate = 0; candidate < CANDIDATES; candidate++)
        sorrel_declassify(count[candidate]);
    sorrel_assert_low(winner());
    sorrel_assert_low(count[winner()]);
    return 0;
}
