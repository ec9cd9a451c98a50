/* A calculator for integers: + - * / %, unary minus, parentheses and one-letter variables; whatever would overflow is an
   error, and so is nesting that is too deep. */
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define TEXT 32
#define DEPTH 8

enum error { NONE, SYNTAX, OVERFLOW, DIVISION, NESTING };

struct parser {
    const char *at;
    enum error error;
    int depth;
    int variables[26];
};

static int sum(struct parser *p);

static int fail(struct parser *p, enum error error) {
    if (p->error == NONE)
        p->error = error;
    return 0;
}

static char peek(struct parser *p) {
    while (*p->at == ' ')
        p->at++;
    return *p->at;
}

static int add(struct parser *p, int a, int b) {
    if (b > 0 ? a > INT_MAX - b : a < INT_MIN - b)
        return fail(p, OVERFLOW);
    return a + b;
}

static int negate(struct parser *p, int a) {
    return a == INT_MIN ? fail(p, OVERFLOW) : -a;
}

static int multiply(struct parser *p, int a, int b) {
    long long product = (long long)a * b;
    if (product > INT_MAX || product < INT_MIN)
        return fail(p, OVERFLOW);
    return (int)product;
}

static int divide(struct parser *p, int a, int b, char operation) {
    if (b == 0)
        return fail(p, DIVISION);
    if (a == INT_MIN && b == -1)
        return fail(p, OVERFLOW);
    return operation == '/' ? a / b : a % b;
}

static int number(struct parser *p) {
    int value = 0;
    while (*p->at >= '0' && *p->at <= '9')
        value = add(p, multiply(p, value, 10), *p->at++ - '0');
    return value;
}

static int primary(struct parser *p) {
    char c = peek(p);
    if (c >= '0' && c <= '9')
        return number(p);
    if (c >= 'a' && c <= 'z') {
        p->at++;
        return p->variables[c - 'a'];
    }
    if (c == '-') {
        p->at++;
        if (p->depth >= DEPTH)
            return fail(p, NESTING);
        p->depth++;
        int value = primary(p);
        p->depth--;
        return negate(p, value);
    }
    if (c != '(')
        return fail(p, SYNTAX);
    if (p->depth >= DEPTH)
        return fail(p, NESTING);
    p->at++;
    p->depth++;
    int value = sum(p);
    p->depth--;
    if (p->error == NONE && peek(p) != ')')
        return fail(p, SYNTAX);
    if (p->error == NONE)
        p->at++;
    return value;
}

static int product(struct parser *p) {
    int value = primary(p);
    while (p->error == NONE && (peek(p) == '*' || peek(p) == '/' || peek(p) == '%')) {
        char operation = *p->at++;
        int right = primary(p);
        value = operation == '*' ? multiply(p, value, right) : divide(p, value, right, operation);
    }
    return value;
}

static int sum(struct parser *p) {
    int value = product(p);
    while (p->error == NONE && (peek(p) == '+' || peek(p) == '-')) {
        char operation = *p->at++;
        int right = product(p);
        value = add(p, value, operation == '+' ? right : negate(p, right));
    }
    return value;
}

int main(void) {
    struct parser p = {.error = NONE, .depth = 0};
    char text[TEXT + 1];
    int n = 0;
    for (int i = 0; i < 26; i++)
        p.variables[i] = i < 3 ? __VERIFIER_nondet_int() : 0;
    while (n < TEXT && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
        n++;
    text[n] = '\0';
    p.at = text;
    int value = sum(&p);
    assert(p.depth == 0);
    assert(p.at >= text && p.at <= text + n);
    if (p.error != NONE)
        return 1;
    assert(n > 0);
    return value == 0;
}
