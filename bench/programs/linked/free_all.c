/* All elements are freed, each once, and none is looked at afterwards. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = __VERIFIER_nondet_int();
        fresh->next = head;
        head = fresh;
    }
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
