/* Money goes from one account to another under the locks of both, which are taken in the order of the accounts. */
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct account first = {PTHREAD_MUTEX_INITIALIZER, 10}, second = {PTHREAD_MUTEX_INITIALIZER, 10};

void *there(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first.lock);
  pthread_mutex_lock(&second.lock);
  first.balance -= 1;
  second.balance += 1;
  pthread_mutex_unlock(&second.lock);
  pthread_mutex_unlock(&first.lock);
  return 0;
}

void *back(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first.lock);
  pthread_mutex_lock(&second.lock);
  second.balance -= 1;
  first.balance += 1;
  pthread_mutex_unlock(&second.lock);
  pthread_mutex_unlock(&first.lock);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, there, 0);
  pthread_create(&two, 0, back, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
