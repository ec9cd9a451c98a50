/* Only numbers that are not negative are put in; none that comes out is negative. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value < 0)
            continue;
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = value;
        fresh->next = head;
        head = fresh;
    }
    for (struct node *p = head; p != NULL; p = p->next)
        if (p->data < 0)
            reach_error();
    return 0;
}
