/* Strings and blocks of bytes, element by element. Pointers are indexed and not moved, so that arrays travel by value. */

/*: strlen
    try: add(strlen(a)); */
size_t model_strlen(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

/*: strnlen
    try: add(strnlen(a, n)); */
size_t model_strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n] != 0)
    n++;
  return n;
}

/*: strcmp
    try: add(strcmp(a, b) < 0); add(strcmp(a, b) == 0); */
int model_strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] == b[i]) {
    if (a[i] == 0)
      return 0;
    i++;
  }
  if ((unsigned char)a[i] > (unsigned char)b[i])
    return __sorrel_positive();
  return -__sorrel_positive();
}

/*: strncmp
    try: add(strncmp(a, b, n) < 0); add(!strncmp(a, b, n)); */
int model_strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) {
      if ((unsigned char)a[i] > (unsigned char)b[i])
        return __sorrel_positive();
      return -__sorrel_positive();
    }
    if (a[i] == 0)
      return 0;
  }
  return 0;
}

/*: memcmp
    compares: bytes
    try: add(memcmp(a, b, n) < 0); add(memcmp(a, b, n) == 0); */
/* All bytes of both blocks must be there, even those after the first difference. */
int model_memcmp(const char *a, const char *b, size_t n) {
  int result = 0;
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i] && result == 0)
      result = (unsigned char)a[i] > (unsigned char)b[i] ? 1 : -1;
  }
  if (result > 0)
    return __sorrel_positive();
  if (result < 0)
    return -__sorrel_positive();
  return 0;
}

/*: bcmp
    compares: bytes
    try: add(bcmp(a, b, n) == 0); */
int model_bcmp(const char *a, const char *b, size_t n) {
  int different = 0;
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      different = 1;
  }
  if (different)
    return __sorrel_nonzero();
  return 0;
}

/*: strcpy
    try: strcpy(t, a); add_all(t, 8); */
char *model_strcpy(char *to, const char *from) {
  size_t i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  __sorrel_separate(to, i + 1, from, i + 1);
  return to;
}

/*: stpcpy
    try: add(stpcpy(t, a) - t); add_all(t, 8); */
char *model_stpcpy(char *to, const char *from) {
  size_t i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  __sorrel_separate(to, i + 1, from, i + 1);
  return &to[i];
}

/*: strncpy
    try: strncpy(t, a, n); add_all(t, 10); */
char *model_strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  __sorrel_separate(to, n, from, i < n ? i + 1 : n);
  while (i < n) {
    to[i] = 0;
    i++;
  }
  return to;
}

/*: strcat
    try: strcpy(t, a); strcat(t, b); add_all(t, 16); */
char *model_strcat(char *to, const char *from) {
  size_t end = 0, i = 0;
  while (to[end] != 0)
    end++;
  while (from[i] != 0) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  __sorrel_separate(to, end + i + 1, from, i + 1);
  return to;
}

/*: strncat
    try: strcpy(t, a); strncat(t, b, n); add_all(t, 16); */
char *model_strncat(char *to, const char *from, size_t n) {
  size_t end = 0, i = 0;
  while (to[end] != 0)
    end++;
  while (i < n && from[i] != 0) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  if (n > 0)
    __sorrel_separate(to, end + i + 1, from, i < n ? i + 1 : n);
  return to;
}

/*: strchr
    try: p = strchr(a, c); add(p ? p - a : 99); */
char *model_strchr(const char *s, int c) {
  size_t i = 0;
  while (s[i] != (char)c) {
    if (s[i] == 0)
      return 0;
    i++;
  }
  return (char *)&s[i];
}

/*: strrchr
    try: p = strrchr(a, c); add(p ? p - a : 99); */
char *model_strrchr(const char *s, int c) {
  size_t i = 0, last = 0;
  int found = 0;
  for (;;) {
    if (s[i] == (char)c) {
      last = i;
      found = 1;
    }
    if (s[i] == 0)
      break;
    i++;
  }
  if (!found)
    return 0;
  return (char *)&s[last];
}

/*: memchr
    looks at: bytes
    try: p = memchr(a, c, n); add(p ? p - a : 99); */
void *model_memchr(const char *s, int c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == (char)c)
      return (void *)&s[i];
  }
  return 0;
}

/*: strspn
    try: add(strspn(a, b)); */
size_t model_strspn(const char *s, const char *accepted) {
  size_t n = 0;
  for (;;) {
    size_t i = 0;
    if (s[n] == 0)
      return n;
    while (accepted[i] != 0 && accepted[i] != s[n])
      i++;
    if (accepted[i] == 0)
      return n;
    n++;
  }
}

/*: strcspn
    try: add(strcspn(a, b)); */
size_t model_strcspn(const char *s, const char *rejected) {
  size_t n = 0;
  for (;;) {
    size_t i = 0;
    if (s[n] == 0)
      return n;
    while (rejected[i] != 0 && rejected[i] != s[n])
      i++;
    if (rejected[i] != 0)
      return n;
    n++;
  }
}

