/* Roman numerals from 1 to 3999, written and read; only the usual way of writing a number is accepted. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define LARGEST 3999
#define LONGEST 15 /* MMMDCCCLXXXVIII */

static const struct {
    int value;
    char text[3];
} numerals[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"},
};

#define NUMERALS ((int)(sizeof numerals / sizeof numerals[0]))

/* Writes a number and returns the length of the text, 0 if it has none. */
static int roman_write(int number, char *text) {
    int n = 0;
    if (number < 1 || number > LARGEST) {
        text[0] = '\0';
        return 0;
    }
    for (int i = 0; i < NUMERALS; i++) {
        while (number >= numerals[i].value) {
            number -= numerals[i].value;
            for (const char *p = numerals[i].text; *p != '\0'; p++)
                text[n++] = *p;
        }
    }
    text[n] = '\0';
    return n;
}

static int letter_value(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}

/* Adds up letters, and subtracts those before a larger one. */
static int evaluate(const char *text) {
    int total = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        int value = letter_value(text[i]);
        if (value == 0)
            return -1;
        if (letter_value(text[i + 1]) > value)
            total -= value;
        else
            total += value;
    }
    return total;
}

/* The number, or -1: only what roman_write would write is a numeral. */
static int roman_read(const char *text) {
    char canonical[LONGEST + 1];
    int number = evaluate(text);
    if (number < 1 || number > LARGEST)
        return -1;
    roman_write(number, canonical);
    return strcmp(canonical, text) == 0 ? number : -1;
}

static int compare(const char *left, const char *right) {
    int a = roman_read(left), b = roman_read(right);
    return (a > b) - (a < b);
}

int main(void) {
    char text[LONGEST + 1], other[LONGEST + 1];
    int number = __VERIFIER_nondet_int();
    int length = roman_write(number, text);
    assert(length <= LONGEST);
    if (length > 0) {
        assert(roman_read(text) == number);
        assert(number == LARGEST || roman_write(number + 1, other) > 0);
        if (number < LARGEST)
            assert(compare(text, other) < 0);
    }
    int n = 0;
    while (n < LONGEST && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
        n++;
    text[n] = '\0';
    number = roman_read(text);
    assert(number >= -1 && number <= LARGEST && number != 0);
    return number < 0;
}
