/* What a program tells Sorrel about information flow. Other compilers see calls that do nothing. */
#ifndef SORREL_H
#define SORREL_H

#ifdef __SORREL__
/* Pairs of runs in which the value differs are not looked at: it is public. */
void sorrel_low(long long value);
/* The same from here on: the value may be known. */
void sorrel_declassify(long long value);
/* The value must be the same in runs that agree on everything public. */
void sorrel_assert_low(long long value);
/* The same for the first elements of an array. */
void sorrel_low_array(const int *elements, int count);
void sorrel_declassify_array(const int *elements, int count);
void sorrel_assert_low_array(const int *elements, int count);
#else
#define sorrel_low(value) ((void)(value))
#define sorrel_declassify(value) ((void)(value))
#define sorrel_assert_low(value) ((void)(value))
#define sorrel_low_array(elements, count) ((void)(elements), (void)(count))
#define sorrel_declassify_array(elements, count) ((void)(elements), (void)(count))
#define sorrel_assert_low_array(elements, count) ((void)(elements), (void)(count))
#endif

#endif
