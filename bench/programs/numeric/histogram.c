/* A histogram of samples in bins of equal width, its running sums, and the median bin.
 *
 * Samples outside the interval are counted in the first and in the last bin.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define BINS 20
#define SAMPLES 1000

int count[BINS];
int running[BINS];

int bin_of(int sample, int lowest, int width) {
    if (sample < lowest)
        return 0;
    int bin = (sample - lowest) / width;
    return bin < BINS ? bin : BINS - 1;
}

void add(int bin) {
    if (!(0 <= bin && bin < BINS))
        reach_error();
    count[bin] = count[bin] + 1;
}

void accumulate(void) {
    int sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
        if (!(0 <= bin && bin < BINS))
            reach_error();
        sum = sum + count[bin];
        running[bin] = sum;
    }
}

/* The first bin whose running sum is at least half of the samples. */
int median(int samples) {
    int low = 0;
    int high = BINS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (!(0 <= middle && middle < BINS))
            reach_error();
        if (2 * running[middle] >= samples)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int main(void) {
    int lowest = __VERIFIER_nondet_int();
    int width = __VERIFIER_nondet_int();
    int samples = __VERIFIER_nondet_int();
    __VERIFIER_assume(-1000 <= lowest && lowest <= 1000);
    __VERIFIER_assume(1 <= width && width <= 100);
    __VERIFIER_assume(0 <= samples && samples <= SAMPLES);
    for (int i = 0; i < samples; i++) {
        int sample = __VERIFIER_nondet_int();
        __VERIFIER_assume(-100000 <= sample && sample <= 100000);
        add(bin_of(sample, lowest, width));
    }
    accumulate();
    int bin = median(samples);
    if (!(0 <= bin && bin < BINS))
        reach_error();
    return running[bin] > 0;
}
