/* Picks a champion of three players of stone, paper and scissors: the first two play each other, the winner plays the third.
 * Each shape beats another one; equal shapes are decided by strength, then by the least id.
 */

/* Stone 0, paper 1, scissors 2. */
int shape(int number) {
    if (number <= 0)
        return 0;
    return number == 1 ? 1 : 2;
}

int beats(int one, int other) {
    if (one == 0)
        return other == 2;
    return other == one - 1;
}

int wins(int id_a, int shape_a, int strength_a, int id_b, int shape_b, int strength_b) {
    if (beats(shape_a, shape_b))
        return 1;
    if (beats(shape_b, shape_a))
        return 0;
    if (strength_a > strength_b)
        return 1;
    if (strength_a < strength_b)
        return 0;
    return id_a <= id_b;
}

int pick(int x_id, int x_number, int x_strength, int y_id, int y_number, int y_strength, int z_id, int z_number,
         int z_strength) {
    int winner = x_id;
    int winner_shape = shape(x_number);
    int winner_strength = x_strength;
    if (!wins(x_id, shape(x_number), x_strength, y_id, shape(y_number), y_strength)) {
        winner = y_id;
        winner_shape = shape(y_number);
        winner_strength = y_strength;
    }
    if (wins(winner, winner_shape, winner_strength, z_id, shape(z_number), z_strength))
        return winner;
    return z_id;
}