/*: strpbrk
    try: p = strpbrk(a, b); add(p ? p - a : 99); */
char *model_strpbrk(const char *s, const char *wanted) {
  size_t n = 0;
  while (s[n] != 0) {
    size_t i = 0;
    while (wanted[i] != 0 && wanted[i] != s[n])
      i++;
    if (wanted[i] != 0)
      return (char *)&s[n];
    n++;
  }
  return 0;
}

/*: strstr
    try: p = strstr(a, b); add(p ? p - a : 99); */
char *model_strstr(const char *s, const char *wanted) {
  size_t n = 0;
  for (;;) {
    size_t i = 0;
    while (wanted[i] != 0 && s[n + i] == wanted[i])
      i++;
    if (wanted[i] == 0)
      return (char *)&s[n];
    if (s[n] == 0)
      return 0;
    n++;
  }
}

/*: memset
    means: fill
    looks at: bytes
    try: memset(t, c, n); add_all(t, 8); */
void *model_memset(char *s, int c, size_t n) {
  for (size_t i = 0; i < n; i++)
    s[i] = (char)c;
  return s;
}

/*: bzero
    looks at: bytes
    try: strcpy(t, a); bzero(t, n); add_all(t, 8); */
void model_bzero(char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    s[i] = 0;
}

/*: memcpy
    means: copy
    looks at: bytes
    try: memcpy(t, a, n); add_all(t, 8); */
void *model_memcpy(char *to, const char *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  __sorrel_separate(to, n, from, n);
  return to;
}

/*: memmove
    means: copy
    looks at: bytes
    try: strcpy(t, a); memmove(t + c % 3, t + c % 2, n); add_all(t, 12); */
void *model_memmove(char *to, const char *from, size_t n) {
  if (__sorrel_behind(to, from)) {
    for (size_t i = n; i > 0; i--)
      to[i - 1] = from[i - 1];
  } else {
    for (size_t i = 0; i < n; i++)
      to[i] = from[i];
  }
  return to;
}

/* Capital letters and small ones are the same, in the C locale. */
#define SMALL(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + ('a' - 'A') : (c))

/*: strcasecmp
    try: add(strcasecmp(a, b) < 0); add(strcasecmp("aXA", a) == 0); */
int model_strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (SMALL((unsigned char)a[i]) == SMALL((unsigned char)b[i])) {
    if (a[i] == 0)
      return 0;
    i++;
  }
  if (SMALL((unsigned char)a[i]) > SMALL((unsigned char)b[i]))
    return __sorrel_positive();
  return -__sorrel_positive();
}

/*: strncasecmp
    try: add(strncasecmp(a, b, n) < 0); add(strncasecmp("AB", a, n) == 0); */
int model_strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (SMALL((unsigned char)a[i]) != SMALL((unsigned char)b[i])) {
      if (SMALL((unsigned char)a[i]) > SMALL((unsigned char)b[i]))
        return __sorrel_positive();
      return -__sorrel_positive();
    }
    if (a[i] == 0)
      return 0;
  }
  return 0;
}

/*: strcoll
    try: add(strcoll(a, b) < 0); add(strcoll(a, b) == 0); */
int model_strcoll(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] == b[i]) {
    if (a[i] == 0)
      return 0;
    i++;
  }
  if ((unsigned char)a[i] > (unsigned char)b[i])
    return __sorrel_positive();
  return -__sorrel_positive();
}

/*: strchrnul
    try: p = strchrnul(a, c); add(p - a); */
char *model_strchrnul(const char *s, int c) {
  size_t i = 0;
  while (s[i] != 0 && s[i] != (char)c)
    i++;
  return (char *)&s[i];
}

/*: index
    try: p = index(a, c); add(p ? p - a : 99); */
char *model_index(const char *s, int c) {
  size_t i = 0;
  while (s[i] != (char)c) {
    if (s[i] == 0)
      return 0;
    i++;
  }
  return (char *)&s[i];
}

/*: rindex
    try: p = rindex(a, c); add(p ? p - a : 99); */
char *model_rindex(const char *s, int c) {
  size_t i = 0, last = 0;
  int found = 0;
  for (;;) {
    if (s[i] == (char)c) {
      last = i;
      found = 1;
    }
    if (s[i] == 0)
      break;
    i++;
  }
  if (!found)
    return 0;
  return (char *)&s[last];
}

/*: memrchr
    looks at: bytes
    try: p = memrchr(a, c, n); add(p ? p - a : 99); */
void *model_memrchr(const char *s, int c, size_t n) {
  for (size_t i = n; i > 0; i--) {
    if (s[i - 1] == (char)c)
      return (void *)&s[i - 1];
  }
  return 0;
}

