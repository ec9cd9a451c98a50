/* A pacemaker in VVI mode with search hysteresis, which makes up for the longer cycle by a shorter one.
 * 
 * Property: as in vvi_search. With a long hysteresis the shorter cycle is too short.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET, SENSOR, BATTERY };
enum parameter { LOWER_RATE, HYSTERESIS, REFRACTORY, BLANKING, SEARCH_AFTER };

/* Programmed, in interrupts of the clock. */
int lower_interval = 50;
int hysteresis_interval = 60;
int refractory_period = 14;
int blanking_period = 4;
int search_after = 8;

#define SHORTEST 30

/* The state of the cycle. */
int escape_timer;
int refractory_timer;
int blanking_timer;
int since_beat;
int paces_in_a_row;
int searching;
int amplifier_on;

int clamp(int value, int low, int high) {
    if (value < low)
        return low;
    return value > high ? high : value;
}

int count_down(int timer) { return timer > 0 ? timer - 1 : 0; }

int add_up(int counter) { return counter < 30000 ? counter + 1 : counter; }

/* What is reported to the physician: counters that stay at their largest value. */
int paced_beats;
int sensed_beats;
int refractory_senses;
int noise_events;
int battery_low;
int magnet_present;
int last_events[4];
int last_event;

void note_event(int kind) {
    last_events[last_event] = kind;
    last_event = last_event + 1;
    if (last_event == 4)
        last_event = 0;
}

void note_pace(int kind) {
    paced_beats = add_up(paced_beats);
    note_event(kind);
}

void note_sense(int kind) {
    sensed_beats = add_up(sensed_beats);
    note_event(kind);
}

void note_refractory(void) {
    refractory_senses = add_up(refractory_senses);
    if (refractory_senses % 4 == 3)
        noise_events = add_up(noise_events);
}

void on_battery(void) {
    int volts = __VERIFIER_nondet_int();
    if (volts < 240)
        battery_low = 1;
    else if (volts > 260)
        battery_low = 0;
}

void on_magnet(void) {
    if (magnet_present)
        magnet_present = 0;
    else
        magnet_present = 1;
}

/* The amplifier of the ventricle: blind after a pulse, so that it does not see its echo. */

void amplifier_off(void) {
    if (!amplifier_on)
        reach_error();
    amplifier_on = 0;
    blanking_timer = blanking_period;
}

void amplifier_back(void) {
    if (amplifier_on)
        reach_error();
    amplifier_on = 1;
}

void count_blanking(void) {
    if (blanking_timer > 0) {
        blanking_timer = blanking_timer - 1;
        if (blanking_timer == 0)
            amplifier_back();
    }
}

/* The cycle */

/* After many paces in a row the heart is given a chance: one cycle is longer, and what was lost is made up for. */
void choose_interval(void) {
    if (paces_in_a_row >= search_after) {
        searching = 1;
        paces_in_a_row = 0;
        escape_timer = hysteresis_interval;
    } else if (searching) {
        searching = 0;
        escape_timer = lower_interval - (hysteresis_interval - lower_interval);
    } else {
        escape_timer = lower_interval;
    }
}

void start_refractory(void) {
    refractory_timer = refractory_period;
    since_beat = 0;
}

void beat_sensed(void) {
    paces_in_a_row = 0;
    searching = 0;
    escape_timer = hysteresis_interval;
    start_refractory();
    note_sense(VENTRICULAR_SIGNAL);
}

void pace(void) {
    if (since_beat < SHORTEST)
        reach_error();
    if (amplifier_on)
        amplifier_off();
    else
        blanking_timer = blanking_period;
    paces_in_a_row = paces_in_a_row + 1;
    choose_interval();
    start_refractory();
    note_pace(TICK);
}

void on_tick(void) {
    since_beat = add_up(since_beat);
    refractory_timer = count_down(refractory_timer);
    count_blanking();
    if (escape_timer > 0)
        escape_timer = escape_timer - 1;
    if (escape_timer == 0)
        pace();
}

void on_ventricular_signal(void) {
    if (!amplifier_on)
        return;
    if (refractory_timer > 0) {
        note_refractory();
        return;
    }
    if (magnet_present)
        return;
    beat_sensed();
}

/* The programmer's values are brought into their limits, and those that depend on each other keep their order. */
void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    switch (parameter) {
    case LOWER_RATE:
        lower_interval = clamp(value, 40, 90);
        if (hysteresis_interval < lower_interval)
            hysteresis_interval = lower_interval;
        break;
    case HYSTERESIS:
        hysteresis_interval = clamp(value, 40, 100);
        if (hysteresis_interval < lower_interval)
            hysteresis_interval = lower_interval;
        break;
    case REFRACTORY:
        refractory_period = clamp(value, 8, 20);
        break;
    case BLANKING:
        blanking_period = clamp(value, 2, 6);
        break;
    case SEARCH_AFTER:
        search_after = clamp(value, 4, 32);
        break;
    default:
        break;
    }
}

void initialise(void) {
    amplifier_on = 1;
    escape_timer = lower_interval;
    start_refractory();
}

void watch(void) {
    if (amplifier_on && blanking_timer > 0)
        reach_error();
}

void handle(int interrupt) {
    switch (interrupt) {
    case TICK:
        on_tick();
        break;
    case VENTRICULAR_SIGNAL:
        on_ventricular_signal();
        break;
    case PROGRAMMER:
        on_programmer();
        break;
    case MAGNET:
        on_magnet();
        break;
    case BATTERY:
        on_battery();
        break;
    default:
        break;
    }
}

int main(void) {
    initialise();
    while (__VERIFIER_nondet_int()) {
        handle(__VERIFIER_nondet_int());
        watch();
    }
    return 0;
}
