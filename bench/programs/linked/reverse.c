/* Turning a list round keeps its length. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
};

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct node *head = NULL;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = head;
        head = fresh;
    }
    struct node *turned = NULL;
    while (head != NULL) {
        struct node *rest = head->next;
        head->next = turned;
        turned = head;
        head = rest;
    }
    int count = 0;
    for (struct node *p = turned; p != NULL; p = p->next)
        count++;
    if (count != n)
        reach_error();
    return 0;
}
