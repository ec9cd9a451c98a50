/* Polygons with integer coordinates: area, bounding box, convex hull by Andrew's algorithm, and points inside. */
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define POINTS 10
#define COORDINATE 10000

struct point {
    int x;
    int y;
};

struct box {
    struct point low;
    struct point high;
};

/* Twice the area of the triangle a b c, positive if c is to the left of a b. */
static int cross(struct point a, struct point b, struct point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool before(struct point a, struct point b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static void sort(struct point *points, int n) {
    for (int i = 1; i < n; i++) {
        struct point moved = points[i];
        int k = i;
        for (; k > 0 && before(moved, points[k - 1]); k--)
            points[k] = points[k - 1];
        points[k] = moved;
    }
}

/* The hull, counter-clockwise; `hull` has room for n + 1 points. Returns how many there are. */
static int convex_hull(struct point *hull, struct point *points, int n) {
    int size = 0;
    sort(points, n);
    for (int i = 0; i < n; i++) {
        while (size >= 2 && cross(hull[size - 2], hull[size - 1], points[i]) <= 0)
            size--;
        hull[size++] = points[i];
    }
    int lower = size + 1;
    for (int i = n - 2; i >= 0; i--) {
        while (size >= lower && cross(hull[size - 2], hull[size - 1], points[i]) <= 0)
            size--;
        hull[size++] = points[i];
    }
    return size > 1 ? size - 1 : size;
}

static long long doubled_area(const struct point *p, int n) {
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        struct point a = p[i], b = p[(i + 1) % n];
        sum += (long long)a.x * b.y - (long long)b.x * a.y;
    }
    return sum;
}

static bool inside_convex(const struct point *hull, int n, struct point p) {
    for (int i = 0; i < n; i++)
        if (cross(hull[i], hull[(i + 1) % n], p) < 0)
            return false;
    return true;
}

static struct box bounds(const struct point *p, int n) {
    struct box b = {p[0], p[0]};
    for (int i = 1; i < n; i++) {
        if (p[i].x < b.low.x) b.low.x = p[i].x;
        if (p[i].y < b.low.y) b.low.y = p[i].y;
        if (p[i].x > b.high.x) b.high.x = p[i].x;
        if (p[i].y > b.high.y) b.high.y = p[i].y;
    }
    return b;
}

static bool read_point(struct point *p) {
    p->x = __VERIFIER_nondet_int();
    p->y = __VERIFIER_nondet_int();
    return p->x >= -COORDINATE && p->x <= COORDINATE && p->y >= -COORDINATE && p->y <= COORDINATE;
}

int main(void) {
    struct point points[POINTS], hull[POINTS + 1];
    int n = 0;
    while (n < POINTS && __VERIFIER_nondet_int())
        if (read_point(&points[n]))
            n++;
    if (n == 0)
        return 1;
    struct box b = bounds(points, n);
    int size = convex_hull(hull, points, n);
    assert(size >= 1 && size <= n);
    for (int i = 0; i < size; i++)
        assert(hull[i].x >= b.low.x && hull[i].x <= b.high.x && hull[i].y >= b.low.y && hull[i].y <= b.high.y);
    if (size >= 3) {
        assert(doubled_area(hull, size) > 0);
        for (int i = 0; i < n; i++)
            assert(inside_convex(hull, size, points[i]));
    }
    return 0;
}
