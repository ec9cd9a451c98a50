/* Explores all interleavings of a threaded program, or replays one.
 *
 *     interleave PROGRAM.so explore STATES VALUE...      breadth first, at most so many states
 *     interleave PROGRAM.so replay SCHEDULE VALUE...     SCHEDULE is `0x3,1x12`: three steps of main, twelve of thread 1
 *
 * The program is compiled as a shared object with -fsanitize=thread, so that the compiler announces each access to
 * shared memory, and linked with -z norelro, so that all its data are in one writable segment. Threads are coroutines;
 * a thread is suspended just before each access, so that one step is one access and the thread's own computation up to
 * the next one. Sequential consistency. A state is the program's writable data, and for each thread its stack and
 * registers; it is copied out and back to try another step from it. Linux on x86-64.
 *
 * Explored, `__VERIFIER_nondet_int` returns any of the given VALUEs; replayed, it returns them one after the other.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { THREADS = 8, STACK = 4096, VALUES = 16 };
enum status { ABSENT, RUNNABLE, LOCKING, JOINING, ASKING, FINISHED };

struct thread {
    enum status status;
    void *wanted; /* the mutex, or the number of the thread, that is waited for */
    int answer;   /* what nondet returns */
    void *(*body)(void *);
    void *argument;
};

static struct {
    struct thread threads[THREADS];
    int count;
    int atomic; /* depth of the atomic section of the running thread */
    int over;   /* main has returned, or an assumption is false */
} machine;

static char stacks[THREADS][STACK] __attribute__((aligned(64)));
static ucontext_t contexts[THREADS];
static ucontext_t scheduler;
static int running;
static int failed;
static char *data;
static size_t data_size;
static int (*program_main)(void);
static int values[VALUES];
static int value_count;

/* Threads */

static void suspend(enum status status, void *wanted) {
    if (machine.atomic)
        return;
    machine.threads[running].status = status;
    machine.threads[running].wanted = wanted;
    swapcontext(&contexts[running], &scheduler);
    machine.threads[running].status = RUNNABLE;
}

static void end_thread(void) {
    machine.threads[running].status = FINISHED;
    if (running == 0)
        machine.over = 1;
    swapcontext(&contexts[running], &scheduler);
}

static void start(void) {
    struct thread *self = &machine.threads[running];
    if (running == 0)
        program_main();
    else
        self->body(self->argument);
    end_thread();
}

static int launch(void *(*body)(void *), void *argument) {
    int number = machine.count++;
    if (number == THREADS) {
        fprintf(stderr, "more than %d threads\n", THREADS);
        exit(2);
    }
    machine.threads[number] = (struct thread){.status = RUNNABLE, .body = body, .argument = argument};
    memset(stacks[number], 0, STACK);
    getcontext(&contexts[number]);
    contexts[number].uc_stack.ss_sp = stacks[number];
    contexts[number].uc_stack.ss_size = STACK;
    contexts[number].uc_link = NULL;
    makecontext(&contexts[number], start, 0);
    return number;
}

static int may_run(int number) {
    struct thread *each = &machine.threads[number];
    switch (each->status) {
    case RUNNABLE:
    case ASKING:
        return 1;
    case LOCKING:
        return *(int *)each->wanted == 0;
    case JOINING:
        return machine.threads[(intptr_t)each->wanted].status == FINISHED;
    default:
        return 0;
    }
}

static void clear_below(int number) {
    /* What is left of returned calls must not tell states apart. */
    char *top = (char *)contexts[number].uc_mcontext.gregs[REG_RSP];
    memset(stacks[number], 0, (size_t)(top - stacks[number]));
}

static void step(int number, int answer) {
    running = number;
    machine.threads[number].answer = answer;
    swapcontext(&scheduler, &contexts[number]);
    clear_below(number);
}

/* What programs call */

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    (void)attributes;
    suspend(RUNNABLE, NULL);
    *handle = (pthread_t)launch(body, argument);
    return 0;
}

int pthread_join(pthread_t handle, void **result) {
    suspend(JOINING, (void *)handle);
    if (result)
        *result = NULL;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    (void)attributes;
    *(int *)mutex = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    suspend(LOCKING, mutex);
    if (*(int *)mutex)
        machine.over = 1; /* inside an atomic section: this run blocks for ever */
    *(int *)mutex = running + 1;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    suspend(RUNNABLE, NULL);
    *(int *)mutex = 0;
    return 0;
}

void __VERIFIER_atomic_begin(void) {
    suspend(RUNNABLE, NULL);
    machine.atomic++;
}

void __VERIFIER_atomic_end(void) { machine.atomic--; }

