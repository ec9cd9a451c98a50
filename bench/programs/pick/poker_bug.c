/* Picks the best of three poker hands. The comparison forgets the kicker of hands in which only cards count, and the pick
 * keeps the hand that it saw first when it finds no better one.
 */

int is_better(int category_1, int high_1, int kicker_1, int category_2, int high_2, int kicker_2) {
    if (category_1 > category_2)
        return 1;
    if (category_1 < category_2)
        return 0;
    if (high_1 > high_2)
        return 1;
    if (high_1 < high_2)
        return 0;
    if (category_1 == 0)
        return 0;
    return kicker_1 > kicker_2;
}

int pick(int x_id, int x_category, int x_high, int x_kicker,
         int y_id, int y_category, int y_high, int y_kicker,
         int z_id, int z_category, int z_high, int z_kicker) {
    int best = x_id;
    int category = x_category;
    int high = x_high;
    int kicker = x_kicker;
    if (is_better(y_category, y_high, y_kicker, category, high, kicker)) {
        best = y_id;
        category = y_category;
        high = y_high;
        kicker = y_kicker;
    }
    if (is_better(z_category, z_high, z_kicker, category, high, kicker))
        best = z_id;
    return best;
}
