/* Fourier transform over the integers modulo 257, in place (Cooley and Tukey, 1965).
 *
 * The length is a power of two, so blocks of two halves fill the array.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define PRIME 257
#define GENERATOR 3
#define LARGEST 64

int data[LARGEST];

void check(int index, int length) {
    if (!(0 <= index && index < length))
        reach_error();
}

int power(int base, int exponent) {
    int result = 1;
    while (exponent > 0) {
        if (exponent % 2 == 1)
            result = result * base % PRIME;
        base = base * base % PRIME;
        exponent = exponent / 2;
    }
    return result;
}

void reorder(int length) {
    int reversed = 0;
    for (int i = 0; i < length; i++) {
        int half = length / 2;
        if (i < reversed) {
            check(i, length);
            check(reversed, length);
            int kept = data[i];
            data[i] = data[reversed];
            data[reversed] = kept;
        }
        while (half >= 1 && reversed >= half) {
            reversed = reversed - half;
            half = half / 2;
        }
        reversed = reversed + half;
    }
}

void transform(int length) {
    for (int half = 1; half < length; half = 2 * half) {
        int root = power(GENERATOR, (PRIME - 1) / (2 * half));
        int factor = 1;
        for (int offset = 0; offset < half; offset++) {
            for (int i = offset; i < length; i = i + 2 * half) {
                check(i, length);
                check(i + half, length);
                int term = data[i + half] * factor % PRIME;
                data[i + half] = (data[i] - term + PRIME) % PRIME;
                data[i] = (data[i] + term) % PRIME;
            }
            factor = factor * root % PRIME;
        }
    }
}

int read_residue(void) {
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= value && value < PRIME);
    return value;
}

int main(void) {
    int length = 1;
    while (length < LARGEST && __VERIFIER_nondet_int())
        length = 2 * length;
    for (int i = 0; i < length; i++)
        data[i] = read_residue();
    reorder(length);
    transform(length);
    return 0;
}
