/* Records with a public department and a secret salary (in the spirit of Banerjee and Naumann, JFP 2005). Salaries are
 * raised, which must not be seen in what is published: the size of each department and the month's number of visits.
 *
 * Salaries at the limit are left alone, so the number of visits tells how many there are.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_low_array(const int *, int);
extern void sorrel_assert_low(int);

#define STAFF 20
#define DEPARTMENTS 4

int department[STAFF];
int salary[STAFF];
int visits;

int get_salary(int person) {
    visits = visits + 1;
    return salary[person];
}

void set_salary(int person, int amount) {
    visits = visits + 1;
    salary[person] = amount;
}

void raise_salaries(int staff, int which, int percent) {
    for (int person = 0; person < staff; person++) {
        if (department[person] == which) {
            int before = get_salary(person);
            int after = before + before / 100 * percent;
            if (after <= 5000)
                set_salary(person, after);
        }
    }
}

int size_of(int which, int staff) {
    int size = 0;
    for (int person = 0; person < staff; person++)
        if (department[person] == which)
            size = size + 1;
    return size;
}

int main(void) {
    int staff = __VERIFIER_nondet_int();
    int lucky = __VERIFIER_nondet_int();
    sorrel_low(staff);
    sorrel_low(lucky);
    __VERIFIER_assume(0 <= staff && staff <= STAFF);
    for (int person = 0; person < staff; person++) {
        department[person] = __VERIFIER_nondet_int();
        salary[person] = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= salary[person] && salary[person] <= 5000);
    }
    sorrel_low_array(department, staff);
    raise_salaries(staff, lucky, 5);
    for (int which = 0; which < DEPARTMENTS; which++)
        sorrel_assert_low(size_of(which, staff));
    sorrel_assert_low(visits);
    return 0;
}
