/* Functions of <math.h> on float and double. Those with a result that C or IEEE 754 fixes have it; of the others it is known
   where their values are. `LIMIT` is a number from which on all numbers are integers. */

#define ORDER(suffix, type, LIMIT)                                           \
  type model_fabs##suffix(type x) {                                          \
    return x <= 0 ? 0 - x : x;                                               \
  }                                                                          \
  type model_fmin##suffix(type x, type y) {                                  \
    return x != x ? y : y != y ? x : y < x ? y : x;                          \
  }                                                                          \
  type model_fmax##suffix(type x, type y) {                                  \
    return x != x ? y : y != y ? x : y > x ? y : x;                          \
  }                                                                          \
  type model_fdim##suffix(type x, type y) {                                  \
    return x != x ? x : y != y ? y : x > y ? x - y : 0;                      \
  }                                                                          \
  type model_copysign##suffix(type x, type y) {                              \
    int negative = y < 0 || (y == 0 && 1 / y < 0);                           \
    if (y != y)                                                              \
      negative = (int)__sorrel_any();                                        \
    return negative ? -model_fabs##suffix(x) : model_fabs##suffix(x);        \
  }                                                                          \
  type model_trunc##suffix(type x) {                                         \
    if (!(x > -LIMIT && x < LIMIT))                                          \
      return x;                                                              \
    type whole = (type)(long long)x;                                         \
    return whole == x ? x : whole == 0 && x < 0 ? -whole : whole;            \
  }                                                                          \
  type model_floor##suffix(type x) {                                         \
    if (!(x > -LIMIT && x < LIMIT))                                          \
      return x;                                                              \
    long long whole = (long long)x;                                          \
    return (type)whole == x ? x : (type)(x < 0 ? whole - 1 : whole);         \
  }                                                                          \
  type model_ceil##suffix(type x) {                                          \
    if (!(x > -LIMIT && x < LIMIT))                                          \
      return x;                                                              \
    long long whole = (long long)x;                                          \
    if (whole == 0 && x < 0)                                                 \
      return -(type)0;                                                       \
    return (type)whole == x ? x : (type)(x > 0 ? whole + 1 : whole);         \
  }                                                                          \
  type model_round##suffix(type x) {                                         \
    type whole = model_trunc##suffix(x);                                     \
    if (x - whole >= (type)0.5)                                              \
      return whole + 1;                                                      \
    return x - whole <= (type)-0.5 ? whole - 1 : whole;                      \
  }
ORDER(, double, 4503599627370496.0)
ORDER(f, float, 8388608.0f)

/*: fabs trunc floor ceil round
    try: number(NAME(d)); */
/*: fmin fmax fdim
    try: number(NAME(d, e)); */
/*: copysign
    try: if (e == e) number(NAME(d, e)); */
/*: fabsf truncf floorf ceilf roundf
    try: number(NAME(f)); */
/*: fminf fmaxf fdimf
    try: number(NAME(f, g)); */
/*: copysignf
    try: if (g == g) number(NAME(f, g)); */

#define RANGES(suffix, type)                                                 \
  type model_sqrt##suffix(type x) {                                          \
    if (x < 0)                                                               \
      return (x - x) / (x - x);                                              \
    if (!(x > 0) || x - x != 0)                                              \
      return x;                                                              \
    type y = (type)__sorrel_any_number();                                    \
    __VERIFIER_assume(x <= 1 ? y >= x && y <= 1 : y >= 1 && y <= x);         \
    return y;                                                                \
  }                                                                          \
  type model_exp##suffix(type x) {                                           \
    type y = (type)__sorrel_any_number();                                    \
    __VERIFIER_assume(x != x ? y != y : x <= 0 ? y >= 0 && y <= 1 : y >= 1); \
    return y;                                                                \
  }                                                                          \
  type model_fmod##suffix(type x, type y) {                                  \
    type rest = (type)__sorrel_any_number();                                 \
    if (x - x != 0 || y == 0 || y != y)                                      \
      return (x - x) / (x - x);                                              \
    __VERIFIER_assume(x >= 0 ? rest >= 0 && rest <= x : rest <= 0 && rest >= x); \
    __VERIFIER_assume(y > 0 ? rest < y && rest > -y : rest > y && rest < -y);    \
    return rest;                                                             \
  }
#define UNIT(name, type)                                                     \
  type model_##name(type x) {                                                \
    type y = (type)__sorrel_any_number();                                    \
    if (x - x != 0)                                                          \
      return x - x;                                                          \
    __VERIFIER_assume(y >= -1 && y <= 1);                                    \
    return y;                                                                \
  }
RANGES(, double)
RANGES(f, float)
UNIT(sin, double)
UNIT(cos, double)
UNIT(sinf, float)
UNIT(cosf, float)

/*: sqrt exp fmod sin cos
    try: nothing, its value is left open */
/*: sqrtf expf fmodf sinf cosf
    try: nothing, its value is left open */

float model___builtin_inff(void) {
  return 1.0f / 0.0f;
}
double model___builtin_inf(void) {
  return 1.0 / 0.0;
}
float model___builtin_huge_valf(void) {
  return 1.0f / 0.0f;
}
double model___builtin_huge_val(void) {
  return 1.0 / 0.0;
}
float model___builtin_nanf(const char *text) {
  return 0.0f / 0.0f;
}
double model___builtin_nan(const char *text) {
  return 0.0 / 0.0;
}

/*: __builtin_inff __builtin_inf __builtin_huge_valf __builtin_huge_val
    try: number(NAME()); */
/*: __builtin_nanf __builtin_nan
    try: number(NAME("")); */

/*: __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_isinf_sign __builtin_signbit __builtin_signbitf
    isnan isinf finite isnanf isinff finitef __isnan __isinf __finite __isnanf __isinff __finitef __signbit __signbitf
    means: classify */
