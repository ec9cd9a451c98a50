/* Picks the newest of three releases: by major, minor and patch number, where a release candidate comes before the release
 * of the same number; ties by the least id. Numbers below zero count as zero.
 */

int number(int value) { return value < 0 ? 0 : value; }

/* Candidates are counted from 1; 0 and less is the release itself, which comes last. */
int stage_compare(int candidate_a, int candidate_b) {
    int final_a = candidate_a <= 0;
    int final_b = candidate_b <= 0;
    if (final_a && final_b)
        return 0;
    if (final_a)
        return 1;
    if (final_b)
        return -1;
    if (candidate_a == candidate_b)
        return 0;
    return candidate_a < candidate_b ? -1 : 1;
}

int compare(int major_a, int minor_a, int candidate_a, int major_b, int minor_b, int candidate_b) {
    if (number(major_a) < number(major_b))
        return -1;
    if (number(major_a) > number(major_b))
        return 1;
    if (number(minor_a) < number(minor_b))
        return -1;
    if (number(minor_a) > number(minor_b))
        return 1;
    return stage_compare(candidate_a, candidate_b);
}

int pick(int x_id, int x_major, int x_minor, int x_candidate,
         int y_id, int y_major, int y_minor, int y_candidate,
         int z_id, int z_major, int z_minor, int z_candidate) {
    int xy = compare(x_major, x_minor, x_candidate, y_major, y_minor, y_candidate);
    int x_first = xy > 0 || (xy == 0 && x_id <= y_id);
    if (x_first) {
        int xz = compare(x_major, x_minor, x_candidate, z_major, z_minor, z_candidate);
        if (xz > 0 || (xz == 0 && x_id <= z_id))
            return x_id;
    } else {
        int yz = compare(y_major, y_minor, y_candidate, z_major, z_minor, z_candidate);
        if (yz > 0 || (yz == 0 && y_id <= z_id))
            return y_id;
    }
    return z_id;
}
