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

/*: abs labs llabs imaxabs
    means: absolute */

/*: malloc alloca
    means: allocate */
/*: calloc
    means: allocate zeroed */
/*: free
    means: free */
/*: realloc reallocarray
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
