/* An interpreter of a small public program over memory of which the lower half is public and the upper half secret.
 *
 * A step that would move a secret to a public cell, or jump on a secret, ends the run (a monitor of flows).
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define CELLS 8
#define PUBLIC 4
#define LENGTH 10

enum operation { MOVE, ADD, SET, JUMP_IF_ZERO, HALT };

int memory[CELLS];
int operation[LENGTH];
int source[LENGTH];
int target[LENGTH];

int is_public(int cell) { return cell < PUBLIC; }

int may_run(int code, int from, int to) {
    switch (code) {
    case MOVE:
        return is_public(from) || !is_public(to);
    case ADD:
        return is_public(from) || !is_public(to);
    case SET:
        return 1;
    case JUMP_IF_ZERO:
        return is_public(from);
    default:
        return 1;
    }
}

int bounded(int value) { return value % 1000; }

int step(int at) {
    int code = operation[at];
    int from = source[at];
    int to = target[at];
    if (!may_run(code, from, to))
        return LENGTH;
    switch (code) {
    case MOVE:
        memory[to] = memory[from];
        return at + 1;
    case ADD:
        memory[to] = bounded(memory[to]) + bounded(memory[from]);
        return at + 1;
    case SET:
        memory[to] = at;
        return at + 1;
    case JUMP_IF_ZERO:
        if (memory[from] == 0 && to > at)
            return to;
        return at + 1;
    default:
        return LENGTH;
    }
}

int run(int at, int fuel) {
    if (at >= LENGTH || fuel == 0)
        return fuel;
    return run(step(at), fuel - 1);
}

int read_within(int limit) {
    int value = __VERIFIER_nondet_int();
    sorrel_low(value);
    __VERIFIER_assume(0 <= value && value < limit);
    return value;
}

int main(void) {
    for (int i = 0; i < LENGTH; i++) {
        operation[i] = read_within(HALT + 1);
        source[i] = read_within(CELLS);
        target[i] = read_within(CELLS);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        memory[cell] = __VERIFIER_nondet_int();
        if (is_public(cell))
            sorrel_low(memory[cell]);
    }
    sorrel_assert_low(run(0, 20));
    for (int cell = 0; cell < PUBLIC; cell++)
        sorrel_assert_low(memory[cell]);
    return 0;
}
