/* Picks the latest of three dates. When the years are equal the months are compared, and the days otherwise too: a chain of
 * conditions that was written without `else`, so that an earlier answer is overwritten by a later comparison.
 */

int compare(int year_a, int month_a, int day_a, int year_b, int month_b, int day_b) {
    int order = 0;
    if (year_a > year_b)
        order = 1;
    if (year_a < year_b)
        order = -1;
    if (year_a == year_b && month_a > month_b)
        order = 1;
    if (year_a == year_b && month_a < month_b)
        order = -1;
    if (month_a == month_b && day_a > day_b)
        order = 1;
    if (year_a == year_b && month_a == month_b && day_a < day_b)
        order = -1;
    return order;
}

int pick(int x_id, int x_year, int x_month, int x_day,
         int y_id, int y_year, int y_month, int y_day,
         int z_id, int z_year, int z_month, int z_day) {
    if (compare(x_year, x_month, x_day, y_year, y_month, y_day) > 0) {
        if (compare(x_year, x_month, x_day, z_year, z_month, z_day) > 0)
            return x_id;
    } else if (compare(y_year, y_month, y_day, z_year, z_month, z_day) > 0) {
        if (compare(y_year, y_month, y_day, x_year, x_month, x_day) > 0)
            return y_id;
        return x_id < y_id ? x_id : y_id;
    }
    return z_id;
}
