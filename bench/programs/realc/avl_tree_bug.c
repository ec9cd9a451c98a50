/* A dictionary of numbers as an AVL tree: nodes are allocated one by one, insertion and removal are recursive. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_NODES 64

typedef struct node {
    int key;
    int value;
    int height;
    struct node *left;
    struct node *right;
} node;

static int count;

static int height(const node *n) { return n == NULL ? 0 : n->height; }

static void update(node *n) {
    int left = height(n->left), right = height(n->right);
    n->height = (left > right ? left : right) + 1;
}

static node *rotate_right(node *n) {
    node *top = n->left;
    n->left = top->right;
    top->right = n;
    update(n);
    update(top);
    return top;
}

static node *rotate_left(node *n) {
    node *top = n->right;
    n->right = top->left;
    top->left = n;
    update(n);
    update(top);
    return top;
}

static node *balance(node *n) {
    update(n);
    int difference = height(n->left) - height(n->right);
    if (difference > 1) {
        if (height(n->left->left) < height(n->left->right))
            n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (difference < -1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}

static node *insert(node *n, int key, int value) {
    if (n == NULL) {
        node *added = malloc(sizeof *added);
        if (added == NULL)
            return NULL;
        added->key = key;
        added->value = value;
        added->height = 1;
        added->left = added->right = NULL;
        count++;
        return added;
    }
    if (key < n->key) {
        node *left = insert(n->left, key, value);
        n->left = left != NULL ? left : n->left;
    } else if (key > n->key) {
        node *right = insert(n->right, key, value);
        n->right = right != NULL ? right : n->right;
    } else {
        n->value = value;
    }
    return balance(n);
}

static node *take_least(node *n, node **least) {
    if (n->left == NULL) {
        *least = n;
        return n->right;
    }
    n->left = take_least(n->left, least);
    return balance(n);
}

static node *erase(node *n, int key) {
    if (n == NULL)
        return NULL;
    if (key < n->key) {
        n->left = erase(n->left, key);
    } else if (key > n->key) {
        n->right = erase(n->right, key);
    } else {
        node *left = n->left, *right = n->right, *least;
        count--;
        if (right == NULL)
            return left;
        free(n);
        right = take_least(right, &least);
        least->left = left;
        least->right = right;
        return balance(least);
    }
    return balance(n);
}

static const node *find(const node *n, int key) {
    while (n != NULL && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static void destroy(node *n) {
    if (n == NULL)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
    count--;
}

int main(void) {
    node *root = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            if (count < MAX_NODES) {
                node *top = insert(root, key, count);
                root = top != NULL ? top : root;
            }
        } else {
            root = erase(root, key);
            assert(find(root, key) == NULL);
        }
        assert(height(root) <= 9);
        assert((root == NULL) == (count == 0));
    }
    destroy(root);
    assert(count == 0);
    return 0;
}
