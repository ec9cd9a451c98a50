/* Filling an area of a picture: spans are kept on a stack of fixed size, and what does not fit there is found again. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIDE_MAX 16
#define STACK 24

struct picture {
    int width;
    int height;
    uint8_t *pixels;
};

struct seed {
    int x;
    int y;
};

struct stack {
    struct seed seeds[STACK];
    int depth;
    int lost; /* seeds that did not fit */
};

static int picture_create(struct picture *p, int width, int height) {
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return -1;
    p->pixels = malloc((size_t)width * (size_t)height);
    if (p->pixels == NULL)
        return -1;
    p->width = width;
    p->height = height;
    return 0;
}

static uint8_t *pixel(const struct picture *p, int x, int y) {
    return &p->pixels[y * p->width + x];
}

static void push(struct stack *s, int x, int y) {
    if (s->depth == STACK) {
        s->lost++;
        return;
    }
    s->seeds[s->depth].x = x;
    s->seeds[s->depth].y = y;
    s->depth++;
}

/* Fills the span of one row around x; pushes the beginnings of such spans above and below. */
static int fill_span(struct picture *p, struct stack *s, int x, int y, uint8_t old, uint8_t new) {
    int left = x, right = x, filled = 0;
    if (*pixel(p, x, y) != old)
        return 0;
    while (left > 0 && *pixel(p, left - 1, y) == old)
        left--;
    while (right + 1 < p->width && *pixel(p, right + 1, y) == old)
        right++;
    for (int i = left; i <= right; i++) {
        *pixel(p, i, y) = new;
        filled++;
    }
    for (int row = y - 1; row <= y + 1; row += 2) {
        if (row < 0 || row >= p->height)
            continue;
        for (int i = left; i <= right; i++)
            if (*pixel(p, i, row) == old && (i == left || *pixel(p, i - 1, row) != old))
                push(s, i, row);
    }
    return filled;
}

/* Looks for a pixel of the old colour beside one of the new. */
static int find_border(const struct picture *p, uint8_t old, uint8_t new, struct seed *found) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            if (*pixel(p, x, y) != old)
                continue;
            if ((x > 0 && *pixel(p, x - 1, y) == new) || (y > 0 && *pixel(p, x, y - 1) == new)
                || (y + 1 < p->height && *pixel(p, x, y + 1) == new)) {
                found->x = x;
                found->y = y;
                return 1;
            }
        }
    return 0;
}

static int flood_fill(struct picture *p, int x, int y, uint8_t new) {
    struct stack s = {.depth = 0, .lost = 0};
    uint8_t old = *pixel(p, x, y);
    int filled = 0;
    if (old == new)
        return 0;
    push(&s, x, y);
    for (;;) {
        while (s.depth > 0) {
            struct seed seed = s.seeds[--s.depth];
            filled += fill_span(p, &s, seed.x, seed.y, old, new);
        }
        struct seed again;
        if (s.lost == 0 || !find_border(p, old, new, &again))
            return filled;
        s.lost = 0;
        push(&s, again.x, again.y);
        s.lost++;
    }
}

int main(void) {
    struct picture p;
    int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
    if (picture_create(&p, width, height) != 0)
        return 1;
    for (int i = 0; i < width * height; i++)
        p.pixels[i] = __VERIFIER_nondet_uchar() % 2;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x >= 0 && x < width && y >= 0 && y < height) {
        int filled = flood_fill(&p, x, y, 7);
        assert(filled >= 1 && filled <= width * height);
        assert(*pixel(&p, x, y) == 7);
        if (x > 0)
            assert(*pixel(&p, x - 1, y) <= 1 || *pixel(&p, x - 1, y) == 7);
    }
    free(p.pixels);
    return 0;
}
