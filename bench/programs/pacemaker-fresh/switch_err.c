/* A pacemaker that switches its mode: when the atrium is too fast it must not be followed (DDD becomes DDI), and is followed
 * again when it has calmed down.
 * 
 * Property: in DDI no beat of the atrium is followed. A switch in the middle of a followed beat forgets to drop it.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET, SENSOR, BATTERY };
enum parameter { LOWER_RATE, AV_DELAY, DETECTION, CALM };
enum mode { DDD, DDI };

int lower_interval = 60;
int av_delay = 12;
int detection = 5;
int calm_needed = 6;

#define FAST 20

int mode;
int fast_beats;
int calm_beats;
int since_atrial;
int since_ventricular;
int escape_timer;
int av_timer;
int following;
int switches;

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

/* Modes */

void to_ddi(void) {
    if (mode != DDD)
        reach_error();
    mode = DDI;
    calm_beats = 0;
    switches = add_up(switches);
    if (av_timer > av_delay / 2)
        following = 0;
}

void to_ddd(void) {
    if (mode != DDI)
        reach_error();
    mode = DDD;
    fast_beats = 0;
    switches = add_up(switches);
}

/* Each beat of the atrium says whether it is fast or calm; several of a kind in a row are needed. */
void classify(void) {
    if (since_atrial < FAST) {
        calm_beats = 0;
        fast_beats = fast_beats + 1;
        if (fast_beats >= detection) {
            fast_beats = 0;
            if (mode == DDD)
                to_ddi();
        }
    } else {
        fast_beats = 0;
        calm_beats = calm_beats + 1;
        if (calm_beats >= calm_needed) {
            calm_beats = 0;
            if (mode == DDI)
                to_ddd();
        }
    }
    since_atrial = 0;
}

/* The cycle */

void start_cycle(void) {
    av_timer = 0;
    following = 0;
    escape_timer = lower_interval - av_delay;
    since_ventricular = 0;
}

void pace_ventricle(void) {
    if (mode == DDI && following)
        reach_error();
    start_cycle();
    note_pace(VENTRICULAR_SIGNAL);
}

void pace_atrium(void) {
    escape_timer = 0;
    following = 0;
    av_timer = av_delay;
    since_atrial = 0;
    note_pace(ATRIAL_SIGNAL);
}

/* Interrupts */

void on_tick(void) {
    since_atrial = add_up(since_atrial);
    since_ventricular = add_up(since_ventricular);
    if (av_timer > 0) {
        av_timer = av_timer - 1;
        if (av_timer == 0)
            pace_ventricle();
    } else if (escape_timer > 1) {
        escape_timer = escape_timer - 1;
    } else {
        pace_atrium();
    }
}

void follow(void) {
    if (mode == DDI)
        return;
    if (av_timer == 0) {
        escape_timer = 0;
        following = 1;
        av_timer = av_delay;
    }
}

void on_atrial_signal(void) {
    if (magnet_present)
        return;
    if (since_atrial < 3) {
        note_refractory();
        return;
    }
    follow();
    classify();
    note_sense(ATRIAL_SIGNAL);
}

void on_ventricular_signal(void) {
    if (since_ventricular < 10) {
        note_refractory();
        return;
    }
    start_cycle();
    note_sense(VENTRICULAR_SIGNAL);
}

void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    switch (parameter) {
    case LOWER_RATE:
        lower_interval = clamp(value, 40, 100);
        break;
    case AV_DELAY:
        av_delay = clamp(value, 8, 20);
        break;
    case DETECTION:
        detection = clamp(value, 3, 9);
        break;
    case CALM:
        calm_needed = clamp(value, 3, 12);
        break;
    default:
        break;
    }
}

void initialise(void) {
    mode = DDD;
    start_cycle();
}

void watch(void) {
    if (following && av_timer == 0)
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
