// many blocks from one malloc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  for (int i = 1; i <= 4; i++) {
    struct node *n = malloc(sizeof(struct node));
    n->value = i;
    n->next = list;
    list = n;
  }
  int sum = 0;
  for (; list; list = list->next) sum = sum * 10 + list->value;
  if (sum != 4321) reach_error();
  return 0;
}
