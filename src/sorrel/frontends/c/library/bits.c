/* Functions of the compiler about the bits of a number, and those of the library that are like them. */

#define BIT(x, i) ((int)((x) >> (i) & 1))
#define BYTE(x, i)                                                                                        \
  (BIT(x, i) + BIT(x, (i) + 1) + BIT(x, (i) + 2) + BIT(x, (i) + 3) + BIT(x, (i) + 4) + BIT(x, (i) + 5) + \
   BIT(x, (i) + 6) + BIT(x, (i) + 7))
#define ONES_32(x) (BYTE(x, 0) + BYTE(x, 8) + BYTE(x, 16) + BYTE(x, 24))
#define ONES_64(x) (ONES_32(x) + BYTE(x, 32) + BYTE(x, 40) + BYTE(x, 48) + BYTE(x, 56))
#define ONES(x) (sizeof(x) == 8 ? ONES_64((unsigned long long)(x)) : ONES_32(x))

#define BITS(suffix, type)                                \
  int model___builtin_popcount##suffix(type x) {          \
    return ONES(x);                                       \
  }                                                       \
  int model___builtin_parity##suffix(type x) {            \
    return ONES(x) % 2;                                   \
  }                                                       \
  int model___builtin_ctz##suffix(type x) {               \
    int n = 0;                                            \
    if (x == 0)                                           \
      return (int)__sorrel_any();                         \
    while (x % 2 == 0) {                                  \
      x = x / 2;                                          \
      n++;                                                \
    }                                                     \
    return n;                                             \
  }                                                       \
  int model___builtin_clz##suffix(type x) {               \
    int n = 8 * (int)sizeof(type);                        \
    if (x == 0)                                           \
      return (int)__sorrel_any();                         \
    while (x != 0) {                                      \
      x = x / 2;                                          \
      n--;                                                \
    }                                                     \
    return n;                                             \
  }
#define FIRST(name, type, from)                           \
  int model_##name(from number) {                         \
    type x = (type)number;                                \
    int n = 1;                                            \
    if (x == 0)                                           \
      return 0;                                           \
    while (x % 2 == 0) {                                  \
      x = x / 2;                                          \
      n++;                                                \
    }                                                     \
    return n;                                             \
  }

/*: __builtin_popcount __builtin_parity
    try: add(NAME(x)); */
/*: __builtin_popcountl __builtin_parityl
    try: add(NAME(xl)); */
/*: __builtin_popcountll __builtin_parityll
    try: add(NAME(xll)); */
/*: __builtin_ctz __builtin_clz
    try: if (x) add(NAME(x)); */
/*: __builtin_ctzl __builtin_clzl
    try: if (xl) add(NAME(xl)); */
/*: __builtin_ctzll __builtin_clzll
    try: if (xll) add(NAME(xll)); */
BITS(, unsigned int)
BITS(l, unsigned long)
BITS(ll, unsigned long long)

/*: ffs
    try: add(NAME(x)); */
/*: ffsl
    try: add(NAME(xl)); */
/*: ffsll
    try: add(NAME(xll)); */
FIRST(ffs, unsigned int, int)
FIRST(ffsl, unsigned long, long)
FIRST(ffsll, unsigned long long, long long)

/*: __builtin_bswap16
    try: add(NAME(x)); */
unsigned short model___builtin_bswap16(unsigned short x) {
  return (unsigned short)(x % 256 * 256 + x / 256);
}

/*: __builtin_bswap32
    try: add(NAME(x)); */
unsigned int model___builtin_bswap32(unsigned int x) {
  return (x % 256 << 24) + (x / 256 % 256 << 16) + (x / 65536 % 256 << 8) + x / 16777216;
}

/*: __builtin_bswap64
    try: add(NAME(xll)); */
unsigned long long model___builtin_bswap64(unsigned long long x) {
  unsigned int low = (unsigned int)x, high = (unsigned int)(x >> 32);
  low = (low % 256 << 24) + (low / 256 % 256 << 16) + (low / 65536 % 256 << 8) + low / 16777216;
  high = (high % 256 << 24) + (high / 256 % 256 << 16) + (high / 65536 % 256 << 8) + high / 16777216;
  return ((unsigned long long)low << 32) + high;
}

/*: __builtin_expect
    means: first argument */
/*: __builtin_unreachable
    means: unreachable */
/*: __builtin_va_start __builtin_va_copy __builtin_va_end
    means: argument list */
/*: __builtin_constant_p
    means: constant known */
/*: __builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow
    __builtin_sadd_overflow __builtin_saddl_overflow __builtin_saddll_overflow
    __builtin_ssub_overflow __builtin_ssubl_overflow __builtin_ssubll_overflow
    __builtin_smul_overflow __builtin_smull_overflow __builtin_smulll_overflow
    __builtin_uadd_overflow __builtin_uaddl_overflow __builtin_uaddll_overflow
    __builtin_usub_overflow __builtin_usubl_overflow __builtin_usubll_overflow
    __builtin_umul_overflow __builtin_umull_overflow __builtin_umulll_overflow
    means: overflowing */
