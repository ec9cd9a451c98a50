/* Strings and blocks of bytes, element by element. Pointers are indexed and not moved, so that arrays travel by value. */

size_t model_strlen(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

size_t model_strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n] != 0)
    n++;
  return n;
}

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

char *model_strcpy(char *to, const char *from) {
  size_t i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  __sorrel_separate(to, from, i + 1);
  return to;
}

char *model_stpcpy(char *to, const char *from) {
  size_t i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  __sorrel_separate(to, from, i + 1);
  return &to[i];
}

char *model_strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  __sorrel_separate(to, from, n);
  while (i < n) {
    to[i] = 0;
    i++;
  }
  return to;
}

char *model_strcat(char *to, const char *from) {
  size_t end = 0, i = 0;
  while (to[end] != 0)
    end++;
  while (from[i] != 0) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  __sorrel_separate(to, from, end + i + 1);
  return to;
}

char *model_strncat(char *to, const char *from, size_t n) {
  size_t end = 0, i = 0;
  while (to[end] != 0)
    end++;
  while (i < n && from[i] != 0) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  __sorrel_separate(to, from, end + i + 1);
  return to;
}

char *model_strchr(const char *s, int c) {
  size_t i = 0;
  while (s[i] != (char)c) {
    if (s[i] == 0)
      return 0;
    i++;
  }
  return (char *)&s[i];
}

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

void *model_memchr(const char *s, int c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == (char)c)
      return (void *)&s[i];
  }
  return 0;
}

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

void *model_memset(char *s, int c, size_t n) {
  for (size_t i = 0; i < n; i++)
    s[i] = (char)c;
  return s;
}

void model_bzero(char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    s[i] = 0;
}

void *model_memcpy(char *to, const char *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  __sorrel_separate(to, from, n);
  return to;
}

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
