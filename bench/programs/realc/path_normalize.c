/* Paths of files: double slashes, "." and ".." are removed in place, and a path is put together from two. */
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define PATH 32

/* The end of the component that begins at i. */
static size_t component_end(const char *path, size_t i) {
    while (path[i] != '\0' && path[i] != '/')
        i++;
    return i;
}

static int is_parent(const char *path, size_t begin, size_t length) {
    return length == 2 && path[begin] == '.' && path[begin + 1] == '.';
}

/* Removes the last component of out[0 .. n); returns the new length. */
static size_t drop_component(const char *out, size_t n, size_t root) {
    while (n > root && out[n - 1] != '/')
        n--;
    if (n > root)
        n--;
    return n;
}

/* Whether out[root .. n) ends in a component that ".." takes back. */
static int can_drop(const char *out, size_t n, size_t root) {
    size_t begin = n;
    if (n == root)
        return 0;
    while (begin > root && out[begin - 1] != '/')
        begin--;
    return !is_parent(out, begin, n - begin);
}

static size_t normalize(char *path) {
    size_t root = path[0] == '/' ? 1 : 0;
    size_t n = root, at = root;
    while (path[at] != '\0') {
        size_t end = component_end(path, at);
        size_t length = end - at;
        if (length == 0 || (length == 1 && path[at] == '.')) {
            /* nothing to keep */
        } else if (is_parent(path, at, length) && (root == 1 || can_drop(path, n, root))) {
            n = drop_component(path, n, root);
        } else {
            if (n > root)
                path[n++] = '/';
            memmove(path + n, path + at, length);
            n += length;
        }
        at = path[end] == '/' ? end + 1 : end;
    }
    if (n == 0)
        path[n++] = '.';
    path[n] = '\0';
    return n;
}

/* base/relative, or just `relative` if that begins at the root; -1 if it is too long. */
static int join(char *out, size_t size, const char *base, const char *relative) {
    size_t left = relative[0] == '/' ? 0 : strlen(base);
    size_t right = strlen(relative);
    if (left + 1 + right + 1 > size)
        return -1;
    memcpy(out, base, left);
    if (left > 0)
        out[left++] = '/';
    memcpy(out + left, relative, right + 1);
    return (int)normalize(out);
}

static int has_empty_component(const char *path) {
    for (size_t i = 0; path[i] != '\0'; i++)
        if (path[i] == '/' && path[i + 1] == '/')
            return 1;
    return 0;
}

static size_t read_path(char *path) {
    size_t n = 0;
    while (n < PATH && (path[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
        n++;
    path[n] = '\0';
    return n;
}

int main(void) {
    char first[PATH + 2], second[PATH + 2], joined[PATH + 2];
    size_t length = read_path(first);
    int absolute = first[0] == '/';
    size_t shorter = normalize(first);
    assert(shorter == strlen(first) && shorter >= 1);
    assert(shorter <= length || length == 0);
    assert(!has_empty_component(first) && (first[0] == '/') == absolute);
    assert(normalize(first) == shorter);
    if (__VERIFIER_nondet_int()) {
        read_path(second);
        int total = join(joined, sizeof joined, first, second);
        assert(total < 0 || (total >= 1 && total <= PATH + 1));
    }
    return 0;
}
