/* Dates of the Gregorian calendar: day numbers, weekdays, months that are added, and the days of a month as a table. */
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

#define FIRST_YEAR 1600
#define LAST_YEAR 3999
#define ROWS 6
#define DAYS_OF_WEEK 7

typedef struct {
    int year;
    int month; /* 1 .. 12 */
    int day;   /* 1 .. 31 */
} date;

static const int month_days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month) {
    return month == 2 && is_leap(year) ? 29 : month_days[month - 1];
}

static bool is_date(const date *d) {
    return d->year >= FIRST_YEAR && d->year <= LAST_YEAR && d->month >= 1 && d->month <= 12 && d->day >= 1
           && d->day <= days_in_month(d->year, d->month);
}

/* Days since the first of January of the year 1600. */
static int day_number(const date *d) {
    int years = d->year - FIRST_YEAR;
    int days = years * 365 + (years + 3) / 4 - (years + 99) / 100 + (years + 399) / 400;
    for (int month = 1; month < d->month; month++)
        days += days_in_month(d->year, month);
    return days + d->day - 1;
}

static date from_day_number(int number) {
    date d = {FIRST_YEAR, 1, 1};
    for (;;) {
        int length = is_leap(d.year) ? 366 : 365;
        if (number < length)
            break;
        number -= length;
        d.year++;
    }
    while (number >= days_in_month(d.year, d.month)) {
        number -= days_in_month(d.year, d.month);
        d.month++;
    }
    d.day = number + 1;
    return d;
}

/* 0: Monday; the first day of 1600 was a Saturday. */
static int weekday(const date *d) {
    return (day_number(d) + 5) % DAYS_OF_WEEK;
}

/* The same day some months later, or the last of that month. */
static date add_months(date d, int months) {
    int total = d.year * 12 + (d.month - 1) + months;
    date result = {total / 12, total % 12 + 1, d.day};
    int last = days_in_month(result.year, result.month);
    if (result.day > last)
        result.day = last;
    return result;
}

static void month_table(int table[ROWS][DAYS_OF_WEEK], int year, int month) {
    date first = {year, month, 1};
    int column = weekday(&first), row = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < DAYS_OF_WEEK; c++)
            table[r][c] = 0;
    for (int day = 1; day <= days_in_month(year, month); day++) {
        table[row][column] = day;
        if (++column == DAYS_OF_WEEK) {
            column = 0;
            row++;
        }
    }
}

int main(void) {
    int table[ROWS][DAYS_OF_WEEK];
    date d;
    d.year = __VERIFIER_nondet_int();
    d.month = __VERIFIER_nondet_int();
    d.day = __VERIFIER_nondet_int();
    if (!is_date(&d))
        return 1;
    int number = day_number(&d);
    date again = from_day_number(number);
    assert(again.year == d.year && again.month == d.month && again.day == d.day);
    int months = __VERIFIER_nondet_int();
    if (months >= 0 && months <= 12 * (LAST_YEAR - d.year)) {
        date later = add_months(d, months);
        assert(day_number(&later) >= number);
    }
    month_table(table, d.year, d.month);
    assert(table[0][weekday(&again)] <= 7);
    assert(table[(d.day + weekday(&(date){d.year, d.month, 1}) - 1) / 7][weekday(&d)] == d.day);
    return 0;
}
