// strings are arrays of characters that end in zero
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
unsigned length(const char *s) { unsigned n = 0; while (*s++) n++; return n; }
int main(void) {
  char word[] = "sorrel", *other = "red\0x";
  word[3] = 0;
  if (length(word) != 3 || length(other) != 3 || other[4] != 'x' || sizeof "ab" != 3) reach_error();
  return 0;
}
