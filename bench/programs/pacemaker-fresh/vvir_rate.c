/* A pacemaker in VVIR mode: how often it paces follows a sensor of activity, slowly in both directions.
 * 
 * Property: the interval stays between the upper and the lower rate, changes by one step at a time, and a pulse comes at the
 * earliest an upper interval after the last beat.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET, SENSOR, BATTERY };
enum parameter { LOWER_RATE, UPPER_RATE, SLOPE, THRESHOLD };

int lower_interval = 60;
int upper_interval = 30;
int slope = 2;
int threshold = 4;

/* The interval that is used now, and that which the sensor asks for. */
int interval;
int wanted;
int activity;
int reaction_timer;
int recovery_timer;
int escape_timer;
int refractory_timer;
int since_beat;
int last_interval;

#define REFRACTORY 10
#define REACTION 4
#define RECOVERY 9

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

/* The sensor: activity is an average of what it says. */

void on_sensor(void) {
    int said = __VERIFIER_nondet_int();
    said = clamp(said, 0, 15);
    activity = (3 * activity + said) / 4;
    if (activity <= threshold)
        wanted = lower_interval;
    else
        wanted = clamp(lower_interval - slope * (activity - threshold), upper_interval, lower_interval);
}

/* The interval approaches what is wanted: quickly when the heart has to work, slowly when it rests. */

void shorten(void) {
    reaction_timer = reaction_timer - 1;
    if (reaction_timer <= 0) {
        reaction_timer = REACTION;
        if (interval > upper_interval)
            interval = interval - 1;
    }
}

void lengthen(void) {
    recovery_timer = recovery_timer - 1;
    if (recovery_timer <= 0) {
        recovery_timer = RECOVERY;
        if (interval < lower_interval)
            interval = interval + 1;
    }
}

void adapt(void) {
    last_interval = interval;
    if (wanted < interval)
        shorten();
    else if (wanted > interval)
        lengthen();
    if (interval < upper_interval || interval > lower_interval)
        reach_error();
    if (interval > last_interval + 1 || interval < last_interval - 1)
        reach_error();
}

/* The cycle */

void start_cycle(void) {
    escape_timer = interval;
    refractory_timer = REFRACTORY;
    since_beat = 0;
}

void pace(void) {
    if (since_beat < upper_interval)
        reach_error();
    start_cycle();
    note_pace(TICK);
}

void on_tick(void) {
    since_beat = add_up(since_beat);
    refractory_timer = count_down(refractory_timer);
    if (escape_timer > 0)
        escape_timer = escape_timer - 1;
    if (escape_timer == 0) {
        adapt();
        pace();
    }
}

void on_ventricular_signal(void) {
    if (refractory_timer > 0) {
        note_refractory();
        return;
    }
    if (magnet_present)
        return;
    adapt();
    start_cycle();
    note_sense(VENTRICULAR_SIGNAL);
}

/* Limits move only so that the interval stays between them. */
void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    switch (parameter) {
    case LOWER_RATE:
        lower_interval = clamp(value, interval, 90);
        if (lower_interval < interval)
            lower_interval = interval;
        wanted = lower_interval;
        break;
    case UPPER_RATE:
        value = clamp(value, 20, 45);
        if (value <= upper_interval)
            upper_interval = value;
        break;
    case SLOPE:
        slope = clamp(value, 1, 6);
        break;
    case THRESHOLD:
        threshold = clamp(value, 1, 12);
        break;
    default:
        break;
    }
}

void initialise(void) {
    interval = lower_interval;
    wanted = lower_interval;
    last_interval = interval;
    reaction_timer = REACTION;
    recovery_timer = RECOVERY;
    start_cycle();
}

int fastest = 1000;

void watch(void) {
    if (interval < fastest)
        fastest = interval;
    if (escape_timer > lower_interval && escape_timer > interval)
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
    case SENSOR:
        on_sensor();
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
