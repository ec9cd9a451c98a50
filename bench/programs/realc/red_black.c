/* A left-leaning red-black tree of nodes in an array: insertion, rotation, and search. */
#include <assert.h>

#define NODES 32
#define NONE (-1)

enum colour { BLACK, RED };

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    int left;
    int right;
    enum colour colour;
};

struct tree {
    struct node nodes[NODES];
    int count;
    int root;
};

static void tree_init(struct tree *tree) {
    tree->count = 0;
    tree->root = NONE;
}

static int make(struct tree *tree, int key) {
    int index = tree->count;
    if (index == NODES)
        return NONE;
    tree->nodes[index].key = key;
    tree->nodes[index].left = NONE;
    tree->nodes[index].right = NONE;
    tree->nodes[index].colour = RED;
    tree->count++;
    return index;
}

static int is_red(const struct tree *tree, int index) {
    return index != NONE && tree->nodes[index].colour == RED;
}

static int rotate_left(struct tree *tree, int index) {
    int up = tree->nodes[index].right;
    tree->nodes[index].right = tree->nodes[up].left;
    tree->nodes[up].left = index;
    tree->nodes[up].colour = tree->nodes[index].colour;
    tree->nodes[index].colour = RED;
    return up;
}

static int rotate_right(struct tree *tree, int index) {
    int up = tree->nodes[index].left;
    tree->nodes[index].left = tree->nodes[up].right;
    tree->nodes[up].right = index;
    tree->nodes[up].colour = tree->nodes[index].colour;
    tree->nodes[index].colour = RED;
    return up;
}

static void flip(struct tree *tree, int index) {
    tree->nodes[index].colour = RED;
    tree->nodes[tree->nodes[index].left].colour = BLACK;
    tree->nodes[tree->nodes[index].right].colour = BLACK;
}

static int insert(struct tree *tree, int index, int key) {
    if (index == NONE)
        return make(tree, key);
    if (key < tree->nodes[index].key)
        tree->nodes[index].left = insert(tree, tree->nodes[index].left, key);
    else if (key > tree->nodes[index].key)
        tree->nodes[index].right = insert(tree, tree->nodes[index].right, key);
    if (is_red(tree, tree->nodes[index].right) && !is_red(tree, tree->nodes[index].left))
        index = rotate_left(tree, index);
    if (is_red(tree, tree->nodes[index].left) && is_red(tree, tree->nodes[tree->nodes[index].left].left))
        index = rotate_right(tree, index);
    if (is_red(tree, tree->nodes[index].left) && is_red(tree, tree->nodes[index].right))
        flip(tree, index);
    return index;
}

static int contains(const struct tree *tree, int key) {
    int index = tree->root;
    for (int depth = 0; index != NONE && depth < NODES; depth++) {
        if (tree->nodes[index].key == key)
            return 1;
        index = key < tree->nodes[index].key ? tree->nodes[index].left : tree->nodes[index].right;
    }
    return 0;
}

int main(void) {
    struct tree tree;
    tree_init(&tree);
    while (tree.count < NODES && __VERIFIER_nondet_int()) {
        int before = tree.count;
        tree.root = insert(&tree, tree.root, __VERIFIER_nondet_int());
        tree.nodes[tree.root].colour = BLACK;
        assert(tree.count == before || tree.count == before + 1);
    }
    contains(&tree, __VERIFIER_nondet_int());
    assert(tree.count <= NODES);
    return 0;
}
