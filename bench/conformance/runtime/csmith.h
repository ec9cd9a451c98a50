/* What programs of Csmith expect of their runtime, in a small edition: arithmetic that is defined for all operands, and
   a checksum of the values that a program hands over. Where an operation has no value in C, the left operand is taken. */
#ifndef CSMITH_H
#define CSMITH_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SAFE_SHIFT(T, LETTER, KIND, R, LARGEST)                                                                  \
  static T safe_lshift_func_##T##_##LETTER##_##KIND(T a, R n) {                                                  \
    return (a < 0 || n < 0 || n >= (R)(sizeof(T) * CHAR_BIT) || a > (LARGEST >> n)) ? a : (T)(a << n);           \
  }                                                                                                              \
  static T safe_rshift_func_##T##_##LETTER##_##KIND(T a, R n) {                                                  \
    return (a < 0 || n < 0 || n >= (R)(sizeof(T) * CHAR_BIT)) ? a : (T)(a >> n);                                 \
  }

#define SAFE_SIGNED(T, SMALLEST, LARGEST)                                                                        \
  static T safe_unary_minus_func_##T##_s(T a) { return a == SMALLEST ? a : (T)-a; }                              \
  static T safe_add_func_##T##_s_s(T a, T b) {                                                                   \
    return (b > 0 && a > LARGEST - b) || (b < 0 && a < SMALLEST - b) ? a : (T)(a + b);                           \
  }                                                                                                              \
  static T safe_sub_func_##T##_s_s(T a, T b) {                                                                   \
    return (b < 0 && a > LARGEST + b) || (b > 0 && a < SMALLEST + b) ? a : (T)(a - b);                           \
  }                                                                                                              \
  static T safe_mul_func_##T##_s_s(T a, T b) {                                                                   \
    if (a == 0 || b == 0)                                                                                        \
      return 0;                                                                                                  \
    if (a > 0 ? (b > 0 ? a > LARGEST / b : b < SMALLEST / a) : (b > 0 ? a < SMALLEST / b : b < LARGEST / a))     \
      return a;                                                                                                  \
    return (T)(a * b);                                                                                           \
  }                                                                                                              \
  static T safe_mod_func_##T##_s_s(T a, T b) { return b == 0 || (a == SMALLEST && b == -1) ? a : (T)(a % b); }   \
  static T safe_div_func_##T##_s_s(T a, T b) { return b == 0 || (a == SMALLEST && b == -1) ? a : (T)(a / b); }   \
  SAFE_SHIFT(T, s, s, int, LARGEST)                                                                              \
  SAFE_SHIFT(T, s, u, unsigned int, LARGEST)

#define SAFE_UNSIGNED(T, WIDE, LARGEST)                                                                          \
  static T safe_unary_minus_func_##T##_u(T a) { return (T)(0 - (WIDE)a); }                                       \
  static T safe_add_func_##T##_u_u(T a, T b) { return (T)((WIDE)a + b); }                                        \
  static T safe_sub_func_##T##_u_u(T a, T b) { return (T)((WIDE)a - b); }                                        \
  static T safe_mul_func_##T##_u_u(T a, T b) { return (T)((WIDE)a * b); }                                        \
  static T safe_mod_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a % b); }                                 \
  static T safe_div_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a / b); }                                 \
  SAFE_SHIFT(T, u, s, int, LARGEST)                                                                              \
  SAFE_SHIFT(T, u, u, unsigned int, LARGEST)

SAFE_SIGNED(int8_t, INT8_MIN, INT8_MAX)
SAFE_SIGNED(int16_t, INT16_MIN, INT16_MAX)
SAFE_SIGNED(int32_t, INT32_MIN, INT32_MAX)
SAFE_SIGNED(int64_t, INT64_MIN, INT64_MAX)
SAFE_UNSIGNED(uint8_t, unsigned int, UINT8_MAX)
SAFE_UNSIGNED(uint16_t, unsigned int, UINT16_MAX)
SAFE_UNSIGNED(uint32_t, unsigned int, UINT32_MAX)
SAFE_UNSIGNED(uint64_t, uint64_t, UINT64_MAX)

/* The checksum */

static uint32_t crc32_tab[256];
static uint32_t crc32_context = 0xFFFFFFFFUL;

static void crc32_gentab(void) {
  uint32_t number, value;
  int bit;
  for (number = 0; number < 256; number++) {
    value = number;
    for (bit = 0; bit < 8; bit++)
      value = (value & 1) ? (value >> 1) ^ 0xEDB88320UL : value >> 1;
    crc32_tab[number] = value;
  }
}

static void transparent_crc(uint64_t value, char *name, int flag) {
  int position;
  for (position = 0; position < 8; position++) {
    crc32_context = (crc32_context >> 8) ^ crc32_tab[(crc32_context ^ value) & 0xFF];
    value >>= 8;
  }
  if (flag)
    printf("...checksum after hashing %s : %X\n", name, crc32_context ^ 0xFFFFFFFFU);
}

static void platform_main_begin(void) {}
static void platform_main_end(uint32_t checksum, int flag) {
  if (!flag)
    printf("checksum = %X\n", checksum);
}

#endif
