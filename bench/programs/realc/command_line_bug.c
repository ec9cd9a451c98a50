/* Options of a command line: short ones, joined ones, long ones with values; the rest are operands. */
#include <assert.h>
#include <string.h>

#define ARGUMENTS 8
#define WORD 12

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct options {
    int verbose;
    int quiet;
    int level;
    const char *output;
    int operands;
    int errors;
};

static char words[ARGUMENTS][WORD];

static void read_words(int count) {
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < WORD) {
            words[i][k] = (char)__VERIFIER_nondet_uchar();
            if (words[i][k] == '\0')
                break;
            k++;
        }
        words[i][k] = '\0';
    }
}

/* A number in decimal digits from word[k] on, -1 if there is none, cut off at a thousand. */
static int number(const char *word, int k) {
    int value = 0;
    if (word[k] == '\0')
        return -1;
    for (; word[k] != '\0'; k++) {
        if (word[k] < '0' || word[k] > '9')
            return -1;
        value = value * 10 + (word[k] - '0');
        if (value > 1000)
            value = 1000;
    }
    return value;
}

static void short_options(struct options *options, const char *word) {
    for (int k = 1; word[k] != '\0'; k++) {
        if (word[k] == 'v') {
            options->verbose++;
        } else if (word[k] == 'q') {
            options->quiet = 1;
        } else if (word[k] == 'l') {
            options->level = number(word, k + 1);
            if (options->level < 0)
                options->errors++;
            return;
        } else {
            options->errors++;
        }
    }
}

static void parse(struct options *options, int count) {
    int i = 0;
    while (i < count) {
        const char *word = words[i];
        if (word[0] != '-' || word[1] == '\0') {
            options->operands++;
        } else if (word[1] != '-') {
            short_options(options, word);
        } else if (strcmp(word, "--output") == 0) {
            if (i + 1 < count) {
                i++;
                options->output = words[i];
            } else {
                options->errors++;
            }
        } else if (strncmp(word, "--level=", 8) == 0) {
            options->level = number(word, 8);
        } else {
            options->errors++;
        }
        i++;
    }
}

int main(void) {
    struct options options = {0, 0, 0, "-", 0, 0};
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > ARGUMENTS)
        return 1;
    read_words(count);
    parse(&options, count);
    assert(options.operands <= count);
    assert(options.level >= -1 && options.level <= 1000);
    return options.output[0] == '-' ? 0 : options.errors != 0;
}
