/* Product of two matrices of sizes rows×inner and inner×columns, stored by rows, and its trace if it is square. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

#define LARGEST 16

int left[LARGEST * LARGEST];
int right[LARGEST * LARGEST];
int product[LARGEST * LARGEST];

void check(int index, int length) {
    if (!(0 <= index && index < length))
        reach_error();
}

int read_size(void) {
    int size = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= size && size <= LARGEST);
    return size;
}

int read_entry(void) {
    int entry = __VERIFIER_nondet_int();
    __VERIFIER_assume(-1000 <= entry && entry <= 1000);
    return entry;
}

int place(int row, int column, int rows, int columns) {
    check(row, rows);
    check(column, columns);
    return row * LARGEST + column;
}

void multiply(int rows, int inner, int columns) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            int sum = 0;
            for (int k = 0; k < inner; k++) {
                int one = place(i, k, rows, inner);
                int other = place(k, j, inner, columns);
                check(one, LARGEST * LARGEST);
                check(other, LARGEST * LARGEST);
                sum += left[one] * right[other];
            }
            product[place(i, j, rows, columns)] = sum;
        }
    }
}

int trace(int rows, int columns) {
    int sum = 0;
    for (int i = 0; i < rows; i++)
        sum += product[place(i, i, rows, columns)];
    return sum;
}

int main(void) {
    int rows = read_size();
    int inner = read_size();
    int columns = read_size();
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            left[place(i, k, rows, inner)] = read_entry();
    for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++)
            right[place(k, j, inner, columns)] = read_entry();
    multiply(rows, inner, columns);
    if (rows == columns)
        return trace(rows, columns) > 0;
    return 0;
}
