/* Picks the largest of three arrays, compared element by element; an array that is a proper beginning of another one is
 * smaller; ties by the least id. An array is its length, up to 2, and its elements.
 */

int at(int index, int first, int second) { return index == 0 ? first : second; }

int cut(int length) {
    if (length < 0)
        return 0;
    return length > 2 ? 2 : length;
}

int compare(int length_a, int a0, int a1, int length_b, int b0, int b1) {
    length_a = cut(length_a);
    length_b = cut(length_b);
    for (int i = 0; i < length_a && i < length_b; i++) {
        int one = at(i, a0, a1);
        int other = at(i, b0, b1);
        if (one < other)
            return -1;
        if (one > other)
            return 1;
    }
    if (length_a == length_b)
        return 0;
    return length_a < length_b ? -1 : 1;
}

int pick(int x_id, int x_length, int x0, int x1,
         int y_id, int y_length, int y0, int y1,
         int z_id, int z_length, int z0, int z1) {
    int best = x_id;
    int length = x_length;
    int first = x0;
    int second = x1;
    for (int turn = 0; turn < 2; turn++) {
        int id = turn == 0 ? y_id : z_id;
        int other_length = turn == 0 ? y_length : z_length;
        int other_first = turn == 0 ? y0 : z0;
        int other_second = turn == 0 ? y1 : z1;
        int order = compare(length, first, second, other_length, other_first, other_second);
        if (order < 0 || (order == 0 && id < best)) {
            best = id;
            length = other_length;
            first = other_first;
            second = other_second;
        }
    }
    return best;
}
