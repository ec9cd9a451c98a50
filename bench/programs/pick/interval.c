/* Picks the latest of three appointments: one is later than another if it starts after the other has ended. Appointments
 * that overlap tie, which does not make a third one that overlaps with one of them tie with the other. Ties by the least
 * id, and among equal ids by the earlier start and then by the earlier end.
 */

int is_later(int start_a, int end_b) { return start_a > end_b; }

int end_of(int start, int length) {
    if (length < 0)
        return start;
    return length > 100 ? start + 100 : start + length;
}

int limited(int start) {
    if (start < -1000)
        return -1000;
    return start > 1000 ? 1000 : start;
}

int wins(int id_a, int start_a, int end_a, int id_b, int start_b, int end_b) {
    if (is_later(start_a, end_b))
        return 1;
    if (is_later(start_b, end_a))
        return 0;
    if (id_a < id_b)
        return 1;
    if (id_a > id_b)
        return 0;
    if (start_a != start_b)
        return start_a < start_b;
    return end_a <= end_b;
}

int pick(int x_id, int x_start, int x_length, int y_id, int y_start, int y_length, int z_id, int z_start, int z_length) {
    int start = limited(x_start);
    int end = end_of(start, x_length);
    int id = x_id;
    int other_start = limited(y_start);
    int other_end = end_of(other_start, y_length);
    if (!wins(id, start, end, y_id, other_start, other_end)) {
        id = y_id;
        start = other_start;
        end = other_end;
    }
    other_start = limited(z_start);
    other_end = end_of(other_start, z_length);
    if (wins(id, start, end, z_id, other_start, other_end))
        return id;
    return z_id;
}
