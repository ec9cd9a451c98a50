/* Functions of the C and POSIX library of which no more is known than that the library has them, or how they return: for
   programs that announce them without including a header. */

/*: setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp __longjmp_chk siglongjmp fork vfork signal
    sigaction raise kill killpg pause sigsuspend
    means: not supported */

/*: __assert_fail __assert_perror_fail __assert __assert_rtn
    means: assertion failure */

/*: strerror strsignal gmtime localtime asctime ctime getpwnam getpwuid opendir readdir ttyname
    gethostbyname inet_ntoa setlocale localeconv dlopen dlsym dlerror
    result: new */

/*: memmem strcasestr strxfrm strlcpy
    strlcat iswalnum iswalpha iswdigit iswlower iswspace iswupper
    towlower towupper div ldiv lldiv atof strtod strtof strtold
    srand rand_r srandom drand48 erand48 nrand48 mrand48 jrand48 srand48 qsort_r setenv unsetenv
    putenv system aligned_alloc posix_memalign valloc memalign mblen mbtowc wctomb mbstowcs wcstombs mkstemp mkdtemp
    mktemp tmpnam realpath getsubopt a64l l64a sprintf snprintf dprintf asprintf vsprintf vsnprintf
    vasprintf scanf fscanf sscanf vscanf vfscanf vsscanf gets ungetc fclose fseek ftell rewind fgetpos
    fsetpos feof ferror clearerr fileno remove rename setbuf setvbuf getline getdelim pclose putc_unlocked
    putchar_unlocked _IO_putc __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc23_scanf __isoc23_fscanf
    __isoc23_sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __errno_location
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc clock difftime mktime gmtime_r localtime_r asctime_r
    ctime_r strftime strptime clock_gettime clock_settime clock_getres nanosleep gettimeofday settimeofday times
    tzset acos asin atan atan2 cosh exp2 expm1 frexp hypot ldexp log log10 log1p log2
    lrint llrint lround llround modf nearbyint pow remainder rint scalbn sinh cbrt tan tanh fma
        nan acosf asinf atanf atan2f coshf exp2f expm1f   
    frexpf hypotf ldexpf logf log10f log1pf log2f lrintf llrintf lroundf llroundf modff nearbyintf powf remainderf
    rintf scalbnf sinhf cbrtf tanf tanhf fmaf nanf fabsl sqrtl
    powl floorl ceill __fpclassify access alarm chdir chmod
    chown close closedir dup dup2 execl execlp execv execve execvp fstat fsync ftruncate getcwd getegid geteuid
    getgid gethostname getlogin getopt getopt_long getpagesize getpgrp getpid getppid getrlimit getrusage getsid
    gettid getuid ioctl isatty link lseek lstat mkdir mkfifo mmap mprotect munmap open openat pathconf
    pipe poll pread pwrite readlink readv rmdir select setgid setpgid setsid setuid sigaddset
    sigdelset sigemptyset sigfillset sigismember sigpending sigprocmask sleep stat symlink sync sysconf
    tcgetattr tcsetattr truncate umask uname unlink usleep utime wait waitpid write writev accept bind connect
    getaddrinfo freeaddrinfo gai_strerror getpeername getsockname getsockopt htonl htons inet_addr inet_ntop
    inet_pton listen ntohl ntohs recv recvfrom recvmsg send sendmsg sendto setsockopt shutdown socket socketpair
    nl_langinfo iconv iconv_open iconv_close dlclose regcomp regexec regfree wcscat wcsncpy
     wmemcpy wmemset btowc wctob mbrtowc wcrtomb sched_yield basename dirname syslog openlog closelog hcreate
    hsearch tsearch tfind tdelete twalk lfind lsearch ftw nftw glob globfree fnmatch wordexp imaxdiv getentropy
    getrandom arc4random arc4random_uniform */
