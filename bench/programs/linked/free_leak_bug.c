/* All elements are freed: no memory is left when the program ends. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = head;
        head = fresh;
    }
    while (head != NULL) {
        struct node *next = head->next;
        if (head->data != 1)
            free(head);
        head = next;
    }
    return 0;
}
