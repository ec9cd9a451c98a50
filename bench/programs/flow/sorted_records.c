/* Records with a public key and a secret payload are sorted by key; payloads move along. The keys are then printed, and the
 * payload of a record is printed only if its key says that it is public, in which case it was public from the start.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define LARGEST 16

int key[LARGEST];
int payload[LARGEST];

void insert(int place) {
    int kept_key = key[place];
    int kept_payload = payload[place];
    int i = place - 1;
    while (i >= 0 && key[i] > kept_key) {
        key[i + 1] = key[i];
        payload[i + 1] = payload[i];
        i = i - 1;
    }
    key[i + 1] = kept_key;
    payload[i + 1] = kept_payload;
}

void sort(int n) {
    if (n <= 1)
        return;
    sort(n - 1);
    insert(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    sorrel_low(n);
    __VERIFIER_assume(0 <= n && n <= LARGEST);
    for (int i = 0; i < n; i++) {
        key[i] = __VERIFIER_nondet_int();
        sorrel_low(key[i]);
        payload[i] = __VERIFIER_nondet_int();
        if (key[i] < 0)
            sorrel_low(payload[i]);
    }
    sort(n);
    for (int i = 0; i < n; i++) {
        sorrel_assert_low(key[i]);
        if (key[i] < 0)
            sorrel_assert_low(payload[i]);
    }
    return 0;
}
