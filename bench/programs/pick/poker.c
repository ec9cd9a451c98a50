/* Picks the best of three poker hands: by category, then by the highest card, then by the kicker; ties by the least id. */

int compare(int category_1, int high_1, int kicker_1, int category_2, int high_2, int kicker_2) {
    if (category_1 != category_2)
        return category_1 < category_2 ? -1 : 1;
    if (category_1 == 0) {
        /* Only cards count: the high card decides, then the kicker. */
        if (high_1 > high_2)
            return 1;
        if (high_1 < high_2)
            return -1;
    } else if (high_1 != high_2) {
        return high_1 > high_2 ? 1 : -1;
    }
    if (kicker_1 == kicker_2)
        return 0;
    return kicker_1 > kicker_2 ? 1 : -1;
}

int pick(int x_id, int x_category, int x_high, int x_kicker,
         int y_id, int y_category, int y_high, int y_kicker,
         int z_id, int z_category, int z_high, int z_kicker) {
    int xy = compare(x_category, x_high, x_kicker, y_category, y_high, y_kicker);
    int yz = compare(y_category, y_high, y_kicker, z_category, z_high, z_kicker);
    int xz = compare(x_category, x_high, x_kicker, z_category, z_high, z_kicker);
    if (xy > 0 && xz > 0)
        return x_id;
    if (xy < 0 && yz > 0)
        return y_id;
    if (xz < 0 && yz < 0)
        return z_id;
    if (xy == 0 && xz > 0)
        return x_id < y_id ? x_id : y_id;
    if (xz == 0 && xy > 0)
        return x_id < z_id ? x_id : z_id;
    if (yz == 0 && xy < 0)
        return y_id < z_id ? y_id : z_id;
    if (x_id <= y_id && x_id <= z_id)
        return x_id;
    return y_id <= z_id ? y_id : z_id;
}
