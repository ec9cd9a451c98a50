"""Functions of the C and POSIX library by name, for programs that announce them without including a header."""

from __future__ import annotations

_TEXT = """
memchr memcmp memccpy memcpy memmove memset mempcpy memmem memrchr strcat strchr strchrnul strcmp strcoll strcpy
strcspn strdup strndup strerror strlen strnlen strncat strncmp strncpy strpbrk strrchr strsep strsignal strspn strstr
strcasestr strtok strtok_r strxfrm stpcpy stpncpy strlcpy strlcat strcasecmp strncasecmp bcmp bcopy bzero index rindex
ffs ffsl ffsll

isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii
tolower toupper iswalnum iswalpha iswdigit iswlower iswspace iswupper towlower towupper

abs labs llabs div ldiv lldiv atof atoi atol atoll strtod strtof strtold strtol strtoul strtoll strtoull strtoimax
strtoumax rand srand rand_r random srandom drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 bsearch qsort
qsort_r getenv secure_getenv setenv unsetenv putenv system malloc calloc realloc reallocarray free alloca
aligned_alloc posix_memalign valloc memalign exit _exit _Exit abort atexit at_quick_exit quick_exit on_exit mblen
mbtowc wctomb mbstowcs wcstombs mkstemp mkdtemp mktemp tmpnam realpath getsubopt a64l l64a

printf fprintf sprintf snprintf dprintf asprintf vprintf vfprintf vsprintf vsnprintf vdprintf vasprintf scanf fscanf
sscanf vscanf vfscanf vsscanf putchar putc fputc puts fputs getchar getc fgetc gets fgets ungetc fread fwrite fopen
fdopen freopen fclose fflush fseek ftell rewind fgetpos fsetpos feof ferror clearerr fileno perror remove rename
tmpfile setbuf setvbuf getline getdelim popen pclose getc_unlocked getchar_unlocked putc_unlocked putchar_unlocked
fmemopen open_memstream _IO_getc _IO_putc __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc23_scanf
__isoc23_fscanf __isoc23_sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __errno_location
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc

time clock difftime mktime gmtime gmtime_r localtime localtime_r asctime asctime_r ctime ctime_r strftime strptime
clock_gettime clock_settime clock_getres nanosleep gettimeofday settimeofday times tzset

acos asin atan atan2 ceil cos cosh exp exp2 expm1 fabs floor fmod frexp hypot ldexp log log10 log1p log2 lrint llrint
lround llround modf nearbyint pow remainder rint round scalbn sin sinh sqrt cbrt tan tanh trunc fma fmax fmin fdim
copysign nan acosf asinf atanf atan2f ceilf cosf coshf expf exp2f expm1f fabsf floorf fmodf frexpf hypotf ldexpf logf
log10f log1pf log2f lrintf llrintf lroundf llroundf modff nearbyintf powf remainderf rintf roundf scalbnf sinf sinhf
sqrtf cbrtf tanf tanhf truncf fmaf fmaxf fminf fdimf copysignf nanf fabsl sqrtl powl floorl ceill isinf isnan finite
__isinf __isnan __finite __signbit __fpclassify

access alarm chdir chmod chown close closedir dup dup2 execl execlp execv execve execvp fork fstat fsync ftruncate
getcwd getegid geteuid getgid gethostname getlogin getopt getopt_long getpagesize getpgrp getpid getppid getpwnam
getpwuid getrlimit getrusage getsid gettid getuid ioctl isatty kill killpg link lseek lstat mkdir mkfifo mmap mprotect
munmap open opendir openat pathconf pause pipe poll pread pwrite raise read readdir readlink readv rmdir select setgid
setpgid setsid setuid sigaction sigaddset sigdelset sigemptyset sigfillset sigismember signal sigpending sigprocmask
sigsuspend sleep stat symlink sync sysconf tcgetattr tcsetattr truncate ttyname umask uname unlink usleep utime vfork
wait waitpid write writev accept bind connect getaddrinfo freeaddrinfo gai_strerror gethostbyname getpeername
getsockname getsockopt htonl htons inet_addr inet_ntoa inet_ntop inet_pton listen ntohl ntohs recv recvfrom recvmsg
send sendmsg sendto setsockopt shutdown socket socketpair

setjmp _setjmp sigsetjmp __sigsetjmp longjmp siglongjmp setlocale localeconv nl_langinfo iconv iconv_open iconv_close
dlopen dlsym dlclose dlerror regcomp regexec regfree wcslen wcscpy wcscmp wcscat wcsncpy wcschr wmemcpy wmemset btowc
wctob mbrtowc wcrtomb sched_yield basename dirname syslog openlog closelog hcreate hsearch tsearch tfind tdelete twalk
lfind lsearch ftw nftw glob globfree fnmatch wordexp imaxabs imaxdiv getentropy getrandom arc4random
arc4random_uniform
"""
_NAMES = frozenset(_TEXT.split())
_COMPILER_PREFIXES = ("__builtin_", "__sync_", "__atomic_", "__c11_atomic_")

RANDOM = range(2**31)
"""What rand may return, with the RAND_MAX of the libraries that Sorrel knows, and random by its definition."""
CHARACTER_OR_END = range(-1, 256)
_FROM_ENVIRONMENT = {
    **dict.fromkeys(("getchar", "getchar_unlocked", "getc", "fgetc", "getc_unlocked", "_IO_getc"), CHARACTER_OR_END),
    **dict.fromkeys(("rand", "random", "lrand48"), RANDOM),
}

_RETURN_OWN = frozenset(
    [
        "fopen",
        "fdopen",
        "freopen",
        "tmpfile",
        "popen",
        "getenv",
        "secure_getenv",
        "strdup",
        "strndup",
        "strerror",
        "strsignal",
        "setlocale",
        "localeconv",
        "ctime",
        "asctime",
        "localtime",
        "gmtime",
        "opendir",
        "readdir",
        "getpwnam",
        "getpwuid",
        "gethostbyname",
        "dlopen",
        "dlsym",
        "dlerror",
        "inet_ntoa",
        "ttyname",
        "realloc",
        "reallocarray",
        "fmemopen",
        "open_memstream",
    ]
)


def is_standard(name: str) -> bool:
    """Whether a function of that name with external linkage is one of the library's, or the compiler's own."""
    return name in _NAMES or name.startswith(_COMPILER_PREFIXES)


def from_environment(name: str) -> range | None:
    """The values, if any of them may be returned whatever happened before: the environment alone chooses."""
    return _FROM_ENVIRONMENT.get(name)


def returns_own(name: str) -> bool:
    """Whether a pointer that the function returns never leads to what its arguments point to."""
    return name in _RETURN_OWN
