/* One slot between a producer and a consumer. The consumer always waits, also for a signal that has been given. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full, item;

void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&changed, &lock);
  item = 7;
  full = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

void *consume(void *taken) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&changed, &lock);
  *(int *)taken = item;
  full = 0;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t producer, consumer;
  int taken = 0;
  pthread_create(&consumer, 0, consume, &taken);
  pthread_create(&producer, 0, produce, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return taken == 7 ? 0 : 1;
}
