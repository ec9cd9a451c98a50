/* Picks the fittest of three chromosomes by rounds: in each round a gene of all three is looked at, and those that are not
 * on drop out. Who drops out of a round in which all drop out is decided by place, not by id.
 */

int pick(int x_id, int x1, int x2, int x3, int y_id, int y1, int y2, int y3, int z_id, int z1, int z2, int z3) {
    int in_x = 1;
    int in_y = 1;
    int in_z = 1;
    for (int round = 1; round <= 3; round++) {
        int gene_x = round == 1 ? x1 : round == 2 ? x2 : x3;
        int gene_y = round == 1 ? y1 : round == 2 ? y2 : y3;
        int gene_z = round == 1 ? z1 : round == 2 ? z2 : z3;
        int next_x = in_x && gene_x > 0;
        int next_y = in_y && gene_y > 0;
        int next_z = in_z && gene_z > 0;
        if (next_x || next_y || next_z) {
            in_x = next_x;
            in_y = next_y;
            in_z = next_z;
        } else if (in_x && (in_y || in_z)) {
            return x_id;
        } else if (in_y && in_z) {
            return y_id;
        }
    }
    if (in_x && (!in_y || x_id <= y_id) && (!in_z || x_id <= z_id))
        return x_id;
    if (in_y && (!in_z || y_id <= z_id))
        return y_id;
    return z_id;
}
