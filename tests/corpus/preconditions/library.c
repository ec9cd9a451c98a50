/* Functions without a main, as libraries have them: each may be called wrongly, and none of them is wrong. */
#include <stddef.h>
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
void copy(int *d, const int *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
size_t length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
char *copy_string(char *d, const char *s) { char *r = d; while ((*d++ = *s++) != 0) ; return r; }
int largest(const int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
int search(const int *a, int n, int key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key) return middle;
        if (a[middle] < key) low = middle + 1; else high = middle - 1;
    }
    return -1;
}
void reverse(int *a, int n) { for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; } }
int window(const int *a, int n, int w) {
    int best = 0;
    for (int i = 0; i + w <= n; i++) {
        int s = 0;
        for (int j = 0; j < w; j++) s += a[i + j];
        if (s > best) best = s;
    }
    return best;
}
int parse(const char *s) { int v = 0; while (*s >= '0' && *s <= '9') { v = v * 10 + (*s - '0'); s++; } return v; }
struct ring { int data[16]; unsigned head; unsigned count; };
int push(struct ring *r, int v) {
    if (r->count == 16) return 0;
    r->data[r->head] = v;
    r->head = (r->head + 1) % 16;
    r->count++;
    return 1;
}
int append(char *buf, int len, int cap, const char *t, int tlen) {
    if (tlen < 0 || tlen > cap - len) return -1;
    for (int i = 0; i < tlen; i++) buf[len + i] = t[i];
    return len + tlen;
}
