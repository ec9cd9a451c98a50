// A selection by type whose choices have one type: which one is taken is not known.
int x, y;
int main(void) {
  return _Generic(x, int: x, long: y);
}
