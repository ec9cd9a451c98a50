/* A thread is waited for by one who has the lock that it needs. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int done;

void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t worker;
  pthread_mutex_lock(&lock);
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
