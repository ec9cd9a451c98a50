/* A low-pass filter and a moving average in fixed point (Q15), as small controllers have them. */
#include <assert.h>

#define ONE 32768
#define TAPS 8

extern int __VERIFIER_nondet_int(void);

struct average {
    int window[TAPS];
    int position;
    int sum;
};

struct lowpass {
    int state;
    int weight;
};

static int clamp(int value, int low, int high) {
    if (value < low)
        return low;
    return value > high ? high : value;
}

static int multiply(int a, int b) {
    return a * b / ONE;
}

static void average_init(struct average *average) {
    for (int i = 0; i < TAPS; i++)
        average->window[i] = 0;
    average->position = 0;
    average->sum = 0;
}

static int average_step(struct average *average, int sample) {
    average->sum = clamp(average->sum - average->window[average->position] + sample, -TAPS * ONE, TAPS * ONE);
    average->window[average->position] = sample;
    average->position = (average->position + 1) % TAPS;
    return average->sum / TAPS;
}

static void lowpass_init(struct lowpass *filter, int weight) {
    filter->state = 0;
    filter->weight = weight;
}

/* state + weight * (sample - state) */
static int lowpass_step(struct lowpass *filter, int sample) {
    int change = multiply(filter->weight, (sample - filter->state) / 2);
    filter->state = clamp(filter->state + 2 * change, -ONE, ONE - 1);
    return filter->state;
}

static int sample(void) {
    return clamp(__VERIFIER_nondet_int(), -ONE, ONE - 1);
}

int main(void) {
    struct average average;
    struct lowpass filter;
    int alarms = 0;
    average_init(&average);
    lowpass_init(&filter, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int()) {
        int input = sample();
        int smooth = lowpass_step(&filter, input);
        assert(smooth >= -ONE && smooth < ONE);
        int mean = average_step(&average, smooth);
        assert(mean >= -ONE && mean <= ONE);
        int error = clamp(smooth - mean, -ONE, ONE);
        if (multiply(error, error) > ONE / 4 && alarms < 100)
            alarms++;
    }
    assert(alarms <= 100);
    return 0;
}
