/* The sum of what is put in is the sum of what is found. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) { abort(); }

struct node {
    int data;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    long in = 0, out = 0;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        struct node *fresh = malloc(sizeof *fresh);
        if (value < -1000 || value > 1000)
            value = 0;
        fresh->data = value;
        fresh->next = head;
        head = fresh;
        if (value != 7)
            in += value;
    }
    for (struct node *p = head; p != NULL; p = p->next)
        out += p->data;
    if (in != out)
        reach_error();
    return 0;
}
