/* What is put into a search tree keeps its order: smaller keys on the left, larger ones on the right. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

static struct tree *leaf(int key) {
    struct tree *made = malloc(sizeof(struct tree));
    made->key = key;
    made->left = NULL;
    made->right = NULL;
    return made;
}

static void insert(struct tree *root, int key) {
    struct tree *at = root;
    while (key != at->key) {
        if (key < at->key) {
            if (at->left == NULL) {
                at->left = leaf(key);
                return;
            }
            at = at->left;
        } else {
            if (at->right == NULL) {
                at->right = leaf(key);
                return;
            }
            at = at->right;
        }
    }
}

int main(void) {
    struct tree *root = leaf(__VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        insert(root, __VERIFIER_nondet_int());
    struct tree *at = root;
    while (at != NULL) {
        if (at->left != NULL && at->left->key >= at->key)
            reach_error();
        if (at->right != NULL && at->right->key <= at->key)
            reach_error();
        at = __VERIFIER_nondet_int() ? at->left : at->right;
    }
    return 0;
}
