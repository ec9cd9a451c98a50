/* Check digits: Luhn numbers of cards, ISBN with ten and thirteen digits, and IBANs by the remainder of 97. */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define TEXT 40

/* Copies digits (and a last X) without blanks and dashes; returns how many, or -1. */
static int collect(char *out, int room, const char *text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        if (*text == ' ' || *text == '-')
            continue;
        bool last_x = *text == 'X' && text[1] == '\0';
        if (!isdigit((unsigned char)*text) && !last_x)
            return -1;
        if (n == room)
            return -1;
        out[n++] = *text;
    }
    return n;
}

static bool is_luhn(const char *text) {
    char digits[19];
    int sum = 0, n = collect(digits, sizeof digits, text);
    if (n < 2 || digits[n - 1] == 'X')
        return false;
    for (int i = 0; i < n; i++) {
        int d = digits[n - 1 - i] - '0';
        if (i % 2 == 1)
            d = d < 5 ? 2 * d : 2 * d - 9;
        assert(d >= 0 && d <= 9);
        sum += d;
    }
    return sum % 10 == 0;
}

static bool is_isbn10(const char *digits) {
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += (10 - i) * (digits[i] == 'X' ? 10 : digits[i] - '0');
    return sum % 11 == 0;
}

static bool is_isbn13(const char *digits) {
    int sum = 0;
    for (int i = 0; i < 13; i++)
        sum += (i % 2 == 0 ? 1 : 3) * (digits[i] - '0');
    return digits[12] != 'X' && sum % 10 == 0;
}

static int isbn_kind(const char *text) {
    char digits[13];
    int n = collect(digits, sizeof digits, text);
    if (n == 10 && is_isbn10(digits))
        return 10;
    return n == 13 && is_isbn13(digits) ? 13 : 0;
}

/* Letters count as two digits from 10 on; the first four characters are moved to the end. */
static int iban_remainder(const char *text, int length) {
    int rest = 0;
    for (int i = 0; i < length; i++) {
        char c = text[(i + 4) % length];
        if (isdigit((unsigned char)c))
            rest = (rest * 10 + (c - '0')) % 97;
        else
            rest = (rest * 100 + (c - 'A' + 10)) % 97;
    }
    return rest;
}

static bool is_iban(const char *text) {
    size_t length = strlen(text);
    if (length < 15 || length > 34)
        return false;
    for (size_t i = 0; i < length; i++) {
        bool letter = text[i] >= 'A' && text[i] <= 'Z';
        if (!letter && !isdigit((unsigned char)text[i]))
            return false;
    }
    int rest = iban_remainder(text, (int)length);
    assert(rest >= 0 && rest < 97);
    return rest == 1;
}

int main(void) {
    char text[TEXT + 1];
    int tests = 0, good = 0;
    while (tests < 50 && __VERIFIER_nondet_int()) {
        int n = 0;
        while (n < TEXT && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
            n++;
        text[n] = '\0';
        int kind = isbn_kind(text);
        assert(kind == 0 || n >= kind);
        if (is_luhn(text) || kind != 0 || is_iban(text))
            good++;
        tests++;
    }
    assert(good <= tests);
    return 0;
}
