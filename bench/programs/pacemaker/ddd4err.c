/* A pacemaker with mode switching: DDD while the atrium beats normally, DDI while it beats too fast, VOO in noise.
 *
 * Each interrupt is handled in three steps: what has been sensed, what the timers ask for, what the amplifiers need. The
 * impedance of the leads is measured from time to time, for which sensing is suspended, too. Fast atrial beats fill a
 * counter, slow ones drain it; a full counter switches to DDI, an empty one back to DDD, always at a beat of the ventricle.
 *
 * Property: sensing is suspended and resumed in turn, and is not suspended for more than two interrupts; the ventricle
 * follows the atrium only in DDD mode; nothing is paced while it is refractory; in a pulse no measurement is under way.
 *
 * The physician's programmer can ask for one pulse at once, for counters to be cleared, or for DDI mode.
 *
 * Wrong: the pulse that is asked for does not wait for the end of the refractory period. A request soon
 * after a beat shows it.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum mode { DDD, DDI, VOO };
enum cause { NOTHING, PULSE, MEASUREMENT };
enum request { NONE, PACE_ATRIUM, PACE_VENTRICLE, MEASURE };

#define BASE_INTERVAL 36
#define HYSTERESIS 6
#define AV_INTERVAL 7
#define FAST_ATRIUM 9
#define REFRACTORY_ATRIUM 11
#define REFRACTORY_VENTRICLE 9
#define TACHYCARDIA 8
#define NOISE_LIMIT 4
#define QUIET_LIMIT 12
#define MEASURE_EVERY 25

/* Mode */
int mode = DDD;
int wanted_mode = DDD;
int tachycardia_counter;
int noise_counter;
int quiet_counter;

/* Timing: counters up, in interrupts */
int since_ventricle;
int since_atrium;
int since_measurement;
int av_running;
int av_timer;
int atrium_refractory;
int ventricle_refractory;
int hysteresis_on;

/* Sensing */
int suspended;
int cause;
int resume_in;
int suspended_for;

/* Leads */
int impedance = 500;
int lead_broken;

int capped(int counter) { return counter < 1000 ? counter + 1 : counter; }

int count_down(int timer) { return timer > 0 ? timer - 1 : 0; }

/* Sensing */

void suspend_sensing(int reason) {
    if (suspended)
        reach_error();
    suspended = 1;
    cause = reason;
    suspended_for = 0;
    resume_in = reason == PULSE ? 2 : 1;
}

void resume_sensing(void) {
    if (!suspended)
        reach_error();
    suspended = 0;
    cause = NOTHING;
    resume_in = 0;
}

void serve_amplifiers(void) {
    if (suspended) {
        resume_in = count_down(resume_in);
        if (resume_in == 0)
            resume_sensing();
    }
}

/* A pulse cuts a measurement short; a second pulse waits for the first one to be over. */
int prepare_pulse(void) {
    if (suspended && cause == MEASUREMENT)
        resume_sensing();
    if (suspended)
        return 0;
    suspend_sensing(PULSE);
    return 1;
}

/* Mode switching */

void switch_mode(int new_mode) {
    if (new_mode == mode)
        return;
    mode = new_mode;
    if (mode != DDD) {
        av_running = 0;
        av_timer = 0;
    }
}

void judge_atrium(void) {
    if (since_atrium < FAST_ATRIUM) {
        if (tachycardia_counter < TACHYCARDIA)
            tachycardia_counter = tachycardia_counter + 1;
        if (tachycardia_counter == TACHYCARDIA)
            wanted_mode = DDI;
    } else {
        tachycardia_counter = count_down(tachycardia_counter);
        if (tachycardia_counter == 0)
            wanted_mode = DDD;
    }
}

void judge_noise(int noisy) {
    if (noisy) {
        quiet_counter = 0;
        if (noise_counter < NOISE_LIMIT)
            noise_counter = noise_counter + 1;
        if (noise_counter == NOISE_LIMIT)
            switch_mode(VOO);
    } else {
        quiet_counter = capped(quiet_counter);
        if (quiet_counter >= QUIET_LIMIT) {
            noise_counter = 0;
            if (mode == VOO)
                switch_mode(wanted_mode);
        }
    }
}

/* Beats */

