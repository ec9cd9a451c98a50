/* A pool of blocks of one size: free blocks are a list of indices, so that taking and giving back cost the same. */
#include <assert.h>

#define BLOCKS 32
#define BLOCK 16
#define NONE (-1)

extern int __VERIFIER_nondet_int(void);

struct pool {
    unsigned char memory[BLOCKS * BLOCK];
    int next[BLOCKS];
    int taken[BLOCKS];
    int first;
    int free;
};

static void pool_init(struct pool *pool) {
    for (int i = 0; i < BLOCKS; i++) {
        pool->next[i] = i + 1 < BLOCKS ? i + 1 : NONE;
        pool->taken[i] = 0;
    }
    pool->first = 0;
    pool->free = BLOCKS;
}

/* The index of a block, or NONE. */
static int pool_take(struct pool *pool) {
    int block = pool->first;
    if (block == NONE || pool->free == 0)
        return NONE;
    pool->first = pool->next[block];
    pool->next[block] = NONE;
    pool->taken[block] = 1;
    pool->free--;
    return block;
}

static int pool_give(struct pool *pool, int block) {
    if (block < 0 || block >= BLOCKS || !pool->taken[block])
        return -1;
    pool->taken[block] = 0;
    pool->next[block] = pool->first;
    pool->first = block;
    if (pool->free < BLOCKS)
        pool->free++;
    return 0;
}

static void pool_write(struct pool *pool, int block, int offset, unsigned char byte) {
    if (offset >= 0 && offset <= BLOCK)
        pool->memory[block * BLOCK + offset] = byte;
}

static int pool_read(const struct pool *pool, int block, int offset) {
    if (offset < 0 || offset >= BLOCK)
        return -1;
    return pool->memory[block * BLOCK + offset];
}

static void pool_fill(struct pool *pool, int block, unsigned char byte) {
    for (int i = 0; i < BLOCK; i++)
        pool_write(pool, block, i, byte);
}

int main(void) {
    struct pool pool;
    int held = NONE, sum = 0;
    pool_init(&pool);
    while (__VERIFIER_nondet_int()) {
        int choice = __VERIFIER_nondet_int();
        if (choice == 0 && held == NONE) {
            held = pool_take(&pool);
            if (held != NONE)
                pool_fill(&pool, held, 0);
        } else if (choice == 1 && held != NONE) {
            pool_write(&pool, held, __VERIFIER_nondet_int(), 7);
            sum = pool_read(&pool, held, __VERIFIER_nondet_int());
            assert(sum >= -1 && sum <= 255);
        } else if (choice == 2 && held != NONE) {
            pool_give(&pool, held);
            held = NONE;
        } else if (choice == 3) {
            pool_take(&pool);
        }
        assert(pool.free >= 0 && pool.free <= BLOCKS);
    }
    return 0;
}
