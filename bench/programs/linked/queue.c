/* What is appended at the end comes out in that order, and all of it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
};

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct node *first = NULL, *last = NULL;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = NULL;
        if (last == NULL)
            first = fresh;
        else
            last->next = fresh;
        last = fresh;
    }
    int expected = 0;
    for (struct node *p = first; p != NULL; p = p->next) {
        if (p->data != expected)
            reach_error();
        expected++;
    }
    if (expected != n)
        reach_error();
    return 0;
}
