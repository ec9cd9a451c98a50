/* What is made once is looked at without the lock first. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int made, object;

void *use(void *unused) {
  (void)unused;
  if (!made) {
    pthread_mutex_lock(&lock);
    if (!made) {
      object = 1;
      made = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, use, 0);
  pthread_create(&two, 0, use, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
