/* A tokenizer for JSON in the manner of small libraries: no allocation, the caller gives an array of tokens. */
#include <assert.h>
#include <stddef.h>

#define INPUT 24
#define TOKENS 8

enum kind { UNDEFINED, OBJECT, ARRAY, STRING, PRIMITIVE };
enum error { NO_MEMORY = -1, INVALID = -2, PARTIAL = -3 };

struct token {
    enum kind kind;
    int start;
    int end;
    int size;
};

struct parser {
    int position;
    int next;
    int open;
};

extern unsigned char __VERIFIER_nondet_uchar(void);

static void parser_init(struct parser *parser) {
    parser->position = 0;
    parser->next = 0;
    parser->open = -1;
}

static int allocate(struct parser *parser, const struct token *tokens, int count) {
    (void)tokens;
    if (parser->next >= count)
        return NO_MEMORY;
    return parser->next++;
}

static void fill(struct token *token, enum kind kind, int start, int end) {
    token->kind = kind;
    token->start = start;
    token->end = end;
    token->size = 0;
}

static int is_delimiter(char c) {
    return c == ',' || c == ':' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int parse_primitive(struct parser *parser, const char *text, int length, struct token *tokens, int count) {
    int start = parser->position;
    while (parser->position < length && text[parser->position] != '\0') {
        char c = text[parser->position];
        if (is_delimiter(c))
            break;
        if (c < 32 || c >= 127) {
            parser->position = start;
            return INVALID;
        }
        parser->position++;
    }
    int index = allocate(parser, tokens, count);
    if (index < 0) {
        parser->position = start;
        return NO_MEMORY;
    }
    fill(&tokens[index], PRIMITIVE, start, parser->position);
    parser->position--;
    return 0;
}

static int parse_string(struct parser *parser, const char *text, int length, struct token *tokens, int count) {
    int start = parser->position;
    parser->position++;
    while (parser->position < length && text[parser->position] != '\0') {
        char c = text[parser->position];
        if (c == '"') {
            int index = allocate(parser, tokens, count);
            if (index < 0) {
                parser->position = start;
                return NO_MEMORY;
            }
            fill(&tokens[index], STRING, start + 1, parser->position);
            return 0;
        }
        if (c == '\\' && parser->position + 1 < length)
            parser->position++;
        parser->position++;
    }
    parser->position = start;
    return PARTIAL;
}

static int parse(struct parser *parser, const char *text, int length, struct token *tokens, int count) {
    for (; parser->position < length && text[parser->position] != '\0'; parser->position++) {
        char c = text[parser->position];
        int status = 0;
        if (c == '{' || c == '[') {
            int index = allocate(parser, tokens, count);
            if (index < 0)
                return NO_MEMORY;
            fill(&tokens[index], c == '{' ? OBJECT : ARRAY, parser->position, -1);
            parser->open = index;
        } else if (c == '}' || c == ']') {
            if (parser->open < 0)
                return INVALID;
            tokens[parser->open].end = parser->position + 1;
            parser->open = -1;
        } else if (c == '"') {
            status = parse_string(parser, text, length, tokens, count);
        } else if (!is_delimiter(c)) {
            status = parse_primitive(parser, text, length, tokens, count);
        }
        if (status < 0)
            return status;
        if (parser->open >= 0)
            tokens[parser->open].size++;
    }
    return parser->next;
}

int main(void) {
    char text[INPUT];
    struct token tokens[TOKENS];
    struct parser parser;
    for (int i = 0; i < INPUT; i++)
        text[i] = (char)__VERIFIER_nondet_uchar();
    parser_init(&parser);
    int found = parse(&parser, text, INPUT, tokens, TOKENS);
    assert(found <= TOKENS);
    assert(found >= PARTIAL);
    return 0;
}
