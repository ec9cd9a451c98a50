"""What threads are made of, in an edition of our own: locking is an atomic section that waits, creation a mark."""

from __future__ import annotations

THREAD_HEADERS = {
    "pthread.h": """#ifndef SORREL_PTHREAD_H
#define SORREL_PTHREAD_H
#include <time.h>
#include <bits/pthreadtypes.h>
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_RWLOCK_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
extern void __VERIFIER_assume(int);
extern void exit(int) __attribute__((__noreturn__));
static void __VERIFIER_atomic_begin(void) {}
static void __VERIFIER_atomic_end(void) {}
static pthread_t __VERIFIER_thread_begin(void) { return 0; }
static void __VERIFIER_thread_end(void) {}
static void __VERIFIER_thread_join(pthread_t thread) {}
static void __VERIFIER_thread_take(pthread_t thread) {}
static void *__VERIFIER_thread_result;
extern _Bool __VERIFIER_nondet_bool(void);
static int __VERIFIER_thread_self(void) { return 0; }
static pthread_t __VERIFIER_thread_number(void) { return 0; }
/* Where there is one thread only, its end is that of the program. */
static _Noreturn void __VERIFIER_thread_exit(void) { exit(0); }
/* Who is found to wait for itself may be told so, or wait forever: that is looked for where deadlocks are. */
#ifdef SORREL_LASTING_WAITS
#define __sorrel_told(itself) 0
#else
#define __sorrel_told(itself) (itself)
#endif
/* Arguments are evaluated once, before anything else happens. Their variables have names that no program has. */
#define pthread_create(thread, attributes, start, argument) \\
  ({ (void)(attributes); void *__sorrel_given = (void *)(argument); \\
     __VERIFIER_atomic_begin(); *(thread) = __VERIFIER_thread_begin(); __VERIFIER_atomic_end(); \\
     __VERIFIER_thread_result = (start)(__sorrel_given); __VERIFIER_thread_end(); 0; })
#define pthread_join(thread, result) \\
  ({ pthread_t __sorrel_joined = (thread); void **__sorrel_result = (void **)(result); \\
     _Bool __sorrel_itself = __sorrel_told(__sorrel_joined == __VERIFIER_thread_number()); \\
     if (!__sorrel_itself) __VERIFIER_thread_join(__sorrel_joined); \\
     if (__sorrel_result && !__sorrel_itself) { __VERIFIER_atomic_begin(); __VERIFIER_thread_take(__sorrel_joined); \\
       *__sorrel_result = __VERIFIER_thread_result; __VERIFIER_atomic_end(); } __sorrel_itself ? 35 : 0; })
#define pthread_detach(thread) ({ (void)(thread); 0; })
#define pthread_exit(result) \\
  ({ __VERIFIER_thread_result = (void *)(result); __VERIFIER_thread_exit(); })
#define pthread_self() (__VERIFIER_thread_number())
#define pthread_equal(first, second) ((first) == (second))
#define pthread_attr_init(attributes) ({ (attributes)->state = 0; 0; })
#define pthread_attr_destroy(attributes) ({ (void)(attributes); 0; })
#define pthread_attr_setdetachstate(attributes, kind) ({ (void)(attributes); (void)(kind); 0; })
#define pthread_attr_setstacksize(attributes, size) \\
  ({ (void)(attributes); (void)(size); __VERIFIER_nondet_bool() ? 0 : 22; })
#define __sorrel_lock(mutex) \\
  __VERIFIER_atomic_begin(); __VERIFIER_assume(*(mutex) == 0); *(mutex) = 1; __VERIFIER_atomic_end()
#define __sorrel_unlock(mutex) __VERIFIER_atomic_begin(); *(mutex) = 0; __VERIFIER_atomic_end()
#ifdef SORREL_LASTING_WAITS
/* The threads that wait, as bits: a signal ends the wait of one of them, whichever. A wait may end without one. */
#define __sorrel_woken(waiting, bit) \\
  if ((waiting) / (bit) % 2 && (!((waiting) / (bit) / 2) || __VERIFIER_nondet_bool())) (waiting) -= (bit); else
#define __sorrel_wait(condition, mutex) \\
  if (__VERIFIER_nondet_bool()) { __sorrel_unlock(mutex); } \\
  else { int __sorrel_bit = __VERIFIER_thread_self(); \\
    __VERIFIER_atomic_begin(); *(mutex) = 0; *(condition) += __sorrel_bit; __VERIFIER_atomic_end(); \\
    __VERIFIER_atomic_begin(); __VERIFIER_assume(*(condition) / __sorrel_bit % 2 == 0); __VERIFIER_atomic_end(); } \\
  __sorrel_lock(mutex)
#define pthread_cond_signal(condition) \\
  ({ pthread_cond_t *__sorrel_condition = (condition); __VERIFIER_atomic_begin(); \\
     __sorrel_woken(*__sorrel_condition, 1) __sorrel_woken(*__sorrel_condition, 2) \\
     __sorrel_woken(*__sorrel_condition, 4) __sorrel_woken(*__sorrel_condition, 8) \\
     __sorrel_woken(*__sorrel_condition, 16) __sorrel_woken(*__sorrel_condition, 32) \\
     __sorrel_woken(*__sorrel_condition, 64) __sorrel_woken(*__sorrel_condition, 128) ; \\
     __VERIFIER_atomic_end(); 0; })
#define pthread_cond_broadcast(condition) \\
  ({ pthread_cond_t *__sorrel_condition = (condition); \\
     __VERIFIER_atomic_begin(); *__sorrel_condition = 0; __VERIFIER_atomic_end(); 0; })
#else
/* A wait may end for no reason, so that signals need not be followed. */
#define __sorrel_wait(condition, mutex) __sorrel_unlock(mutex); __sorrel_lock(mutex)
#define pthread_cond_signal(condition) ({ (void)(condition); 0; })
#define pthread_cond_broadcast(condition) ({ (void)(condition); 0; })
#endif
#define pthread_cond_wait(condition, mutex) \\
  ({ pthread_cond_t *__sorrel_condition = (condition); pthread_mutex_t *__sorrel_mutex = (mutex); \\
     __sorrel_wait(__sorrel_condition, __sorrel_mutex); 0; })
#define pthread_cond_timedwait(condition, mutex, end) \\
  ({ (void)(condition); pthread_mutex_t *__sorrel_mutex = (mutex); (void)(end); \\
     __sorrel_unlock(__sorrel_mutex); __sorrel_lock(__sorrel_mutex); __VERIFIER_nondet_bool() ? 0 : 110; })
#define pthread_cond_init(condition, attributes) ({ *(condition) = 0; (void)(attributes); 0; })
#define pthread_cond_destroy(condition) ({ (void)(condition); 0; })
enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_DEFAULT = 0, PTHREAD_MUTEX_TIMED_NP = 0 };
#define __sorrel_kind(number) __attribute__((unavailable("only normal mutexes are supported"))) = number
enum {
  PTHREAD_MUTEX_RECURSIVE __sorrel_kind(1), PTHREAD_MUTEX_RECURSIVE_NP __sorrel_kind(1),
  PTHREAD_MUTEX_ERRORCHECK __sorrel_kind(2), PTHREAD_MUTEX_ERRORCHECK_NP __sorrel_kind(2),
  PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP __sorrel_kind(1), PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP __sorrel_kind(2)
};
#define pthread_mutexattr_init(attributes) ({ *(attributes) = 0; 0; })
#define pthread_mutexattr_destroy(attributes) ({ (void)(attributes); 0; })
#define pthread_mutexattr_settype(attributes, kind) \\
  ({ (void)(attributes); _Static_assert((kind) == 0, "only normal mutexes are supported"); 0; })
#define pthread_mutex_init(mutex, attributes) ({ *(mutex) = 0; (void)(attributes); 0; })
#define pthread_mutex_destroy(mutex) \\
  ({ pthread_mutex_t *__sorrel_mutex = (mutex); \\
     __VERIFIER_atomic_begin(); int __sorrel_locked = *__sorrel_mutex; __VERIFIER_atomic_end(); \\
     __sorrel_locked ? 16 : 0; })
#define pthread_mutex_lock(mutex) ({ pthread_mutex_t *__sorrel_mutex = (mutex); __sorrel_lock(__sorrel_mutex); 0; })
#define pthread_mutex_trylock(mutex) \\
  ({ pthread_mutex_t *__sorrel_mutex = (mutex); \\
     __VERIFIER_atomic_begin(); int __sorrel_locked = *__sorrel_mutex; *__sorrel_mutex = 1; __VERIFIER_atomic_end(); \\
     __sorrel_locked ? 16 : 0; })
#define pthread_mutex_unlock(mutex) ({ pthread_mutex_t *__sorrel_mutex = (mutex); __sorrel_unlock(__sorrel_mutex); 0; })
#define pthread_spin_init(lock, shared) ({ *(lock) = 0; (void)(shared); 0; })
#define pthread_spin_destroy(lock) ({ (void)(lock); 0; })
#define pthread_spin_lock(lock) pthread_mutex_lock(lock)
#define pthread_spin_trylock(lock) pthread_mutex_trylock(lock)
#define pthread_spin_unlock(lock) pthread_mutex_unlock(lock)
/* How many read, or who writes: a negative number. */
#define __sorrel_writer (-1 - (int)__VERIFIER_thread_number())
#define __sorrel_share(lock, free, taken) \\
  ({ pthread_rwlock_t *__sorrel_shared = (lock); int __sorrel_own = __sorrel_writer; __VERIFIER_atomic_begin(); \\
     __VERIFIER_assume(__sorrel_told(*__sorrel_shared == __sorrel_own) || *__sorrel_shared free); \\
     _Bool __sorrel_itself = __sorrel_told(*__sorrel_shared == __sorrel_own); \\
     if (!__sorrel_itself) *__sorrel_shared = taken; __VERIFIER_atomic_end(); __sorrel_itself ? 35 : 0; })
#define __sorrel_try_share(lock, free, taken) \\
  ({ pthread_rwlock_t *__sorrel_shared = (lock); __VERIFIER_atomic_begin(); \\
     int __sorrel_free = *__sorrel_shared free; if (__sorrel_free) *__sorrel_shared = taken; \\
     __VERIFIER_atomic_end(); __sorrel_free ? 0 : 16; })
#define pthread_rwlock_init(lock, attributes) ({ *(lock) = 0; (void)(attributes); 0; })
#define pthread_rwlock_destroy(lock) ({ (void)(lock); 0; })
#define pthread_rwlock_rdlock(lock) __sorrel_share(lock, >= 0, *__sorrel_shared + 1)
#define pthread_rwlock_wrlock(lock) __sorrel_share(lock, == 0, __sorrel_own)
#define pthread_rwlock_tryrdlock(lock) __sorrel_try_share(lock, >= 0, *__sorrel_shared + 1)
#define pthread_rwlock_trywrlock(lock) __sorrel_try_share(lock, == 0, __sorrel_writer)
#define pthread_rwlock_unlock(lock) \\
  ({ pthread_rwlock_t *__sorrel_shared = (lock); __VERIFIER_atomic_begin(); \\
     *__sorrel_shared = *__sorrel_shared > 0 ? *__sorrel_shared - 1 : 0; __VERIFIER_atomic_end(); 0; })
/* Who is first does it, the others wait for its end. */
#define pthread_once(control, routine) \\
  ({ pthread_once_t *__sorrel_control = (control); __VERIFIER_atomic_begin(); \\
     int __sorrel_first = *__sorrel_control == 0; if (__sorrel_first) *__sorrel_control = 1; __VERIFIER_atomic_end(); \\
     if (__sorrel_first) { \\
       (routine)(); __VERIFIER_atomic_begin(); *__sorrel_control = 2; __VERIFIER_atomic_end(); \\
     } else { \\
       __VERIFIER_atomic_begin(); __VERIFIER_assume(*__sorrel_control == 2); __VERIFIER_atomic_end(); \\
     } 0; })
/* The last one of a round begins the next, for which the others wait. Which of them is told so is anybody's guess. */
#define pthread_barrier_init(barrier, attributes, number) \\
  ({ pthread_barrier_t *__sorrel_barrier = (barrier); (void)(attributes); __sorrel_barrier->needed = (number); \\
     __sorrel_barrier->there = 0; __sorrel_barrier->round = 0; __sorrel_barrier->told = 0; \\
     __sorrel_barrier->needed == 0 ? 22 : 0; })
#define pthread_barrier_destroy(barrier) ({ (void)(barrier); 0; })
#define pthread_barrier_wait(barrier) \\
  ({ pthread_barrier_t *__sorrel_barrier = (barrier); _Bool __sorrel_chosen = __VERIFIER_nondet_bool(); \\
     __VERIFIER_atomic_begin(); unsigned __sorrel_round = __sorrel_barrier->round; \\
     _Bool __sorrel_last = __sorrel_barrier->there + 1 == __sorrel_barrier->needed; \\
     __sorrel_chosen = !__sorrel_barrier->told && (__sorrel_chosen || __sorrel_last); \\
     __sorrel_barrier->told = !__sorrel_last && (__sorrel_barrier->told || __sorrel_chosen); \\
     __sorrel_barrier->there = __sorrel_last ? 0 : __sorrel_barrier->there + 1; \\
     if (__sorrel_last) __sorrel_barrier->round = __sorrel_round + 1; __VERIFIER_atomic_end(); \\
     if (!__sorrel_last) { \\
       __VERIFIER_atomic_begin(); __VERIFIER_assume(__sorrel_barrier->round != __sorrel_round); \\
       __VERIFIER_atomic_end(); \\
     } __sorrel_chosen ? PTHREAD_BARRIER_SERIAL_THREAD : 0; })
#endif
""",
    # The system's other headers announce the types of threads as well: these take the place of its own.
    "bits/pthreadtypes.h": """#ifndef SORREL_PTHREADTYPES_H
#define SORREL_PTHREADTYPES_H
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_mutex_t, pthread_mutexattr_t, pthread_cond_t, pthread_condattr_t, pthread_once_t;
typedef int pthread_rwlock_t, pthread_rwlockattr_t, pthread_barrierattr_t, pthread_spinlock_t;
typedef struct { unsigned needed, there, round; _Bool told; } pthread_barrier_t;
union pthread_attr_t { int state; };
#ifndef __have_pthread_attr_t
typedef union pthread_attr_t pthread_attr_t;
#define __have_pthread_attr_t 1
#endif
#endif
""",
    "semaphore.h": """#ifndef SORREL_SEMAPHORE_H
#define SORREL_SEMAPHORE_H
#include <pthread.h>
typedef unsigned sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
#define sem_init(semaphore, shared, value) \\
  ({ sem_t *__sorrel_semaphore = (semaphore); (void)(shared); unsigned __sorrel_value = (value); \\
     if (__sorrel_value <= SEM_VALUE_MAX) *__sorrel_semaphore = __sorrel_value; \\
     __sorrel_value <= SEM_VALUE_MAX ? 0 : -1; })
#define sem_destroy(semaphore) ({ (void)(semaphore); 0; })
#define sem_wait(semaphore) \\
  ({ sem_t *__sorrel_semaphore = (semaphore); __VERIFIER_atomic_begin(); \\
     __VERIFIER_assume(*__sorrel_semaphore > 0); *__sorrel_semaphore -= 1; __VERIFIER_atomic_end(); 0; })
#define __sorrel_try(semaphore) \\
  __VERIFIER_atomic_begin(); _Bool __sorrel_may = *semaphore > 0; if (__sorrel_may) *semaphore -= 1; \\
  __VERIFIER_atomic_end(); __sorrel_may ? 0 : -1
#define sem_trywait(semaphore) ({ sem_t *__sorrel_semaphore = (semaphore); __sorrel_try(__sorrel_semaphore); })
/* Who need not wait is not too late; who waits may be. */
#define sem_timedwait(semaphore, end) \\
  ({ sem_t *__sorrel_timed = (semaphore); (void)(end); int __sorrel_late = ({ __sorrel_try(__sorrel_timed); }); \\
     if (__sorrel_late && __VERIFIER_nondet_bool()) __sorrel_late = ({ __sorrel_try(__sorrel_timed); }); \\
     __sorrel_late; })
#define sem_post(semaphore) \\
  ({ sem_t *__sorrel_semaphore = (semaphore); __VERIFIER_atomic_begin(); \\
     _Bool __sorrel_may = *__sorrel_semaphore < SEM_VALUE_MAX; if (__sorrel_may) *__sorrel_semaphore += 1; \\
     __VERIFIER_atomic_end(); __sorrel_may ? 0 : -1; })
#define sem_getvalue(semaphore, value) \\
  ({ sem_t *__sorrel_semaphore = (semaphore); int *__sorrel_number = (value); \\
     __VERIFIER_atomic_begin(); int __sorrel_now = (int)*__sorrel_semaphore; __VERIFIER_atomic_end(); \\
     *__sorrel_number = __sorrel_now; 0; })
#endif
""",
}
