/* A floppy disk driver: a motor that is slow, a medium that may be changed, and a queue of sectors.
 *
 * Rules: the head moves and data are read only while the motor runs at speed; the motor is switched on only when it is
 * off, and off only when it is on; after a change of medium nothing is read before the geometry is known again; the
 * cylinder stays on the disk.
 *
 * Wrong: between two tries the driver lets a tick pass without restarting the idle timer, and looks for the medium only
 * on the first try; the motor may have stopped before a later try.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define CYLINDERS 80
#define SPIN_UP 3
#define IDLE_LIMIT 5
#define RETRIES 4

enum motor { OFF, SPINNING_UP, AT_SPEED };
enum result { DONE, RETRY, MEDIA_CHANGED, NO_MEDIA, FAILED };

int motor;
int spin_ticks;
int idle_ticks;
int geometry_known;
int sectors_per_track;
int cylinder;
int recalibrated;

void motor_on(void) {
    if (motor != OFF)
        reach_error();
    motor = SPINNING_UP;
    spin_ticks = 0;
    idle_ticks = 0;
}

void motor_off(void) {
    if (motor == OFF)
        reach_error();
    motor = OFF;
    recalibrated = 0;
}

void tick(void) {
    if (motor == SPINNING_UP) {
        spin_ticks = spin_ticks + 1;
        if (spin_ticks >= SPIN_UP)
            motor = AT_SPEED;
    } else if (motor == AT_SPEED) {
        idle_ticks = idle_ticks + 1;
        if (idle_ticks > IDLE_LIMIT)
            motor_off();
    }
}

void wait_for_speed(void) {
    if (motor == OFF)
        motor_on();
    while (motor == SPINNING_UP)
        tick();
    idle_ticks = 0;
}

void move_head(int target) {
    if (motor != AT_SPEED)
        reach_error();
    if (target < 0 || target >= CYLINDERS)
        reach_error();
    while (cylinder < target)
        cylinder = cylinder + 1;
    while (cylinder > target)
        cylinder = cylinder - 1;
}

void recalibrate(void) {
    move_head(0);
    recalibrated = 1;
}

int sense_medium(void) {
    int answer = __VERIFIER_nondet_int();
    if (answer == 0)
        return DONE;
    geometry_known = 0;
    return answer > 0 ? MEDIA_CHANGED : NO_MEDIA;
}

int learn_geometry(void) {
    int found;
    if (motor != AT_SPEED)
        reach_error();
    found = __VERIFIER_nondet_int();
    if (found == 9 || found == 15 || found == 18) {
        sectors_per_track = found;
        geometry_known = 1;
        return DONE;
    }
    return FAILED;
}

int read_sector(int sector) {
    int track;
    if (!geometry_known)
        reach_error();
    if (sectors_per_track <= 0)
        reach_error();
    track = sector / sectors_per_track;
    if (track / 2 >= CYLINDERS)
        return FAILED;
    move_head(track / 2);
    return __VERIFIER_nondet_int() ? DONE : RETRY;
}

int prepare(void) {
    int result;
    wait_for_speed();
    if (!recalibrated)
        recalibrate();
    result = sense_medium();
    if (result == NO_MEDIA)
        return NO_MEDIA;
    if (!geometry_known)
        return learn_geometry();
    return DONE;
}

void pause_between_tries(void) {
    int ticks = __VERIFIER_nondet_int();
    while (ticks > 0 && motor != OFF) {
        tick();
        ticks = ticks - 1;
    }
}

int serve(int sector) {
    int tries = 0;
    int result = RETRY;
    int ready = prepare();
    if (ready != DONE)
        return ready;
    while (result == RETRY && tries < RETRIES) {
        result = read_sector(sector);
        if (result == RETRY)
            pause_between_tries();
        tries = tries + 1;
    }
    return result;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int event = __VERIFIER_nondet_int();
        if (event == 0) {
            int sector = __VERIFIER_nondet_int();
            if (sector >= 0)
                serve(sector);
        } else if (event == 1) {
            tick();
        } else if (event == 2 && motor != OFF) {
            motor_off();
        }
        if (cylinder < 0 || cylinder >= CYLINDERS)
            reach_error();
        if (motor == SPINNING_UP && spin_ticks >= SPIN_UP)
            reach_error();
    }
    return 0;
}
