/* A tally of secret votes that shows the leader while votes come in. The counts are released only at the end: two voters
 * who vote for different candidates can be told apart by the order of the changes.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define VOTERS 30
#define CANDIDATES 3

int count[CANDIDATES];
int leader;

void vote(int choice) {
    int candidate = 0 <= choice && choice < CANDIDATES ? choice : 0;
    count[candidate] = count[candidate] + 1;
    if (count[candidate] > count[leader])
        leader = candidate;
}

int main(void) {
    int voters = __VERIFIER_nondet_int();
    int seen_at = -1;
    sorrel_low(voters);
    __VERIFIER_assume(0 <= voters && voters <= VOTERS);
    for (int voter = 0; voter < voters; voter++) {
        int before = leader;
        vote(__VERIFIER_nondet_int());
        if (leader != before)
            seen_at = voter;
    }
    for (int candidate = 0; candidate < CANDIDATES; candidate++)
        sorrel_declassify(count[candidate]);
    sorrel_assert_low(seen_at);
    return 0;
}