void ventricle_has_beaten(int sensed) {
    if (mode != VOO)
        switch_mode(wanted_mode);
    since_ventricle = 0;
    av_running = 0;
    av_timer = 0;
    ventricle_refractory = REFRACTORY_VENTRICLE;
    atrium_refractory = REFRACTORY_ATRIUM;
    hysteresis_on = sensed;
}

void atrium_has_beaten(void) {
    judge_atrium();
    since_atrium = 0;
    if (mode == DDD && !av_running && ventricle_refractory == 0) {
        av_running = 1;
        av_timer = AV_INTERVAL;
    }
}

/* Pacing */

void pace_atrium(void) {
    if (mode == VOO)
        reach_error();
    if (atrium_refractory > 0)
        reach_error();
    if (!prepare_pulse())
        return;
    if (cause != PULSE)
        reach_error();
    since_atrium = 0;
    if (mode == DDD) {
        av_running = 1;
        av_timer = AV_INTERVAL;
    }
}

void pace_ventricle(int tracking) {
    if (tracking && mode != DDD)
        reach_error();
    if (ventricle_refractory > 0)
        reach_error();
    if (!prepare_pulse()) {
        /* The pulse of the atrium is not over: try again with the next interrupt. */
        if (tracking)
            av_timer = 1;
        return;
    }
    if (cause != PULSE)
        reach_error();
    ventricle_has_beaten(0);
}

void measure_leads(void) {
    if (suspended)
        return;
    suspend_sensing(MEASUREMENT);
    since_measurement = 0;
    impedance = __VERIFIER_nondet_int();
    lead_broken = impedance < 200 || impedance > 3000;
}

/* Commands of the programmer */

void clear_counters(void) {
    tachycardia_counter = 0;
    noise_counter = 0;
    quiet_counter = 0;
    wanted_mode = DDD;
}

void obey(int command) {
    switch (command) {
    case 4:
        if (!suspended || cause == MEASUREMENT)
            pace_ventricle(0);
        break;
    case 5:
        clear_counters();
        break;
    case 6:
        if (mode == DDD)
            wanted_mode = DDI;
        break;
    default:
        break;
    }
}

/* The three steps of an interrupt */

void sense(int signal) {
    int atrial = signal == 1 || signal == 3;
    int ventricular = signal == 2 || signal == 3;
    if (suspended || mode == VOO) {
        judge_noise(mode == VOO && signal == 3);
        return;
    }
    judge_noise(signal == 3);
    if (mode == VOO)
        return;
    if (ventricular && ventricle_refractory == 0)
        ventricle_has_beaten(1);
    else if (atrial && atrium_refractory == 0)
        atrium_has_beaten();
}

int escape_interval(void) { return hysteresis_on ? BASE_INTERVAL + HYSTERESIS : BASE_INTERVAL; }

int next_request(void) {
    if (av_running && av_timer == 0)
        return PACE_VENTRICLE;
    if (since_ventricle >= escape_interval() && !av_running)
        return PACE_VENTRICLE;
    if (mode != VOO && !av_running && atrium_refractory == 0 && since_atrium > AV_INTERVAL &&
        since_ventricle >= escape_interval() - AV_INTERVAL)
        return PACE_ATRIUM;
    if (since_measurement >= MEASURE_EVERY)
        return MEASURE;
    return NONE;
}

void advance_timers(void) {
    since_ventricle = capped(since_ventricle);
    since_atrium = capped(since_atrium);
    since_measurement = capped(since_measurement);
    av_timer = count_down(av_timer);
    atrium_refractory = count_down(atrium_refractory);
    ventricle_refractory = count_down(ventricle_refractory);
}

void act(void) {
    switch (next_request()) {
    case PACE_ATRIUM:
        pace_atrium();
        break;
    case PACE_VENTRICLE:
        pace_ventricle(av_running);
        break;
    case MEASURE:
        measure_leads();
        break;
    default:
        break;
    }
}

void monitor(void) {
    if (suspended) {
        suspended_for = suspended_for + 1;
        if (suspended_for > 2)
            reach_error();
    }
    if (suspended != (cause != NOTHING))
        reach_error();
    if (av_running && mode != DDD)
        reach_error();
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int signal = __VERIFIER_nondet_int();
        monitor();
        serve_amplifiers();
        if (signal >= 4)
            obey(signal);
        else
            sense(signal);
        advance_timers();
        act();
    }
    return 0;
}
