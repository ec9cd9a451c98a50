/* A pacemaker in DDD mode: both chambers are paced, both are sensed, and what is sensed inhibits or triggers.
 *
 * Time is measured in interrupts. A pace blinds the amplifiers, so sensing is suspended for it and resumed soon after.
 *
 * Property: sensing of a chamber is suspended only while it is on and resumed only while it is suspended, and it is not
 * suspended for more than two interrupts.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum interrupt { TICK, ATRIAL_SIGNAL, VENTRICULAR_SIGNAL, PROGRAMMER, MAGNET };
enum parameter { LOWER_RATE, AV_DELAY, ATRIAL_REFRACTORY, VENTRICULAR_REFRACTORY, AMPLITUDE };

#define BLANKING 2
#define CROSSTALK_WINDOW 3
#define SAFETY_DELAY 4

/* Programmed by the physician, within limits. */
int lower_rate_interval = 40;
int av_delay = 8;
int atrial_refractory = 12;
int ventricular_refractory = 10;
int amplitude = 3;

/* Timers, in interrupts that are left; 0 is off. */
int escape_timer;
int av_timer;
int atrial_refractory_timer;
int ventricular_refractory_timer;
int crosstalk_timer;
int atrial_blanking_timer;
int ventricular_blanking_timer;

/* Amplifiers */
int sensing_atrium;
int sensing_ventricle;

/* What is reported to the physician. */
int atrial_paces;
int ventricular_paces;
int premature_beats;
int magnet_present;

/* The monitor: for how many interrupts sensing has been suspended. */
int atrium_suspended_for;
int ventricle_suspended_for;

/* Sensing */

void suspend_atrium(void) {
    if (!sensing_atrium)
        reach_error();
    sensing_atrium = 0;
    atrium_suspended_for = 0;
    atrial_blanking_timer = BLANKING;
}

void resume_atrium(void) {
    if (sensing_atrium)
        reach_error();
    sensing_atrium = 1;
}

void suspend_ventricle(void) {
    if (!sensing_ventricle)
        reach_error();
    sensing_ventricle = 0;
    ventricle_suspended_for = 0;
    ventricular_blanking_timer = BLANKING;
}

void resume_ventricle(void) {
    if (sensing_ventricle)
        reach_error();
    sensing_ventricle = 1;
}

/* At the end of each interrupt: blanking that is over resumes sensing. */
void count_blanking(void) {
    if (atrial_blanking_timer > 0) {
        atrial_blanking_timer = atrial_blanking_timer - 1;
        if (atrial_blanking_timer == 0)
            resume_atrium();
    }
    if (ventricular_blanking_timer > 0) {
        ventricular_blanking_timer = ventricular_blanking_timer - 1;
        if (ventricular_blanking_timer == 0)
            resume_ventricle();
    }
}

void monitor(void) {
    if (!sensing_atrium) {
        atrium_suspended_for = atrium_suspended_for + 1;
        if (atrium_suspended_for > 2)
            reach_error();
    }
    if (!sensing_ventricle) {
        ventricle_suspended_for = ventricle_suspended_for + 1;
        if (ventricle_suspended_for > 2)
            reach_error();
    }
}

/* Timing cycles */

int count_down(int timer) { return timer > 0 ? timer - 1 : 0; }

void count_event(int ventricular) {
    if (ventricular && ventricular_paces < 10000)
        ventricular_paces = ventricular_paces + 1;
    if (!ventricular && atrial_paces < 10000)
        atrial_paces = atrial_paces + 1;
}

void start_av_interval(void) {
    escape_timer = 0;
    av_timer = av_delay;
    atrial_refractory_timer = atrial_refractory;
}

/* A beat of the ventricle, paced or sensed, starts the cycle anew. */
void start_cycle(void) {
    av_timer = 0;
    crosstalk_timer = 0;
    escape_timer = lower_rate_interval - av_delay;
    ventricular_refractory_timer = ventricular_refractory;
    atrial_refractory_timer = atrial_refractory;
}

/* Pacing */

/* A pulse in one chamber is seen by the amplifiers of both. A chamber that is blind already stays so for its time. */
void blind_both(void) {
    if (sensing_atrium)
        suspend_atrium();
    if (sensing_ventricle)
        suspend_ventricle();
}

void pace_atrium(void) {
    if (amplitude > 0) {
        blind_both();
        count_event(0);
    }
    start_av_interval();
    crosstalk_timer = CROSSTALK_WINDOW;
}

void pace_ventricle(void) {
    if (amplitude > 0) {
        blind_both();
        count_event(1);
    }
    start_cycle();
}

/* Interrupts */

void on_tick(void) {
    atrial_refractory_timer = count_down(atrial_refractory_timer);
    ventricular_refractory_timer = count_down(ventricular_refractory_timer);
    crosstalk_timer = count_down(crosstalk_timer);
    if (av_timer > 0) {
        av_timer = av_timer - 1;
        if (av_timer == 0)
            pace_ventricle();
    } else if (escape_timer > 0) {
        escape_timer = escape_timer - 1;
        if (escape_timer == 0)
            pace_atrium();
    } else {
        start_cycle();
    }
}

void on_atrial_signal(void) {
    if (!sensing_atrium || magnet_present)
        return;
    if (atrial_refractory_timer > 0)
        return;
    if (av_timer == 0)
        start_av_interval();
}

void on_ventricular_signal(void) {
    if (!sensing_ventricle || magnet_present)
        return;
    if (ventricular_refractory_timer > 0)
        return;
    if (crosstalk_timer > 0) {
        /* It may be the echo of the atrial pulse: pace early, to be safe. */
        if (av_timer > SAFETY_DELAY)
            av_timer = SAFETY_DELAY;
        return;
    }
    if (av_timer == 0 && premature_beats < 10000)
        premature_beats = premature_beats + 1;
    start_cycle();
}

int clamp(int value, int low, int high) {
    if (value < low)
        return low;
    return value > high ? high : value;
}

void on_programmer(void) {
    int parameter = __VERIFIER_nondet_int();
    int value = __VERIFIER_nondet_int();
    switch (parameter) {
    case LOWER_RATE:
        lower_rate_interval = clamp(value, 24, 80);
        break;
    case AV_DELAY:
        av_delay = clamp(value, 4, 15);
        break;
    case ATRIAL_REFRACTORY:
        atrial_refractory = clamp(value, 6, 20);
        break;
    case VENTRICULAR_REFRACTORY:
        ventricular_refractory = clamp(value, 6, 20);
        break;
    case AMPLITUDE:
        amplitude = clamp(value, 0, 7);
        break;
    default:
        break;
    }
}

void on_magnet(void) { magnet_present = !magnet_present; }

void initialise(void) {
    sensing_atrium = 1;
    sensing_ventricle = 1;
    start_cycle();
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
    default:
        break;
    }
}

int main(void) {
    initialise();
    while (__VERIFIER_nondet_int()) {
        monitor();
        count_blanking();
        handle(__VERIFIER_nondet_int());
    }
    return 0;
}
