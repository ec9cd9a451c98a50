/* Two threads count in a variable that is atomic. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *work(void *unused) {
  (void)unused;
  atomic_fetch_add(&count, 1);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, 0);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
