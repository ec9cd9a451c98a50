/* Picks the largest of three arrays, compared only as far as both go: a beginning of an array is as large as the array.
 * That is no order: (2) ties with (2, 1) and with (2, 3). Ties by the least id, and among equal ids by the greater length
 * and then by the greater last element.
 */

int cut(int length) {
    if (length < 0)
        return 0;
    return length > 2 ? 2 : length;
}

int compare(int length_a, int a0, int a1, int length_b, int b0, int b1) {
    if (length_a >= 1 && length_b >= 1 && a0 != b0)
        return a0 < b0 ? -1 : 1;
    if (length_a >= 2 && length_b >= 2 && a1 != b1)
        return a1 < b1 ? -1 : 1;
    return 0;
}

/* Whether the first one is to be kept. */
int wins(int id_a, int length_a, int a0, int a1, int id_b, int length_b, int b0, int b1) {
    int order = compare(length_a, a0, a1, length_b, b0, b1);
    if (order != 0)
        return order > 0;
    if (id_a != id_b)
        return id_a < id_b;
    if (length_a != length_b)
        return length_a > length_b;
    return a1 >= b1;
}

int pick(int x_id, int x_length, int x0, int x1,
         int y_id, int y_length, int y0, int y1,
         int z_id, int z_length, int z0, int z1) {
    x_length = cut(x_length);
    y_length = cut(y_length);
    z_length = cut(z_length);
    if (wins(x_id, x_length, x0, x1, y_id, y_length, y0, y1)) {
        if (wins(x_id, x_length, x0, x1, z_id, z_length, z0, z1))
            return x_id;
        return z_id;
    }
    if (wins(y_id, y_length, y0, y1, z_id, z_length, z0, z1))
        return y_id;
    return z_id;
}