/*: mempcpy
    looks at: bytes
    try: p = mempcpy(t, a, n); add(p - t); add_all(t, 8); */
void *model_mempcpy(char *to, const char *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  __sorrel_separate(to, n, from, n);
  return &to[n];
}

/*: memccpy
    looks at: bytes
    try: p = memccpy(t, a, c, n); add(p ? p - t : 99); add_all(t, 8); */
void *model_memccpy(char *to, const char *from, int c, size_t n) {
  size_t i = 0;
  while (i < n) {
    to[i] = from[i];
    i++;
    if (from[i - 1] == (char)c) {
      __sorrel_separate(to, i, from, i);
      return &to[i];
    }
  }
  __sorrel_separate(to, n, from, n);
  return 0;
}

/*: bcopy
    looks at: bytes
    try: strcpy(t, a); bcopy(t + c % 3, t + c % 2, n); add_all(t, 12); */
void model_bcopy(const char *from, char *to, size_t n) {
  if (__sorrel_behind(to, from)) {
    for (size_t i = n; i > 0; i--)
      to[i - 1] = from[i - 1];
  } else {
    for (size_t i = 0; i < n; i++)
      to[i] = from[i];
  }
}

/*: stpncpy
    try: add(stpncpy(t, a, n) - t); add_all(t, 10); */
char *model_stpncpy(char *to, const char *from, size_t n) {
  size_t i = 0, end;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  __sorrel_separate(to, n, from, i < n ? i + 1 : n);
  end = i;
  while (i < n) {
    to[i] = 0;
    i++;
  }
  return &to[end];
}

/*: strdup
    result: new
    try: p = strdup(a); add(strlen(p)); add_all(p, strlen(a)); free(p); */
char *model_strdup(const char *s) {
  size_t n = 0;
  char *copy;
  while (s[n] != 0)
    n++;
  copy = malloc(n + 1);
  if (!copy)
    return 0;
  for (size_t i = 0; i <= n; i++)
    copy[i] = s[i];
  return copy;
}

/*: strndup
    result: new
    try: p = strndup(a, n); add(strlen(p)); add_all(p, strnlen(a, n)); free(p); */
char *model_strndup(const char *s, size_t most) {
  size_t n = 0;
  char *copy;
  while (n < most && s[n] != 0)
    n++;
  copy = malloc(n + 1);
  if (!copy)
    return 0;
  for (size_t i = 0; i < n; i++)
    copy[i] = s[i];
  copy[n] = 0;
  return copy;
}

/*: strsep
    try: char *rest = t; strcpy(t, a); strcat(t, b); p = strsep(&rest, "ab"); add(p - t); add(rest ? rest - t : 99);
    add_all(t, 16); */
char *model_strsep(char **rest, const char *stops) {
  char *s = *rest;
  size_t n = 0;
  if (!s)
    return 0;
  while (s[n] != 0) {
    size_t i = 0;
    while (stops[i] != 0 && stops[i] != s[n])
      i++;
    if (stops[i] != 0) {
      s[n] = 0;
      *rest = &s[n + 1];
      return s;
    }
    n++;
  }
  *rest = 0;
  return s;
}

/* The next piece of a text between characters that separate; `rest` is where the piece after it is sought. */
#define PIECE(rest)                                       \
  char *s = text ? text : (rest);                         \
  size_t n = 0, from, i;                                  \
  __sorrel_require(s != 0);                               \
  for (; s[n] != 0; n++) {                                \
    for (i = 0; stops[i] != 0 && stops[i] != s[n];)       \
      i++;                                                \
    if (stops[i] == 0)                                    \
      break;                                              \
  }                                                       \
  from = n;                                               \
  for (; s[n] != 0; n++) {                                \
    for (i = 0; stops[i] != 0 && stops[i] != s[n];)       \
      i++;                                                \
    if (stops[i] != 0) {                                  \
      s[n] = 0;                                           \
      (rest) = &s[n + 1];                                 \
      return &s[from];                                    \
    }                                                     \
  }                                                       \
  (rest) = &s[n];                                         \
  return from == n ? 0 : &s[from];

/*: strtok
    try: strcpy(t, a); strcat(t, b); p = strtok(t, "b \t"); add(p ? p - t : 99); p = strtok(0, n ? "a" : b);
    add(p ? p - t : 99); p = strtok(0, "c"); add(p ? p - t : 99); add_all(t, 20); */
static char *pieces_left;
char *model_strtok(char *text, const char *stops) { PIECE(pieces_left) }

/*: strtok_r
    try: char *rest; strcpy(t, a); strcat(t, b); p = strtok_r(t, "b \t", &rest); add(p ? p - t : 99); add(rest - t);
    p = strtok_r(0, n ? "a" : b, &rest); add(p ? p - t : 99); add(rest - t); add_all(t, 20); */
char *model_strtok_r(char *text, const char *stops, char **rest) { PIECE(*rest) }