int __VERIFIER_nondet_int(void) {
    suspend(ASKING, NULL);
    return machine.threads[running].answer;
}

void __VERIFIER_assume(int condition) {
    if (!condition) {
        machine.over = 1;
        swapcontext(&contexts[running], &scheduler);
    }
}

void abort(void) {
    failed = 1;
    machine.over = 1;
    swapcontext(&contexts[running], &scheduler);
    for (;;) {
    }
}

/* What the compiler announces */

static void access_at(const volatile void *address) {
    if ((char *)address >= data && (char *)address < data + data_size)
        suspend(RUNNABLE, NULL);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_read4(void *address) { access_at(address); }
void __tsan_write4(void *address) { access_at(address); }
void __tsan_read8(void *address) { access_at(address); }
void __tsan_write8(void *address) { access_at(address); }

int __tsan_atomic32_load(const volatile int *address, int order) {
    (void)order;
    access_at(address);
    return *address;
}

void __tsan_atomic32_store(volatile int *address, int value, int order) {
    (void)order;
    access_at(address);
    *address = value;
}

int __tsan_atomic32_exchange(volatile int *address, int value, int order) {
    (void)order;
    access_at(address);
    int old = *address;
    *address = value;
    return old;
}

int __tsan_atomic32_fetch_add(volatile int *address, int value, int order) {
    (void)order;
    access_at(address);
    int old = *address;
    *address = old + value;
    return old;
}

int __tsan_atomic32_fetch_sub(volatile int *address, int value, int order) {
    return __tsan_atomic32_fetch_add(address, -value, order);
}

int __tsan_atomic32_compare_exchange_strong(volatile int *address, int *expected, int value, int order, int failure) {
    (void)order;
    (void)failure;
    access_at(address);
    if (*address == *expected) {
        *address = value;
        return 1;
    }
    *expected = *address;
    return 0;
}

int __tsan_atomic32_compare_exchange_weak(volatile int *address, int *expected, int value, int order, int failure) {
    return __tsan_atomic32_compare_exchange_strong(address, expected, value, order, failure);
}

/* States */

static const int KEPT[] = {REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15, REG_RSP, REG_RIP};
enum { KEPT_COUNT = sizeof KEPT / sizeof KEPT[0] };

struct state {
    size_t size;
    char bytes[];
};

static size_t used(int number) {
    return (size_t)(stacks[number] + STACK - (char *)contexts[number].uc_mcontext.gregs[REG_RSP]);
}

static struct state *save(void) {
    size_t size = sizeof machine + data_size;
    for (int i = 0; i < machine.count; i++)
        size += sizeof contexts[i].uc_mcontext.gregs + used(i);
    struct state *state = malloc(sizeof *state + size);
    char *to = state->bytes;
    state->size = size;
    to = mempcpy(to, &machine, sizeof machine);
    to = mempcpy(to, data, data_size);
    for (int i = 0; i < machine.count; i++) {
        greg_t gregs[NGREG] = {0};
        for (int k = 0; k < KEPT_COUNT; k++)
            gregs[KEPT[k]] = contexts[i].uc_mcontext.gregs[KEPT[k]];
        to = mempcpy(to, gregs, sizeof gregs);
        to = mempcpy(to, stacks[i] + STACK - used(i), used(i));
    }
    return state;
}

static void restore(const struct state *state) {
    const char *from = state->bytes;
    memcpy(&machine, from, sizeof machine);
    from += sizeof machine;
    memcpy(data, from, data_size);
    from += data_size;
    for (int i = 0; i < machine.count; i++) {
        greg_t *gregs = contexts[i].uc_mcontext.gregs;
        for (int k = 0; k < KEPT_COUNT; k++)
            gregs[KEPT[k]] = ((const greg_t *)from)[KEPT[k]];
        from += sizeof contexts[i].uc_mcontext.gregs;
        memcpy(stacks[i] + STACK - used(i), from, used(i));
        memset(stacks[i], 0, STACK - used(i));
        from += used(i);
    }
}

/* Exploration: states are known by two independent 64-bit digests. */

struct seen {
    uint64_t first, second;
};

struct origin {
    int parent;
    short thread, value;
};

static uint64_t digest(const struct state *state, uint64_t hash) {
    for (size_t i = 0; i < state->size; i++) {
        hash = (hash ^ (unsigned char)state->bytes[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash | 1;
}

static struct seen *table;
static size_t table_size;

static int is_new(const struct state *state) {
    struct seen key = {digest(state, 1469598103934665603u), digest(state, 0x9e3779b97f4a7c15u)};
    size_t place = key.first & (table_size - 1);
    while (table[place].first) {
        if (table[place].first == key.first && table[place].second == key.second)
            return 0;
        place = (place + 1) & (table_size - 1);
    }
    table[place] = key;
    return 1;
}

static void print_trace(const struct origin *origins, int last, int thread, int value) {
    int length = 0;
    for (int at = last; at > 0; at = origins[at].parent)
        length++;
    short *threads = malloc(sizeof *threads * (size_t)(length + 1));
    short *chosen = malloc(sizeof *chosen * (size_t)(length + 1));
    int place = length;
    threads[place] = (short)thread;
    chosen[place] = (short)value;
    for (int at = last; at > 0; at = origins[at].parent) {
        place--;
        threads[place] = origins[at].thread;
        chosen[place] = origins[at].value;
    }
    printf("schedule ");
    for (int i = 0; i <= length;) {
        int run = 1;
        while (i + run <= length && threads[i + run] == threads[i])
            run++;
        printf("%s%dx%d", i ? "," : "", threads[i], run);
        i += run;
    }
    printf("\nvalues");
    for (int i = 0; i <= length; i++)
        if (chosen[i] >= 0)
            printf(" %d", values[chosen[i]]);
    printf("\n");
}

static int explore(int most) {
    struct origin *origins = malloc(sizeof *origins * (size_t)most);
    struct state **queue = malloc(sizeof *queue * (size_t)most);
    int head = 0, tail = 0, stuck = 0;
    for (table_size = 1024; table_size < 2 * (size_t)most; table_size *= 2) {
    }
    table = calloc(table_size, sizeof *table);
    queue[tail] = save();
    origins[tail++] = (struct origin){-1, 0, -1};
    is_new(queue[0]);
    for (; head < tail; head++) {
        int moved = 0;
        restore(queue[head]);
        int count = machine.count;
        for (int thread = 0; thread < count; thread++) {
            restore(queue[head]);
            if (!may_run(thread))
                continue;
            moved = 1;
            int asks = machine.threads[thread].status == ASKING;
            for (int choice = 0; choice < (asks ? value_count : 1); choice++) {
                int value = asks ? choice : -1;
                restore(queue[head]);
                step(thread, asks ? values[choice] : 0);
                if (failed) {
                    printf("unsafe after %d states\n", tail);
                    print_trace(origins, head, thread, value);
                    return 1;
                }
                if (machine.over)
                    continue;
                struct state *next = save();
                if (!is_new(next)) {
                    free(next);
                    continue;
                }
                if (tail == most) {
                    printf("no error in %d states; there are more\n", most);
                    return 0;
                }
                origins[tail] = (struct origin){head, (short)thread, (short)value};
                queue[tail++] = next;
            }
        }
        stuck += !moved;
        free(queue[head]);
    }
    printf("safe: all %d states, %d of them deadlocks\n", tail, stuck);
    return 0;
}

static int replay(char *schedule) {
    int next_value = 0;
    for (char *part = strtok(schedule, ","); part; part = strtok(NULL, ",")) {
        int thread, times;
        if (sscanf(part, "%dx%d", &thread, &times) != 2) {
            fprintf(stderr, "%s is not a part of a schedule, such as 1x12\n", part);
            return 2;
        }
        for (; times > 0; times--) {
            if (machine.over || thread >= machine.count || !may_run(thread)) {
                printf("thread %d cannot run\n", thread);
                return 2;
            }
            int asks = machine.threads[thread].status == ASKING;
            if (asks && next_value == value_count) {
                printf("no more values\n");
                return 2;
            }
            step(thread, asks ? values[next_value++] : 0);
        }
    }
    printf("%s\n", failed ? "error" : "no error");
    return failed;
}

/* The program's writable data */

static int find_data(struct dl_phdr_info *info, size_t size, void *path) {
    (void)size;
    if (!info->dlpi_name || strcmp(info->dlpi_name, path) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_W)) {
            data = (char *)(info->dlpi_addr + header->p_vaddr);
            data_size = header->p_memsz;
        }
    }
    return 1;
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "interleave PROGRAM.so explore STATES VALUE... | replay SCHEDULE VALUE...\n");
        return 2;
    }
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    program_main = (int (*)(void))dlsym(library, "main");
    dl_iterate_phdr(find_data, arguments[1]);
    if (!program_main || !data) {
        fprintf(stderr, "%s has no main, or no data\n", arguments[1]);
        return 2;
    }
    for (int i = 4; i < count && value_count < VALUES; i++)
        values[value_count++] = atoi(arguments[i]);
    launch(NULL, NULL);
    if (strcmp(arguments[2], "explore") == 0)
        return explore(atoi(arguments[3]));
    return replay(arguments[3]);
}
