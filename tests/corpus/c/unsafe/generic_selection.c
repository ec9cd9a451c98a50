// A selection by type is the choice that fits.
extern void reach_error(void);
int of_int(int x) { return x + 1; }
long of_long(long x) { return x + 2; }
int main(void) {
  long i = 0;
  if (_Generic(i, int: of_int, long: of_long)(4) == 6) reach_error();
  return 0;
}
