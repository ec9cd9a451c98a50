/* Two lists are filled in any order; together they have all elements. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
};

static struct node *put(struct node *head, int value) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = value;
    fresh->next = head;
    return fresh;
}

static int length(struct node *p) {
    int count = 0;
    while (p != NULL) {
        count++;
        p = p->next;
    }
    return count;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct node *here = NULL, *there = NULL;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int())
            here = put(here, i);
        else
            there = put(here, i);
    }
    if (length(here) + length(there) != n)
        reach_error();
    return 0;
}
