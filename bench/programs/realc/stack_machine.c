/* A machine with a stack: programs are bytes, every step is checked before it is taken. */
#include <assert.h>

#define STACK 16
#define CODE 32
#define STEPS 1000

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum instruction { HALT, PUSH, POP, ADD, SUBTRACT, DUPLICATE, SWAP, JUMP, JUMP_IF_ZERO };
enum status { RUNNING, HALTED, UNDERFLOW, OVERFLOW, BAD_CODE, OUT_OF_STEPS };

struct machine {
    const unsigned char *code;
    int size;
    int counter;
    int stack[STACK];
    int depth;
};

static void machine_init(struct machine *m, const unsigned char *code, int size) {
    m->code = code;
    m->size = size;
    m->counter = 0;
    m->depth = 0;
}

static int wrap(int value) {
    return value > 30000 || value < -30000 ? 0 : value;
}

static int fetch(struct machine *m) {
    if (m->counter >= m->size)
        return -1;
    return m->code[m->counter++];
}

static enum status push(struct machine *m, int value) {
    if (m->depth == STACK)
        return OVERFLOW;
    m->stack[m->depth++] = value;
    return RUNNING;
}

static enum status binary(struct machine *m, int operation) {
    if (m->depth < 2)
        return UNDERFLOW;
    int right = wrap(m->stack[m->depth - 1]);
    int left = wrap(m->stack[m->depth - 2]);
    m->depth--;
    m->stack[m->depth - 1] = wrap(operation == ADD ? left + right : left - right);
    return RUNNING;
}

static enum status swap(struct machine *m) {
    if (m->depth < 2)
        return UNDERFLOW;
    int top = m->stack[m->depth - 1];
    m->stack[m->depth - 1] = m->stack[m->depth - 2];
    m->stack[m->depth - 2] = top;
    return RUNNING;
}

static enum status jump(struct machine *m, int taken) {
    int target = fetch(m);
    if (target < 0 || target >= m->size)
        return BAD_CODE;
    if (taken)
        m->counter = target;
    return RUNNING;
}

static enum status step(struct machine *m) {
    int operand;
    int instruction = fetch(m);
    switch (instruction) {
    case HALT:
        return HALTED;
    case PUSH:
        operand = fetch(m);
        return operand < 0 ? BAD_CODE : push(m, operand);
    case POP:
        if (m->depth == 0)
            return UNDERFLOW;
        m->depth--;
        return RUNNING;
    case ADD:
    case SUBTRACT:
        return binary(m, instruction);
    case DUPLICATE:
        return m->depth == 0 ? UNDERFLOW : push(m, m->stack[m->depth - 1]);
    case SWAP:
        return swap(m);
    case JUMP:
        return jump(m, 1);
    case JUMP_IF_ZERO:
        if (m->depth == 0)
            return UNDERFLOW;
        m->depth--;
        return jump(m, m->stack[m->depth] == 0);
    default:
        return BAD_CODE;
    }
}

int main(void) {
    unsigned char code[CODE];
    struct machine m;
    enum status status = RUNNING;
    int steps = 0;
    for (int i = 0; i < CODE; i++)
        code[i] = __VERIFIER_nondet_uchar();
    machine_init(&m, code, CODE);
    while (status == RUNNING) {
        status = steps < STEPS ? step(&m) : OUT_OF_STEPS;
        steps++;
        assert(m.depth >= 0 && m.depth <= STACK);
        assert(m.counter >= 0 && m.counter <= CODE);
    }
    return status != HALTED;
}
