/* What is read from outside may be anything; where it is written to must be there. */

/* An input that is no character and not the end of the file: nothing is known of what was there after it. */
#define READ_ERROR -2

/*: fgets
    try: nothing, for what is read is an input */
char *model_fgets(char *to, int n, void *stream) {
  int i = 0;
  long long c = 0;
  (void)stream;
  while (i < n - 1 && c != '\n') {
    c = __sorrel_input();
    if (c == READ_ERROR) {
      to[0] = (char)__sorrel_any();
      return 0;
    }
    if (c < 0 || c > 255)
      break;
    to[i] = (char)c;
    i++;
  }
  if (n <= 0 || (i == 0 && n > 1))
    return 0;
  to[i] = 0;
  return to;
}

/*: fread
    looks at: bytes
    try: nothing, for what is read is an input */
size_t model_fread(char *to, size_t size, size_t count, void *stream) {
  size_t all = size * count;
  long long wanted = __sorrel_input();
  size_t got = wanted < 0 || (unsigned long long)wanted > all ? all : (size_t)wanted;
  (void)stream;
  if (all == 0)
    return 0;
  for (size_t i = 0; i < got; i++)
    to[i] = (char)__sorrel_input();
  return got / size;
}

/*: read
    looks at: bytes
    try: nothing, for what is read is an input */
__PTRDIFF_TYPE__ model_read(int file, char *to, size_t count) {
  long long wanted = __sorrel_input();
  size_t got = wanted < 0 || (unsigned long long)wanted > count ? count : (size_t)wanted;
  (void)file;
  if (wanted == -1)
    return -1;
  for (size_t i = 0; i < got; i++)
    to[i] = (char)__sorrel_input();
  return (__PTRDIFF_TYPE__)got;
}

/* The seconds since 1970, and never fewer than at the call before if nobody sets the clock: so any number. */
/*: time
    try: nothing, for the clock is an input */
long model_time(long *to) {
  long long now = __sorrel_input();
  long result = now < -1 || now > __LONG_MAX__ ? -1 : (long)now;
  if (to)
    *to = result;
  return result;
}

/*: puts
    writes: text
    try: nothing, for the result may be any number */
int model_puts(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return (int)__sorrel_any();
}

/*: fputs
    writes: text
    try: nothing, for the result may be any number */
int model_fputs(const char *s, void *stream) {
  size_t n = 0;
  (void)stream;
  while (s[n] != 0)
    n++;
  return (int)__sorrel_any();
}

/*: vprintf vfprintf vdprintf printf fprintf __builtin_puts putchar fputc putc perror fflush fwrite
    writes: text */

/*: getchar getchar_unlocked getc fgetc getc_unlocked _IO_getc
    returns: -1 .. 255 */

/*: fopen fdopen freopen tmpfile popen fmemopen open_memstream
    result: new */
