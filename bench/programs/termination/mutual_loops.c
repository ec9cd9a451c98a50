/* A recursive-descent recogniser with a left-recursive rule: an expression may begin with an expression.
 *
 * The choice between the rules looks one token ahead for an opening bracket; the left-recursive rule does not consume it,
 * so that the call repeats itself.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

enum token { END, NUMBER, PLUS, OPEN, CLOSE };

int tokens[16];
int length;
int position;

int look(void) { return position < length ? tokens[position] : END; }

void advance(void) { position = position + 1; }

int expression(void);

int factor(void) {
    if (look() == NUMBER) {
        advance();
        return 1;
    }
    if (look() == OPEN) {
        advance();
        int good = expression();
        if (good && look() == CLOSE) {
            advance();
            return 1;
        }
    }
    return 0;
}

int sum(void) {
    if (!expression())
        return 0;
    if (look() != PLUS)
        return 0;
    advance();
    return factor();
}

int expression(void) {
    if (look() == OPEN)
        return sum();
    return factor();
}

int main(void) {
    length = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= length && length <= 16);
    for (int i = 0; i < length; i++) {
        int token = __VERIFIER_nondet_int();
        __VERIFIER_assume(NUMBER <= token && token <= CLOSE);
        tokens[i] = token;
    }
    return expression();
}
