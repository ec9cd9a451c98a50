/* Hardware addresses: "01:23:45:67:89:ab", with dashes, or in three groups with points; a table counts who was seen. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define OCTETS 6
#define TEXT 17
#define STATIONS 10

typedef struct mac {
    unsigned char octet[OCTETS];
} mac_t;

struct station {
    mac_t address;
    unsigned frames;
};

static struct station stations[STATIONS];
static int station_count;

static int hex_value(char c) {
    if ('0' <= c && c <= '9') return c - '0';
    if ('a' <= c && c <= 'f') return c - 'a' + 10;
    if ('A' <= c && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The number of octets between two separators: 1 for ':' and '-', 2 for '.'. */
static int group_size(char separator) {
    switch (separator) {
    case ':':
    case '-': return 1;
    case '.': return 2;
    default: return 0;
    }
}

static int mac_parse(mac_t *mac, const char *text, size_t length) {
    if (length < 14)
        return -1;
    char separator = hex_value(text[2]) < 0 ? text[2] : text[4];
    int group = group_size(separator);
    if (group == 0)
        return -1;
    size_t at = 0;
    for (int i = 0; i < OCTETS; i++) {
        if (i > 0 && i % group == 0) {
            if (at >= length || text[at] != separator)
                return -1;
            at++;
        }
        if (length - at < 2)
            return -1;
        int high = hex_value(text[at]), low = hex_value(text[at + 1]);
        if (high < 0 || low < 0)
            return -1;
        mac->octet[i] = (unsigned char)(16 * high + low);
        at += 2;
    }
    return at == length ? 0 : -1;
}

static void mac_format(const mac_t *mac, char text[TEXT + 1]) {
    static const char digits[] = "0123456789abcdef";
    char *out = text;
    for (int i = 0; i < OCTETS; i++) {
        if (i > 0)
            *out++ = ':';
        *out++ = digits[mac->octet[i] / 16];
        *out++ = digits[mac->octet[i] % 16];
    }
    *out = '\0';
}

static int mac_is_multicast(const mac_t *mac) { return mac->octet[0] & 1; }

/* The station with this address, which is remembered if there is room. */
static struct station *seen(const mac_t *mac) {
    for (int i = 0; i < station_count; i++)
        if (memcmp(&stations[i].address, mac, sizeof *mac) == 0)
            return &stations[i];
    if (station_count > STATIONS)
        return NULL;
    struct station *added = &stations[station_count++];
    added->address = *mac;
    added->frames = 0;
    return added;
}

int main(void) {
    char text[TEXT + 1], again[TEXT + 1];
    while (__VERIFIER_nondet_int()) {
        mac_t mac, parsed;
        if (__VERIFIER_nondet_int()) {
            int n = 0;
            while (n < TEXT && (text[n] = (char)__VERIFIER_nondet_uchar()) != 0)
                n++;
            text[n] = 0;
            if (mac_parse(&mac, text, (size_t)n) != 0)
                continue;
        } else {
            for (int i = 0; i < OCTETS; i++)
                mac.octet[i] = __VERIFIER_nondet_uchar();
        }
        mac_format(&mac, again);
        assert(mac_parse(&parsed, again, TEXT) == 0);
        assert(memcmp(&parsed, &mac, sizeof mac) == 0);
        if (mac_is_multicast(&mac))
            continue;
        struct station *station = seen(&mac);
        if (station != NULL) {
            station->frames++;
            assert(station_count >= 1);
        }
        assert(station_count <= STATIONS);
    }
    return 0;
}
