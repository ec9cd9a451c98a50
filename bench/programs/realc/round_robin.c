/* A scheduler for small tasks: three priorities, a ring of ready tasks for each, tasks that sleep or wait for a mutex. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define TASKS 8
#define PRIORITIES 3
#define IDLE (-1)

enum state { UNUSED, READY, RUNNING, SLEEPING, BLOCKED };

struct task {
    enum state state;
    int priority;
    int wake_up;
};

struct ring {
    int tasks[TASKS];
    int head;
    int count;
};

static struct task tasks[TASKS];
static struct ring ready[PRIORITIES];
static struct ring waiting; /* for the mutex */
static int owner = IDLE;
static int current = IDLE;
static int clock_ticks;

static void ring_push(struct ring *r, int id) {
    r->tasks[(r->head + r->count) % TASKS] = id;
    r->count++;
}

static int ring_pop(struct ring *r) {
    int id = r->tasks[r->head];
    r->head = (r->head + 1) % TASKS;
    r->count--;
    return id;
}

static void make_ready(int id) {
    tasks[id].state = READY;
    ring_push(&ready[tasks[id].priority], id);
}

static int task_create(int priority) {
    if (priority < 0 || priority >= PRIORITIES)
        return -1;
    for (int id = 0; id < TASKS; id++)
        if (tasks[id].state == UNUSED) {
            tasks[id].priority = priority;
            make_ready(id);
            return id;
        }
    return -1;
}

static void dispatch(void) {
    current = IDLE;
    for (int p = 0; p < PRIORITIES && current == IDLE; p++)
        if (ready[p].count > 0)
            current = ring_pop(&ready[p]);
    if (current != IDLE)
        tasks[current].state = RUNNING;
}

static void tick(void) {
    clock_ticks = (clock_ticks + 1) % 1000;
    for (int id = 0; id < TASKS; id++)
        if (tasks[id].state == SLEEPING && tasks[id].wake_up == clock_ticks)
            make_ready(id);
    if (current != IDLE)
        make_ready(current);
    dispatch();
}

static void sleep_for(int ticks) {
    if (current == IDLE || ticks <= 0 || ticks >= 1000)
        return;
    tasks[current].state = SLEEPING;
    tasks[current].wake_up = (clock_ticks + ticks) % 1000;
    dispatch();
}

static void mutex_lock(void) {
    if (current == IDLE || owner == current)
        return;
    if (owner == IDLE) {
        owner = current;
        return;
    }
    tasks[current].state = BLOCKED;
    ring_push(&waiting, current);
    dispatch();
}

static void mutex_unlock(void) {
    if (current == IDLE || owner != current)
        return;
    owner = IDLE;
    if (waiting.count > 0) {
        owner = ring_pop(&waiting);
        make_ready(owner);
    }
}

static void task_exit(void) {
    if (current == IDLE)
        return;
    mutex_unlock();
    tasks[current].state = UNUSED;
    dispatch();
}

static void check(void) {
    int count[BLOCKED + 1] = {0};
    for (int id = 0; id < TASKS; id++)
        count[tasks[id].state]++;
    assert(count[RUNNING] == (current != IDLE));
    assert(count[READY] == ready[0].count + ready[1].count + ready[2].count);
    assert(count[BLOCKED] == waiting.count && (waiting.count == 0 || owner != IDLE));
    assert(owner == IDLE || (tasks[owner].state != UNUSED && tasks[owner].state != BLOCKED));
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: task_create(__VERIFIER_nondet_int()); break;
        case 1: sleep_for(__VERIFIER_nondet_int()); break;
        case 2: mutex_lock(); break;
        case 3: mutex_unlock(); break;
        case 4: task_exit(); break;
        default: tick();
        }
        check();
    }
    return 0;
}
