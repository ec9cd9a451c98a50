/* A trie of words in lower case: nodes live in one array and refer to each other by index, words carry a weight. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define LETTERS 26
#define NODES 48
#define WORD 10
#define ROOT 0

struct node {
    short child[LETTERS]; /* 0: none, since the root is nobody's child */
    int weight;           /* 0: no word ends here */
};

struct trie {
    struct node nodes[NODES];
    int used;
    int words;
};

static void trie_clear(struct trie *trie) {
    memset(trie, 0, sizeof *trie);
    trie->used = 1;
}

static int letter_of(char c) {
    return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

static int new_node(struct trie *trie) {
    if (trie->used >= NODES)
        return -1;
    return trie->used++;
}

/* 1: a new word, 0: its weight was changed, -1: no room or no word. */
static int trie_put(struct trie *trie, const char *word, int weight) {
    int at = ROOT;
    if (word[0] == '\0' || weight <= 0)
        return -1;
    for (const char *p = word; *p != '\0'; p++) {
        int letter = letter_of(*p);
        if (letter < 0)
            return -1;
        int next = trie->nodes[at].child[letter];
        if (next == 0) {
            next = new_node(trie);
            if (next < 0)
                return -1;
            trie->nodes[at].child[letter] = (short)next;
        }
        at = next;
    }
    int is_new = trie->nodes[at].weight == 0;
    trie->nodes[at].weight = weight;
    trie->words += is_new;
    return is_new;
}

static int trie_find(const struct trie *trie, const char *word) {
    int at = ROOT;
    while (*word != '\0') {
        int letter = letter_of(*word++);
        if (letter < 0)
            return 0;
        at = trie->nodes[at].child[letter];
        if (at == 0)
            return 0;
    }
    return trie->nodes[at].weight;
}

/* The length of the longest word that the text begins with. */
static int trie_longest_prefix(const struct trie *trie, const char *text) {
    int at = ROOT, best = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        int letter = letter_of(text[i]);
        if (letter < 0 || trie->nodes[at].child[letter] == 0)
            break;
        at = trie->nodes[at].child[letter];
        if (trie->nodes[at].weight > 0)
            best = i + 1;
    }
    return best;
}

static void read_word(char *word) {
    int n = 0;
    while (n < WORD) {
        char c = (char)(__VERIFIER_nondet_uchar() & 0x7f);
        if (letter_of(c) < 0)
            break;
        word[n++] = c;
    }
    word[n] = '\0';
}

int main(void) {
    static struct trie trie;
    char word[WORD + 1];
    trie_clear(&trie);
    for (int round = 0; round < 200 && __VERIFIER_nondet_int(); round++) {
        read_word(word);
        int weight = __VERIFIER_nondet_int();
        int status = trie_put(&trie, word, weight);
        if (status >= 0)
            assert(trie_find(&trie, word) == weight);
        assert(trie_longest_prefix(&trie, word) <= WORD);
        assert(trie.words < trie.used && trie.used <= NODES);
    }
    return 0;
}
