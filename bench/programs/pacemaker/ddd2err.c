/* A pacemaker in DDD mode, written as a machine of phases of the cardiac cycle, with an upper rate limit.
 *
 * Phases: alert (both chambers are sensed), AV delay, upper-rate wait (an atrial beat is followed later than the AV delay
 * asks for, so that the ventricle is not driven too fast), refractory. Amplifiers are toggled around each pace, one after
 * the other: first off, then the pulse, then on again when the capacitor has been recharged.
 *
 * Property: amplifiers are off for not more than two interrupts; the ventricle is paced at most once in the upper rate
 * interval; a pulse is given only while its amplifier is off and its capacitor is charged.
 *
 * Wrong: the pulse to the ventricle switches both amplifiers off, so that its echo is not taken for an atrial beat, but the
 * atrial one is not tied to a capacitor that would switch it on again. The first pace of the ventricle shows it.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum phase { ALERT, AV_DELAY, UPPER_RATE_WAIT, REFRACTORY };
enum chamber { ATRIUM, VENTRICLE };
enum amplifier { OFF, ON };

#define UPPER_RATE_INTERVAL 20
#define LOWER_RATE_INTERVAL 40
#define AV_INTERVAL 8
#define PVARP 10
#define PVARP_EXTENDED 16
#define RECHARGE 2

int phase;
int phase_timer;
int since_ventricle; /* interrupts since the last beat of the ventricle, up to the lower rate interval */
int since_pace;      /* the same since the last pace of the ventricle */
int atrial_beat_seen;
int premature;

int amplifier_atrium = ON;
int amplifier_ventricle = ON;
int recharge_atrium;
int recharge_ventricle;
int off_for_atrium;
int off_for_ventricle;

/* Markers that are sent to the programmer: one letter for each of the last events. */
int markers[16];
int marker_count;

void mark(int letter) {
    markers[marker_count % 16] = letter;
    marker_count = (marker_count + 1) % 16;
}

/* Amplifiers and capacitors */

void switch_off(int chamber) {
    if (chamber == ATRIUM) {
        if (amplifier_atrium == OFF)
            reach_error();
        amplifier_atrium = OFF;
        off_for_atrium = 0;
    } else {
        if (amplifier_ventricle == OFF)
            reach_error();
        amplifier_ventricle = OFF;
        off_for_ventricle = 0;
    }
}

void switch_on(int chamber) {
    if (chamber == ATRIUM) {
        if (amplifier_atrium == ON)
            reach_error();
        amplifier_atrium = ON;
    } else {
        if (amplifier_ventricle == ON)
            reach_error();
        amplifier_ventricle = ON;
    }
}

void pulse(int chamber) {
    if (chamber == ATRIUM) {
        if (amplifier_atrium == ON || recharge_atrium > 0)
            reach_error();
        recharge_atrium = RECHARGE;
        mark('A');
    } else {
        if (amplifier_ventricle == ON || recharge_ventricle > 0)
            reach_error();
        if (since_pace < UPPER_RATE_INTERVAL)
            reach_error();
        recharge_ventricle = RECHARGE;
        since_pace = 0;
        mark('V');
    }
}

void recharge(void) {
    if (recharge_atrium > 0) {
        recharge_atrium = recharge_atrium - 1;
        if (recharge_atrium == 0)
            switch_on(ATRIUM);
    }
    if (recharge_ventricle > 0) {
        recharge_ventricle = recharge_ventricle - 1;
        if (recharge_ventricle == 0)
            switch_on(VENTRICLE);
    }
}

/* Phases */

void enter_alert(void) {
    phase = ALERT;
    phase_timer = 0;
    atrial_beat_seen = 0;
}

void enter_av_delay(void) {
    phase = AV_DELAY;
    phase_timer = AV_INTERVAL;
    atrial_beat_seen = 1;
}

void enter_refractory(void) {
    phase = REFRACTORY;
    phase_timer = premature ? PVARP_EXTENDED : PVARP;
    premature = 0;
    since_ventricle = 0;
}

void pace_atrium(void) {
    if (recharge_atrium == 0) {
        switch_off(ATRIUM);
        pulse(ATRIUM);
    }
    enter_av_delay();
}

void pace_ventricle(void) {
    if (recharge_ventricle == 0) {
        switch_off(VENTRICLE);
        if (amplifier_atrium == ON)
            switch_off(ATRIUM);
        pulse(VENTRICLE);
    }
    enter_refractory();
}

void end_of_av_delay(void) {
    if (since_ventricle < UPPER_RATE_INTERVAL || since_pace < UPPER_RATE_INTERVAL) {
        phase = UPPER_RATE_WAIT;
        phase_timer = UPPER_RATE_INTERVAL - (since_pace < since_ventricle ? since_pace : since_ventricle);
        mark('w');
    } else {
        pace_ventricle();
    }
}

void end_of_phase(void) {
    switch (phase) {
    case AV_DELAY:
        end_of_av_delay();
        break;
    case UPPER_RATE_WAIT:
        pace_ventricle();
        break;
    case REFRACTORY:
        enter_alert();
        break;
    default:
        break;
    }
}

/* Interrupts */

void on_tick(void) {
    if (since_ventricle < LOWER_RATE_INTERVAL)
        since_ventricle = since_ventricle + 1;
    if (since_pace < LOWER_RATE_INTERVAL)
        since_pace = since_pace + 1;
    if (phase_timer > 0) {
        phase_timer = phase_timer - 1;
        if (phase_timer == 0)
            end_of_phase();
    }
    if (phase == ALERT && since_ventricle >= LOWER_RATE_INTERVAL - AV_INTERVAL)
        pace_atrium();
}

void on_atrial_signal(void) {
    if (amplifier_atrium == OFF)
        return;
    mark('a');
    if (phase == ALERT)
        enter_av_delay();
}

void on_ventricular_signal(void) {
    if (amplifier_ventricle == OFF)
        return;
    mark('v');
    if (phase == ALERT && !atrial_beat_seen) {
        premature = 1;
        enter_refractory();
    } else if (phase == AV_DELAY || phase == UPPER_RATE_WAIT) {
        enter_refractory();
    }
}

void monitor(void) {
    if (amplifier_atrium == OFF) {
        off_for_atrium = off_for_atrium + 1;
        if (off_for_atrium > 2)
            reach_error();
    }
    if (amplifier_ventricle == OFF) {
        off_for_ventricle = off_for_ventricle + 1;
        if (off_for_ventricle > 2)
            reach_error();
    }
    if (phase == UPPER_RATE_WAIT && phase_timer > UPPER_RATE_INTERVAL)
        reach_error();
}

int main(void) {
    since_ventricle = 0;
    since_pace = LOWER_RATE_INTERVAL;
    enter_alert();
    while (__VERIFIER_nondet_int()) {
        int interrupt = __VERIFIER_nondet_int();
        monitor();
        recharge();
        if (interrupt == 0)
            on_tick();
        else if (interrupt == 1)
            on_atrial_signal();
        else if (interrupt == 2)
            on_ventricular_signal();
    }
    return 0;
}
