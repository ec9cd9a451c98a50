/* Numbers in strings. Beyond the range of the result's type anything is returned. */

#define NUMBER(name, type, smallest)                                   \
  type model_##name(const char *s) {                                   \
    size_t i = 0;                                                      \
    type n = 0;                                                        \
    int negative = 0;                                                  \
    while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))              \
      i++;                                                             \
    if (s[i] == '-' || s[i] == '+') {                                  \
      negative = s[i] == '-';                                          \
      i++;                                                             \
    }                                                                  \
    while (s[i] >= '0' && s[i] <= '9') {                               \
      int digit = s[i] - '0';                                          \
      if (n < (smallest) / 10 || 10 * n < (smallest) + digit)          \
        return (type)__sorrel_any();                                   \
      n = 10 * n - digit;                                              \
      i++;                                                             \
    }                                                                  \
    if (negative)                                                      \
      return n;                                                        \
    if (n == (smallest))                                               \
      return (type)__sorrel_any();                                     \
    return -n;                                                         \
  }

/*: atoi atol atoll
    try: add(NAME(a)); */
NUMBER(atoi, int, -__INT_MAX__ - 1)
NUMBER(atol, long, -__LONG_MAX__ - 1)
NUMBER(atoll, long long, -__LONG_LONG_MAX__ - 1)

/* Numbers in a base, and where they end. What is too large is the largest number there is. */
#define IS_SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define DIGIT(c) \
  ((c) >= '0' && (c) <= '9' ? (c) - '0' : (c) >= 'a' && (c) <= 'z' ? (c) - 'a' + 10 : (c) >= 'A' && (c) <= 'Z' ? (c) - 'A' + 10 : 99)
#define BEGINNING                                                                                              \
  size_t i = 0;                                                                                                \
  int negative = 0, any = 0, over = 0;                                                                         \
  __sorrel_require(base == 0 || (base >= 2 && base <= 36));                                                    \
  while (IS_SPACE(s[i]))                                                                                       \
    i++;                                                                                                       \
  if (s[i] == '-' || s[i] == '+') {                                                                            \
    negative = s[i] == '-';                                                                                    \
    i++;                                                                                                       \
  }                                                                                                            \
  if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && DIGIT(s[i + 2]) < 16) { \
    base = 16;                                                                                                 \
    i = i + 2;                                                                                                 \
  } else if (base == 0)                                                                                        \
    base = s[i] == '0' ? 8 : 10;
#define END             \
  if (!any)             \
    i = 0;              \
  if (end)              \
    *end = (char *)&s[i];
#define SIGNED(name, type, smallest, largest)                    \
  type model_##name(const char *s, char **end, int base) {       \
    type n = 0;                                                  \
    BEGINNING                                                    \
    while (DIGIT(s[i]) < base) {                                 \
      int digit = DIGIT(s[i]);                                   \
      any = 1;                                                   \
      if (over || n < ((smallest) + digit) / base)               \
        over = 1;                                                \
      else                                                       \
        n = n * base - digit;                                    \
      i++;                                                       \
    }                                                            \
    END                                                          \
    if (negative)                                                \
      return over ? (smallest) : n;                              \
    return over || n < -(largest) ? (largest) : -n;              \
  }
#define UNSIGNED(name, type, largest)                            \
  type model_##name(const char *s, char **end, int base) {       \
    type n = 0;                                                  \
    BEGINNING                                                    \
    while (DIGIT(s[i]) < base) {                                 \
      int digit = DIGIT(s[i]);                                   \
      any = 1;                                                   \
      if (over || n > ((largest) - (type)digit) / (type)base)    \
        over = 1;                                                \
      else                                                       \
        n = n * (type)base + (type)digit;                        \
      i++;                                                       \
    }                                                            \
    END                                                          \
    if (over)                                                    \
      return (largest);                                          \
    return negative ? 0 - n : n;                                 \
  }

/*: strtol strtoul strtoll strtoull strtoimax strtoumax
    try: add(NAME(a, &p, 0)); add(p - a); add(NAME(b, &p, c % 35 + 2)); add(p - b); strcpy(t, "-0x99999999999999999999 ");
    add(NAME(t + n, &p, 16)); add(p - t); add(NAME(t + 1 + c % 3, 0, 10)); add(NAME("+0X7fz", &p, 0)); */
SIGNED(strtol, long, -__LONG_MAX__ - 1, __LONG_MAX__)
SIGNED(strtoll, long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
SIGNED(strtoimax, __INTMAX_TYPE__, -__INTMAX_MAX__ - 1, __INTMAX_MAX__)
UNSIGNED(strtoul, unsigned long, __LONG_MAX__ * 2UL + 1)
UNSIGNED(strtoull, unsigned long long, __LONG_LONG_MAX__ * 2ULL + 1)
UNSIGNED(strtoumax, __UINTMAX_TYPE__, __UINTMAX_MAX__)

/*: toascii
    try: add(toascii(c)); */
int model_toascii(int c) {
  return c & 127;
}

/*: abs labs llabs imaxabs
    means: absolute */

/*: malloc alloca
    means: allocate */
/*: calloc
    means: allocate zeroed */
/*: free
    means: free */
/*: realloc
    means: reallocate */
/*: reallocarray
    means: not supported
    result: new */

/*: exit _exit _Exit quick_exit abort __builtin_trap
    means: stop */
/*: atexit at_quick_exit on_exit
    means: not supported */

/*: rand random lrand48
    returns: 0 .. 2147483647 */

/*: getenv secure_getenv
    result: new */

/* Arrays of any type: what stands for an element is the caller's type in each copy (`elements`). */
struct __sorrel_element {
  char it;
};

/* Neighbours change places, one after the other; of equal elements any may come first. */
/*: qsort
    try: int q[5]; for (int i = 0; i < 5; i++) q[i] = (int)(next(9) * 5 + i) * (next(2) ? 1 : -1);
    qsort(q, n % 6, sizeof q[0], ordered); for (int i = 0; i < 5; i++) add(q[i]); */
void model_qsort(struct __sorrel_element *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      struct __sorrel_element later;
      int order = compare(&base[j - 1], &base[j]);
      if (order < 0)
        break;
      if (order == 0 && __sorrel_any())
        break;
      later = base[j];
      base[j] = base[j - 1];
      base[j - 1] = later;
    }
}

/*: bsearch
    try: int q[5]; for (int i = 0; i < 5; i++) q[i] = (int)(i ? q[i - 1] + 1 + next(3) : next(3));
    int w = (int)next(16), *r = bsearch(&w, q, n % 6, sizeof q[0], ordered); add(r ? r - q : 99); */
void *model_bsearch(const void *key, const struct __sorrel_element *base, size_t count, size_t size,
                    int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, &base[middle]);
    if (order == 0)
      return (void *)&base[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
