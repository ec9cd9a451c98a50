/* Wide strings, element by element. */

/*: wcslen
    try: add(wcslen(wide[next(4)])); */
size_t model_wcslen(const __WCHAR_TYPE__ *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

/*: wcscmp
    try: int i = next(4), j = next(4); add(wcscmp(wide[i], wide[j]) < 0); add(wcscmp(wide[i], wide[j]) == 0); */
int model_wcscmp(const __WCHAR_TYPE__ *a, const __WCHAR_TYPE__ *b) {
  size_t i = 0;
  while (a[i] == b[i]) {
    if (a[i] == 0)
      return 0;
    i++;
  }
  if (a[i] > b[i])
    return __sorrel_positive();
  return -__sorrel_positive();
}

/*: wcscpy
    try: wchar_t w[8]; wcscpy(w, wide[next(4)]); add(wcslen(w)); add(w[0]); */
__WCHAR_TYPE__ *model_wcscpy(__WCHAR_TYPE__ *to, const __WCHAR_TYPE__ *from) {
  size_t i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return to;
}

/*: wcschr
    try: const wchar_t *w = wide[next(4)], *found = wcschr(w, L'a' + c % 3); add(found ? found - w : 99); */
__WCHAR_TYPE__ *model_wcschr(const __WCHAR_TYPE__ *s, __WCHAR_TYPE__ c) {
  size_t i = 0;
  while (s[i] != c) {
    if (s[i] == 0)
      return 0;
    i++;
  }
  return (__WCHAR_TYPE__ *)&s[i];
}
