/* Runs a sequential program on given inputs: what `__VERIFIER_nondet_int` and its relatives for other types return is
 * read from the standard input, one number after the other, and what the program tells about its information flow is written to the standard output.
 *
 * Exit codes: 103 an assumption is false, 104 the program asks for more inputs than there are, 105 it has executed
 * more basic blocks than the environment variable STEPS allows (only if it was compiled with
 * -fsanitize-coverage=trace-pc). A call of reach_error ends in abort.
 *
 * With the environment variable TRACE set, and the program compiled with -fsanitize=thread besides, the last line of
 * the output is a digest of the control path and of the addresses of global data that were accessed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern int main(void);
extern char __data_start, _end;

static uint64_t path = 1469598103934665603u;
static long steps;
static long limit;
static int tracing;

static void mix(uint64_t value) { path = (path ^ value) * 1099511628211u; }

static void report(void) {
    if (tracing)
        printf("path %016llx\n", (unsigned long long)path);
}

__attribute__((constructor)) static void prepare(void) {
    const char *text = getenv("STEPS");
    limit = text ? atol(text) : 0;
    tracing = getenv("TRACE") != NULL;
    atexit(report);
}

int __VERIFIER_nondet_int(void) {
    int value;
    if (scanf("%d", &value) != 1)
        exit(104);
    return value;
}

unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)__VERIFIER_nondet_int(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)__VERIFIER_nondet_int(); }

float __VERIFIER_nondet_float(void) {
    float value;
    if (scanf("%f", &value) != 1)
        exit(104);
    return value;
}

double __VERIFIER_nondet_double(void) {
    double value;
    if (scanf("%lf", &value) != 1)
        exit(104);
    return value;
}

void __VERIFIER_assume(int condition) {
    if (!condition)
        exit(103);
}

void sorrel_low(int value) { printf("low %d\n", value); }
void sorrel_declassify(int value) { printf("declassify %d\n", value); }
void sorrel_assert_low(int value) { printf("assert %d\n", value); }

void sorrel_low_array(const int *values, int length) {
    printf("low");
    for (int i = 0; i < length; i++)
        printf(" %d", values[i]);
    printf("\n");
}

void __sanitizer_cov_trace_pc(void) {
    if (tracing)
        mix((uint64_t)((char *)__builtin_return_address(0) - (char *)main));
    if (limit && ++steps > limit)
        _Exit(105);
}

static void touch(void *address) {
    if (tracing && (char *)address >= &__data_start && (char *)address < &_end)
        mix((uint64_t)((char *)address - (char *)main));
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_read1(void *address) { touch(address); }
void __tsan_write1(void *address) { touch(address); }
void __tsan_read2(void *address) { touch(address); }
void __tsan_write2(void *address) { touch(address); }
void __tsan_read4(void *address) { touch(address); }
void __tsan_write4(void *address) { touch(address); }
void __tsan_read8(void *address) { touch(address); }
void __tsan_write8(void *address) { touch(address); }
