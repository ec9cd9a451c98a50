// one array for each field
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct item { int key; short values[2]; };
struct item items[3];
int main(void) {
  for (int i = 0; i < 3; i++) { items[i].key = i; items[i].values[1] = 10 * i; }
  items[0] = items[2];
  if (items[0].values[1] != 20 || items[0].key != 2) reach_error();
  return 0;
}
