/* A pacemaker in DDD mode with an upper rate and a refractory period of the atrium after beats of the ventricle (PVARP).
 * 
 * Property: the ventricle is not paced faster than the upper rate, and no signal of the atrium within the refractory
 * period is followed.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET, SENSOR, BATTERY };
enum parameter { LOWER_RATE, UPPER_RATE, AV_DELAY, PVARP };

int lower_interval = 60;
int upper_interval = 30;
int av_delay = 10;
int pvarp = 16;

/* Timers count what is left of a period, clocks what has passed. */
int escape_timer;
int av_timer;
int pvarp_timer;
int upper_timer;
int since_ventricular;
int extended;
int tracked_beats;
int av_started_in_pvarp;

#define VENTRICULAR_REFRACTORY 8
#define PVC_EXTENSION 12

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

/* The cycle: from a beat of the ventricle to the next one. */

void start_cycle(void) {
    av_timer = 0;
    escape_timer = lower_interval - av_delay;
    upper_timer = upper_interval;
    pvarp_timer = pvarp;
    extended = 0;
    since_ventricular = 0;
}

/* A beat of the ventricle without one of the atrium may send a pulse back: the atrium is not looked at for longer. */
void premature_beat(void) {
    extended = 1;
    pvarp_timer = pvarp + PVC_EXTENSION;
}

/* A beat of the atrium, paced or sensed, is followed by one of the ventricle. */
void start_av(int paced) {
    if (!paced && since_ventricular < pvarp)
        reach_error();
    escape_timer = 0;
    av_timer = av_delay;
}

void pace_atrium(void) {
    start_av(1);
    note_pace(ATRIAL_SIGNAL);
}

void pace_ventricle(void) {
    if (since_ventricular < upper_interval)
        reach_error();
    start_cycle();
    note_pace(VENTRICULAR_SIGNAL);
}

/* Interrupts */

/* When the upper rate does not allow a pulse yet, it waits: the beat of the atrium is followed late. */
void count_av(void) {
    if (av_timer > 1)
        av_timer = av_timer - 1;
    else if (upper_timer == 0)
        pace_ventricle();
}

void count_escape(void) {
    if (escape_timer > 1)
        escape_timer = escape_timer - 1;
    else
        pace_atrium();
}

void on_tick(void) {
    since_ventricular = add_up(since_ventricular);
    pvarp_timer = count_down(pvarp_timer);
    upper_timer = count_down(upper_timer);
    if (av_timer > 0)
        count_av();
    else
        count_escape();
}

void on_atrial_signal(void) {
    if (magnet_present || av_timer > 0)
        return;
    if (pvarp_timer > 0) {
        note_refractory();
        return;
    }
    tracked_beats = add_up(tracked_beats);
    start_av(0);
    note_sense(ATRIAL_SIGNAL);
}

void on_ventricular_signal(void) {
    int premature = av_timer == 0;
    if (since_ventricular < VENTRICULAR_REFRACTORY) {
        note_refractory();
        return;
    }
    start_cycle();
    note_sense(VENTRICULAR_SIGNAL);
    if (premature)
        premature_beat();
}

/* Values that depend on each other are programmed in the middle of a cycle only if they leave it as it is. */
void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    if (upper_timer > 0 || pvarp_timer > 0)
        return;
    switch (parameter) {
    case LOWER_RATE:
        lower_interval = clamp(value, 50, 90);
        break;
    case UPPER_RATE:
        if (value < upper_interval)
            upper_interval = clamp(value, 20, 40);
        break;
    case AV_DELAY:
        av_delay = clamp(value, 6, 18);
        break;
    case PVARP:
        if (value < pvarp)
            pvarp = clamp(value, 10, 24);
        break;
    default:
        break;
    }
}

void initialise(void) {
    start_cycle();
}

/* The longest time without a beat is looked at by whoever reads the memory. */
int longest_pause;

void watch(void) {
    if (since_ventricular > longest_pause)
        longest_pause = since_ventricular;
    if (av_timer > 0 && escape_timer > 0)
        reach_error();
}

void handle(int interrupt) {
    switch (interrupt) {
    case TICK:
        on_tick();
        break;
    case ATRIAL_SIGNAL:
        on_atrial_signal();
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
