/* Picks the fittest of three chromosomes: more genes that are on, then the larger leading gene that is on, then the
 * larger rest; ties by the least id. A chromosome is three genes.
 */

int is_on(int gene) { return gene > 0 ? 1 : 0; }

int fitness(int first, int second, int third) { return is_on(first) + is_on(second) + is_on(third); }

int leading(int first, int second, int third) {
    if (is_on(first))
        return first;
    if (is_on(second))
        return second;
    return is_on(third) ? third : 0;
}

/* Genes beyond a limit do not count more. */
int limited(int gene) {
    if (gene < 0)
        return 0;
    return gene > 1000 ? 1000 : gene;
}

int rest(int first, int second, int third) { return limited(first) + limited(second) + limited(third); }

int compare(int a1, int a2, int a3, int b1, int b2, int b3) {
    int fit_a = fitness(a1, a2, a3);
    int fit_b = fitness(b1, b2, b3);
    if (fit_a > fit_b)
        return 1;
    if (fit_a < fit_b)
        return -1;
    int lead_a = leading(a1, a2, a3);
    int lead_b = leading(b1, b2, b3);
    if (lead_a > lead_b)
        return 1;
    if (lead_a < lead_b)
        return -1;
    int rest_a = rest(a1, a2, a3);
    int rest_b = rest(b1, b2, b3);
    return rest_a > rest_b ? 1 : rest_a < rest_b ? -1 : 0;
}

int pick(int x_id, int x1, int x2, int x3, int y_id, int y1, int y2, int y3, int z_id, int z1, int z2, int z3) {
    int best = x_id;
    int b1 = x1;
    int b2 = x2;
    int b3 = x3;
    int order = compare(y1, y2, y3, b1, b2, b3);
    if (order > 0 || (order == 0 && y_id < best)) {
        best = y_id;
        b1 = y1;
        b2 = y2;
        b3 = y3;
    }
    order = compare(z1, z2, z3, b1, b2, b3);
    if (order > 0 || (order == 0 && z_id < best))
        best = z_id;
    return best;
}
