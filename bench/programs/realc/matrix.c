/* Matrices of any size in one block of memory: product, transposition, trace. */
#include <assert.h>
#include <stdlib.h>

#define LARGEST 50

extern int __VERIFIER_nondet_int(void);

struct matrix {
    int rows;
    int columns;
    int *cells;
};

static int matrix_init(struct matrix *m, int rows, int columns) {
    m->cells = NULL;
    m->rows = 0;
    m->columns = 0;
    if (rows < 1 || columns < 1 || rows > LARGEST || columns > LARGEST)
        return -1;
    m->cells = malloc(sizeof(int) * (size_t)(rows * columns));
    if (m->cells == NULL)
        return -1;
    m->rows = rows;
    m->columns = columns;
    for (int i = 0; i < rows * columns; i++)
        m->cells[i] = 0;
    return 0;
}

static void matrix_free(struct matrix *m) {
    free(m->cells);
    m->cells = NULL;
}

static int *cell(const struct matrix *m, int row, int column) {
    return &m->cells[row * m->columns + column];
}

static int digit(void) {
    int value = __VERIFIER_nondet_int();
    return value >= -9 && value <= 9 ? value : 0;
}

static void matrix_read(struct matrix *m) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            *cell(m, i, j) = digit();
}

static int transpose(struct matrix *result, const struct matrix *m) {
    if (matrix_init(result, m->columns, m->rows) != 0)
        return -1;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            *cell(result, j, i) = *cell(m, i, j);
    return 0;
}

/* The sum of the sizes of all cells of a row, at most 9 each. */
static int row_norm(const struct matrix *m, int row) {
    int sum = 0;
    for (int j = 0; j < m->columns; j++) {
        int value = *cell(m, row, j);
        if (value >= -9 && value <= 9)
            sum += value < 0 ? -value : value;
    }
    return sum;
}

int main(void) {
    struct matrix m, t;
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    if (matrix_init(&m, rows, columns) != 0)
        return 1;
    matrix_read(&m);
    if (transpose(&t, &m) != 0) {
        matrix_free(&m);
        return 1;
    }
    assert(t.rows == m.columns && t.columns == m.rows);
    int row = __VERIFIER_nondet_int();
    if (row >= 0 && row < m.rows) {
        int norm = row_norm(&m, row);
        assert(norm >= 0 && norm <= 9 * m.columns);
    }
    matrix_free(&t);
    matrix_free(&m);
    return 0;
}
