/* Characters in the C locale. Numbers from -128 to -2 are no arguments of these functions either, but libraries take them. */

#define CLASS(name, condition)                                                                                      \
  int model_is##name(int c) {                                                                                       \
    __sorrel_require(c >= -128 && c <= 255);                                                                        \
    if (c < -1)                                                                                                     \
      return (int)__sorrel_any();                                                                                   \
    if (condition)                                                                                                  \
      return __sorrel_nonzero();                                                                                    \
    return 0;                                                                                                       \
  }
#define LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define GRAPHIC(c) ((c) >= '!' && (c) <= '~')

/*: islower isupper isdigit isalpha isalnum isxdigit isgraph isprint ispunct isspace isblank iscntrl isascii
    try: add(NAME(c - 1) != 0); */
CLASS(lower, LOWER(c))
CLASS(upper, UPPER(c))
CLASS(digit, DIGIT(c))
CLASS(alpha, LOWER(c) || UPPER(c))
CLASS(alnum, LOWER(c) || UPPER(c) || DIGIT(c))
CLASS(xdigit, DIGIT(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
CLASS(graph, GRAPHIC(c))
CLASS(print, GRAPHIC(c) || c == ' ')
CLASS(punct, GRAPHIC(c) && !LOWER(c) && !UPPER(c) && !DIGIT(c))
CLASS(space, c == ' ' || (c >= '\t' && c <= '\r'))
CLASS(blank, c == ' ' || c == '\t')
CLASS(cntrl, (c >= 0 && c < ' ') || c == 127)

int model_isascii(int c) {
  if (c >= 0 && c <= 127)
    return __sorrel_nonzero();
  return 0;
}

/*: tolower toupper
    try: add(NAME(c - 1)); */
int model_tolower(int c) {
  __sorrel_require(c >= -128 && c <= 255);
  if (c < -1)
    return (int)__sorrel_any();
  return UPPER(c) ? c + ('a' - 'A') : c;
}

int model_toupper(int c) {
  __sorrel_require(c >= -128 && c <= 255);
  if (c < -1)
    return (int)__sorrel_any();
  return LOWER(c) ? c - ('a' - 'A') : c;
}
