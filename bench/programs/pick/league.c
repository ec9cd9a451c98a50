/* Picks the leader of a league of three teams: by points, then by the difference of goals, then by goals; ties by the least
 * id. Results beyond what a season allows are cut.
 */

int cut(int value) {
    if (value < 0)
        return 0;
    return value > 50 ? 50 : value;
}

int points(int won, int drawn) { return 3 * cut(won) + cut(drawn); }

int compare(int won_a, int drawn_a, int scored_a, int conceded_a, int won_b, int drawn_b, int scored_b, int conceded_b) {
    int points_a = points(won_a, drawn_a);
    int points_b = points(won_b, drawn_b);
    if (points_a == points_b) {
        int difference_a = cut(scored_a) - cut(conceded_a);
        int difference_b = cut(scored_b) - cut(conceded_b);
        if (difference_a == difference_b) {
            if (cut(scored_a) == cut(scored_b))
                return 0;
            return cut(scored_a) > cut(scored_b) ? 1 : -1;
        }
        return difference_a > difference_b ? 1 : -1;
    }
    return points_a > points_b ? 1 : -1;
}

int pick(int x_id, int x_won, int x_drawn, int x_scored, int x_conceded,
         int y_id, int y_won, int y_drawn, int y_scored, int y_conceded,
         int z_id, int z_won, int z_drawn, int z_scored, int z_conceded) {
    int xy = compare(x_won, x_drawn, x_scored, x_conceded, y_won, y_drawn, y_scored, y_conceded);
    int xz = compare(x_won, x_drawn, x_scored, x_conceded, z_won, z_drawn, z_scored, z_conceded);
    int yz = compare(y_won, y_drawn, y_scored, y_conceded, z_won, z_drawn, z_scored, z_conceded);
    int x_leads = (xy > 0 || (xy == 0 && x_id <= y_id)) && (xz > 0 || (xz == 0 && x_id <= z_id));
    int y_leads = (xy < 0 || (xy == 0 && y_id <= x_id)) && (yz > 0 || (yz == 0 && y_id <= z_id));
    if (x_leads)
        return x_id;
    return y_leads ? y_id : z_id;
}
