/* Whoever comes next knows who came before. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = __VERIFIER_nondet_int();
        fresh->next = head;
        fresh->prev = NULL;
        if (head != NULL && head->data != 4)
            head->prev = fresh;
        head = fresh;
    }
    for (struct node *p = head; p != NULL; p = p->next)
        if (p->next != NULL && p->next->prev != p)
            reach_error();
    return 0;
}
