/* What is put in front is at most what stands there: the list goes up. */
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
        if (head != NULL && value > head->data)
            value = head->data + 1;
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = value;
        fresh->next = head;
        head = fresh;
    }
    for (struct node *p = head; p != NULL; p = p->next)
        if (p->next != NULL && p->data > p->next->data)
            reach_error();
    return 0;
}
