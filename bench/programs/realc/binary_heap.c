/* A queue ordered by priority: a binary heap in an array that grows. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int priority;
    int payload;
};

struct heap {
    struct item *items;
    int count;
    int capacity;
};

static int heap_init(struct heap *heap, int capacity) {
    heap->items = malloc(sizeof(struct item) * (size_t)capacity);
    if (heap->items == NULL)
        return -1;
    heap->count = 0;
    heap->capacity = capacity;
    return 0;
}

static void heap_free(struct heap *heap) {
    free(heap->items);
    heap->items = NULL;
}

static int heap_grow(struct heap *heap) {
    if (heap->capacity > 100000)
        return -1;
    int capacity = heap->capacity * 2;
    struct item *items = malloc(sizeof(struct item) * (size_t)capacity);
    if (items == NULL)
        return -1;
    for (int i = 0; i < heap->count; i++)
        items[i] = heap->items[i];
    free(heap->items);
    heap->items = items;
    heap->capacity = capacity;
    return 0;
}

static void exchange(struct heap *heap, int i, int j) {
    struct item item = heap->items[i];
    heap->items[i] = heap->items[j];
    heap->items[j] = item;
}

static void sift_up(struct heap *heap, int i) {
    while (i > 0) {
        int parent = (i - 1) / 2;
        if (heap->items[parent].priority <= heap->items[i].priority)
            return;
        exchange(heap, i, parent);
        i = parent;
    }
}

static void sift_down(struct heap *heap, int i) {
    for (;;) {
        int least = i, left = 2 * i + 1, right = 2 * i + 2;
        if (left < heap->count && heap->items[left].priority < heap->items[least].priority)
            least = left;
        if (right < heap->count && heap->items[right].priority < heap->items[least].priority)
            least = right;
        if (least == i)
            return;
        exchange(heap, i, least);
        i = least;
    }
}

static int heap_push(struct heap *heap, int priority, int payload) {
    if (heap->count == heap->capacity && heap_grow(heap) != 0)
        return -1;
    heap->items[heap->count].priority = priority;
    heap->items[heap->count].payload = payload;
    sift_up(heap, heap->count);
    heap->count++;
    return 0;
}

static int heap_pop(struct heap *heap, struct item *item) {
    if (heap->count == 0)
        return 0;
    *item = heap->items[0];
    heap->count--;
    heap->items[0] = heap->items[heap->count];
    sift_down(heap, 0);
    return 1;
}

int main(void) {
    struct heap heap;
    struct item item;
    if (heap_init(&heap, 4) != 0)
        return 1;
    while (__VERIFIER_nondet_int()) {
        int before = heap.count;
        if (__VERIFIER_nondet_int()) {
            if (heap_push(&heap, __VERIFIER_nondet_int(), 0) == 0)
                assert(heap.count == before + 1);
        } else if (heap_pop(&heap, &item)) {
            assert(heap.count == before - 1);
        }
        assert(heap.count <= heap.capacity);
    }
    heap_free(&heap);
    return 0;
}
