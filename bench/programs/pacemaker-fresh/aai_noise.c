/* A pacemaker in AAI mode with reversion in noise: the atrium is paced and sensed; when noise hides the heart, it
 * is paced at a fixed rate.
 * 
 * Property: a signal is taken for a beat only while the amplifier waits for one, the refractory period is never left with
 * time in it, and in noise no signal is taken for a beat.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET, SENSOR, BATTERY };
enum parameter { LOWER_RATE, ATRIAL_REFRACTORY, NOISE_WINDOW, SENSITIVITY };
enum state { WAITING, REFRACTORY, NOISY };

int lower_interval = 48;
int atrial_refractory = 18;
int noise_window = 5;
int sensitivity = 3;

int state;
int escape_timer;
int state_timer;
int noise_timer;
int signals_in_window;
int asynchronous;
int accepted_since_pace;
int pulses_in_noise;

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

/* States of the amplifier. Each is entered by one function, and left by one. */

void enter_waiting(void) {
    if (state_timer > 0)
        reach_error();
    state = WAITING;
}

void enter_refractory(void) {
    state = REFRACTORY;
    state_timer = atrial_refractory;
}

void enter_noise(void) {
    if (state != REFRACTORY)
        reach_error();
    state = NOISY;
    state_timer = 0;
    noise_timer = noise_window;
    asynchronous = 1;
}

void leave_noise(void) {
    if (state != NOISY)
        reach_error();
    asynchronous = 0;
    signals_in_window = 0;
    enter_waiting();
}

/* Beats */

void take_for_beat(void) {
    if (state != WAITING || asynchronous)
        reach_error();
    accepted_since_pace = add_up(accepted_since_pace);
    escape_timer = lower_interval;
    enter_refractory();
    note_sense(ATRIAL_SIGNAL);
}

void pace(void) {
    escape_timer = lower_interval;
    accepted_since_pace = 0;
    if (asynchronous)
        pulses_in_noise = add_up(pulses_in_noise);
    else
        enter_refractory();
    note_pace(TICK);
}

/* Interrupts */

void count_state(void) {
    if (state == REFRACTORY) {
        state_timer = count_down(state_timer);
        if (state_timer == 0) {
            signals_in_window = 0;
            enter_waiting();
        }
    } else if (state == NOISY) {
        noise_timer = count_down(noise_timer);
        if (noise_timer == 0)
            leave_noise();
    }
}

void on_tick(void) {
    count_state();
    if (escape_timer > 0)
        escape_timer = escape_timer - 1;
    if (escape_timer == 0)
        pace();
}

void on_atrial_signal(void) {
    int strength = __VERIFIER_nondet_int();
    if (strength < sensitivity || magnet_present)
        return;
    switch (state) {
    case WAITING:
        take_for_beat();
        break;
    case REFRACTORY:
        signals_in_window = signals_in_window + 1;
        note_refractory();
        if (signals_in_window >= 3)
            enter_noise();
        break;
    case NOISY:
        noise_timer = noise_window;
        note_refractory();
        break;
    default:
        reach_error();
    }
}

void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    switch (parameter) {
    case LOWER_RATE:
        lower_interval = clamp(value, 40, 120);
        break;
    case ATRIAL_REFRACTORY:
        atrial_refractory = clamp(value, 10, 30);
        break;
    case NOISE_WINDOW:
        noise_window = clamp(value, 3, 9);
        break;
    case SENSITIVITY:
        sensitivity = clamp(value, 1, 8);
        break;
    default:
        break;
    }
}

/* A physician listens to the amplifier: markers for what it does now. */
int marker;

void send_marker(void) {
    if (state == WAITING)
        marker = 1;
    else if (state == REFRACTORY)
        marker = 2;
    else
        marker = 3;
    if (battery_low)
        marker = marker + 4;
}

void initialise(void) {
    state = WAITING;
    escape_timer = lower_interval;
}

void watch(void) {
    send_marker();
    if (state == NOISY && !asynchronous)
        reach_error();
    if (state == WAITING && state_timer > 0)
        reach_error();
    if (asynchronous && state != NOISY)
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
