/* A recursive-descent recogniser of arithmetic expressions: expression, term and factor call each other.
 *
 * Each cycle of calls consumes a token, or goes from expression to term to factor, which is short. Hofstadter's pair of
 * female and male sequences follows: nested calls whose arguments are smaller only because of what the inner call returns.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

enum token { END, NUMBER, PLUS, TIMES, OPEN, CLOSE };

int tokens[64];
int length;
int position;

int look(void) { return position < length ? tokens[position] : END; }

void advance(void) { position = position + 1; }

int expression(void);

int factor(void) {
    int token = look();
    if (token == NUMBER) {
        advance();
        return 1;
    }
    if (token == OPEN) {
        advance();
        if (!expression())
            return 0;
        if (look() != CLOSE)
            return 0;
        advance();
        return 1;
    }
    return 0;
}

int term(void) {
    if (!factor())
        return 0;
    while (look() == TIMES) {
        advance();
        if (!factor())
            return 0;
    }
    return 1;
}

int expression(void) {
    if (!term())
        return 0;
    if (look() == PLUS) {
        advance();
        return expression();
    }
    return 1;
}

int male(int n);

int female(int n) { return n <= 0 ? 1 : n - male(female(n - 1)); }

int male(int n) { return n <= 0 ? 0 : n - female(male(n - 1)); }

int main(void) {
    length = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= length && length <= 20);
    for (int i = 0; i < length; i++) {
        int token = __VERIFIER_nondet_int();
        __VERIFIER_assume(NUMBER <= token && token <= CLOSE);
        tokens[i] = token;
    }
    return expression() && female(length) > 0;
}
