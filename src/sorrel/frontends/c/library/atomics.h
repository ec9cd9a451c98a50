/* The compiler's functions for atomic access: each is what C says, in a section of its own where there are threads. */
void __sorrel_section_begin(void);
void __sorrel_section_end(void);
long long __sorrel_any(void);

/* No operation of these overflows: numbers are added as unsigned ones of their width. */
#define __sorrel_unsigned(x) _Generic((x), \
  int: (unsigned)(x), long: (unsigned long)(x), long long: (unsigned long long)(x), default: (x))
#define __sorrel_plain(place) __typeof__(((void)0, (place)))
#define __sorrel_exchange(pointer, given, found, wanted) \
  ({ __typeof__(pointer) at_ = (pointer); __sorrel_plain(*at_) by_ = (given); \
     __sorrel_section_begin(); __sorrel_plain(*at_) old_ = *at_; __sorrel_plain(*at_) new_ = (found); *at_ = new_; \
     __sorrel_section_end(); wanted; })
#define __sorrel_add __sorrel_unsigned(old_) + __sorrel_unsigned(by_)
#define __sorrel_subtract __sorrel_unsigned(old_) - __sorrel_unsigned(by_)
#define __sorrel_compare(pointer, expected, wanted, weak, otherwise, result) \
  ({ __typeof__(pointer) at_ = (pointer); __typeof__(expected) in_ = (expected); __sorrel_plain(*at_) by_ = (wanted); \
     int fails_ = (weak) && __sorrel_any() != 0; \
     __sorrel_section_begin(); __sorrel_plain(*at_) old_ = *at_; _Bool same_ = !fails_ && old_ == *in_; \
     if (same_) *at_ = by_; else { otherwise; } __sorrel_section_end(); result; })

#define __atomic_load_n(pointer, order) \
  ({ __typeof__(pointer) at_ = (pointer); __sorrel_section_begin(); __sorrel_plain(*at_) old_ = *at_; \
     __sorrel_section_end(); old_; })
#define __atomic_load(pointer, to, order) ((void)(*(to) = __atomic_load_n(pointer, order)))
#define __atomic_store_n(pointer, value, order) ((void)__sorrel_exchange(pointer, value, by_, old_))
#define __atomic_store(pointer, from, order) __atomic_store_n(pointer, *(from), order)
#define __atomic_exchange_n(pointer, value, order) __sorrel_exchange(pointer, value, by_, old_)
#define __atomic_exchange(pointer, from, to, order) ((void)(*(to) = __sorrel_exchange(pointer, *(from), by_, old_)))
#define __atomic_compare_exchange_n(pointer, expected, wanted, weak, success, failure) \
  __sorrel_compare(pointer, expected, wanted, weak, *in_ = old_, same_)
#define __atomic_compare_exchange(pointer, expected, wanted, weak, success, failure) \
  __sorrel_compare(pointer, expected, *(wanted), weak, *in_ = old_, same_)
#define __atomic_fetch_add(pointer, value, order) __sorrel_exchange(pointer, value, __sorrel_add, old_)
#define __atomic_fetch_sub(pointer, value, order) __sorrel_exchange(pointer, value, __sorrel_subtract, old_)
#define __atomic_fetch_and(pointer, value, order) __sorrel_exchange(pointer, value, old_ & by_, old_)
#define __atomic_fetch_or(pointer, value, order) __sorrel_exchange(pointer, value, old_ | by_, old_)
#define __atomic_fetch_xor(pointer, value, order) __sorrel_exchange(pointer, value, old_ ^ by_, old_)
#define __atomic_add_fetch(pointer, value, order) __sorrel_exchange(pointer, value, __sorrel_add, new_)
#define __atomic_sub_fetch(pointer, value, order) __sorrel_exchange(pointer, value, __sorrel_subtract, new_)
#define __atomic_and_fetch(pointer, value, order) __sorrel_exchange(pointer, value, old_ & by_, new_)
#define __atomic_or_fetch(pointer, value, order) __sorrel_exchange(pointer, value, old_ | by_, new_)
#define __atomic_xor_fetch(pointer, value, order) __sorrel_exchange(pointer, value, old_ ^ by_, new_)
#define __atomic_thread_fence(order) ((void)(order))
#define __atomic_signal_fence(order) ((void)(order))

#define __sync_fetch_and_add(pointer, value, ...) __atomic_fetch_add(pointer, value, 5)
#define __sync_fetch_and_sub(pointer, value, ...) __atomic_fetch_sub(pointer, value, 5)
#define __sync_fetch_and_and(pointer, value, ...) __atomic_fetch_and(pointer, value, 5)
#define __sync_fetch_and_or(pointer, value, ...) __atomic_fetch_or(pointer, value, 5)
#define __sync_fetch_and_xor(pointer, value, ...) __atomic_fetch_xor(pointer, value, 5)
#define __sync_add_and_fetch(pointer, value, ...) __atomic_add_fetch(pointer, value, 5)
#define __sync_sub_and_fetch(pointer, value, ...) __atomic_sub_fetch(pointer, value, 5)
#define __sync_and_and_fetch(pointer, value, ...) __atomic_and_fetch(pointer, value, 5)
#define __sync_or_and_fetch(pointer, value, ...) __atomic_or_fetch(pointer, value, 5)
#define __sync_xor_and_fetch(pointer, value, ...) __atomic_xor_fetch(pointer, value, 5)
#define __sync_bool_compare_and_swap(pointer, expected, wanted, ...) \
  ({ __sorrel_plain(*(pointer)) had_ = (expected); __sorrel_compare(pointer, &had_, wanted, 0, , same_); })
#define __sync_val_compare_and_swap(pointer, expected, wanted, ...) \
  ({ __sorrel_plain(*(pointer)) had_ = (expected); __sorrel_compare(pointer, &had_, wanted, 0, , old_); })
#define __sync_lock_test_and_set(pointer, value, ...) __atomic_exchange_n(pointer, value, 2)
#define __sync_lock_release(pointer, ...) __atomic_store_n(pointer, 0, 3)
#define __sync_synchronize() ((void)0)
