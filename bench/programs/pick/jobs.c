/* Picks the next of three jobs: the one with the nearer deadline, unless the deadlines are nearly the same (at most one
 * apart); then the one with the higher priority, then the least id, and among equal ids the nearer deadline. "Nearly the
 * same" does not carry over: 1 and 2, 2 and 3, but not 1 and 3.
 */

int limited(int deadline) {
    if (deadline < 0)
        return 0;
    return deadline > 10000 ? 10000 : deadline;
}

int nearly_same(int one, int other) {
    int apart = one > other ? one - other : other - one;
    return apart <= 1;
}

int goes_first(int id_a, int deadline_a, int priority_a, int id_b, int deadline_b, int priority_b) {
    if (!nearly_same(deadline_a, deadline_b))
        return deadline_a < deadline_b;
    if (priority_a > priority_b)
        return 1;
    if (priority_a < priority_b)
        return 0;
    if (id_a != id_b)
        return id_a < id_b;
    return deadline_a <= deadline_b;
}

int pick(int x_id, int x_deadline, int x_priority, int y_id, int y_deadline, int y_priority, int z_id, int z_deadline,
         int z_priority) {
    int x_due = limited(x_deadline);
    int y_due = limited(y_deadline);
    int z_due = limited(z_deadline);
    if (goes_first(x_id, x_due, x_priority, y_id, y_due, y_priority)) {
        if (goes_first(x_id, x_due, x_priority, z_id, z_due, z_priority))
            return x_id;
    } else {
        if (goes_first(y_id, y_due, y_priority, z_id, z_due, z_priority))
            return y_id;
    }
    return z_id;
}
