/* A URL is taken apart without copying: scheme, user, host, port, path, query and fragment are slices of the text. */
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define URL_MAX 48

struct slice {
    const char *begin;
    int length;
};

struct url {
    struct slice scheme;
    struct slice user;
    struct slice host;
    struct slice path;
    struct slice query;
    struct slice fragment;
    int port; /* -1: none was given */
};

static int is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static struct slice slice_of(const char *begin, const char *end) {
    struct slice s = {begin, (int)(end - begin)};
    return s;
}

/* The first of the characters in `stops`, or the end of the text. */
static const char *until(const char *text, const char *stops) {
    while (*text != '\0' && strchr(stops, *text) == NULL)
        text++;
    return text;
}

static const char *parse_scheme(struct url *url, const char *text) {
    const char *p = text;
    if (!is_alpha(*p))
        return NULL;
    while (is_alpha(*p) || is_digit(*p) || *p == '+' || *p == '-' || *p == '.')
        p++;
    if (strncmp(p, "://", 3) != 0)
        return NULL;
    url->scheme = slice_of(text, p);
    return p + 3;
}

static const char *parse_port(struct url *url, const char *p) {
    int port = 0;
    const char *begin = p;
    while (is_digit(*p)) {
        port = port * 10 + (*p - '0');
        if (port > 65535)
            return NULL;
        p++;
    }
    if (p == begin)
        return NULL;
    url->port = port;
    return p;
}

static const char *parse_authority(struct url *url, const char *text) {
    const char *end = until(text, "/?#");
    const char *at = until(text, "@/?#");
    if (*at == '@') {
        url->user = slice_of(text, at);
        text = at + 1;
    }
    const char *p = text;
    if (*p == '[') { /* an IPv6 address */
        p = until(p, "]/?#");
        if (*p != ']')
            return NULL;
        p++;
    } else {
        p = until(p, ":/?#");
    }
    if (p == text)
        return NULL;
    url->host = slice_of(text, p);
    if (*p == ':')
        p = parse_port(url, p + 1);
    return p == end ? end : NULL;
}

static int url_parse(struct url *url, const char *text) {
    memset(url, 0, sizeof *url);
    url->port = -1;
    const char *p = parse_scheme(url, text);
    if (p == NULL || (p = parse_authority(url, p)) == NULL)
        return -1;
    const char *end = until(p, "?#");
    url->path = slice_of(p, end);
    if (*end == '?') {
        p = end + 1;
        end = until(p, "#");
        url->query = slice_of(p, end);
    }
    if (*end == '#')
        url->fragment = slice_of(end + 1, end + strlen(end));
    return 0;
}

int main(void) {
    char text[URL_MAX + 1] = "http://";
    struct url url;
    int n = 7;
    while (n < URL_MAX && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
        n++;
    text[n] = '\0';
    if (url_parse(&url, text) != 0)
        return 1;
    assert(url.host.length > 0 && url.port >= -1 && url.port <= 65535);
    assert(url.scheme.length == 4);
    assert(url.path.length >= 0 && url.path.length <= n - 7);
    assert(url.fragment.length >= 0 && url.query.length + url.fragment.length < n);
    return 0;
}
