/* An arena: blocks are handed out one behind the other, aligned, and given back all at once or to a mark. */
#include <assert.h>
#include <stddef.h>

#define SIZE 1024

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct arena {
    unsigned char *memory;
    unsigned int size;
    unsigned int used;
    unsigned int peak;
};

static unsigned char storage[SIZE];

static void arena_init(struct arena *arena, unsigned char *memory, unsigned int size) {
    arena->memory = memory;
    arena->size = size;
    arena->used = 0;
    arena->peak = 0;
}

static unsigned int align_up(unsigned int offset, unsigned int alignment) {
    unsigned int rest = offset % alignment;
    return rest == 0 ? offset : offset + (alignment - rest);
}

static unsigned char *arena_alloc(struct arena *arena, unsigned int size, unsigned int alignment) {
    if (alignment == 0 || alignment > 64)
        return NULL;
    unsigned int begin = align_up(arena->used, alignment);
    if (begin > arena->size || begin + size > arena->size)
        return NULL;
    arena->used = begin + size;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
    return &arena->memory[begin];
}

static unsigned int arena_mark(const struct arena *arena) {
    return arena->used;
}

static int arena_release(struct arena *arena, unsigned int mark) {
    if (mark > arena->used)
        return -1;
    arena->used = mark;
    return 0;
}

static void clear(unsigned char *block, unsigned int size) {
    for (unsigned int i = 0; i < size; i++)
        block[i] = 0;
}

static unsigned char *arena_zeroed(struct arena *arena, unsigned int size) {
    unsigned char *block = arena_alloc(arena, size, 8);
    if (block != NULL)
        clear(block, size);
    return block;
}

int main(void) {
    struct arena arena;
    unsigned int mark = 0;
    arena_init(&arena, storage, SIZE);
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: {
            unsigned int size = __VERIFIER_nondet_uint();
            unsigned char *block = arena_alloc(&arena, size, __VERIFIER_nondet_uint());
            if (block != NULL && size > 0) {
                block[0] = 1;
                block[size - 1] = 1;
            }
            break;
        }
        case 1:
            arena_zeroed(&arena, __VERIFIER_nondet_uint());
            break;
        case 2:
            mark = arena_mark(&arena);
            break;
        default:
            arena_release(&arena, mark);
        }
        assert(arena.used <= SIZE);
        assert(arena.used <= arena.peak);
    }
    return 0;
}
