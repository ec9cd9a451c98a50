/* A substitution by a table in memory: the element that is read is the secret itself. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
typedef unsigned char byte;

byte table[256];

byte substitute(byte value) { return table[value]; }

byte state[16];

int main(void) {
    for (int i = 0; i < 256; i++)
        table[i] = (byte)(i * 7 + 99);
    for (int i = 0; i < 16; i++)
        state[i] = (byte)__VERIFIER_nondet_int();
    for (int i = 0; i < 16; i++)
        state[i] = substitute(state[i]);
    sorrel_assert_low(16);
    return 0;
}
