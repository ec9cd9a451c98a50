/* One job is filled in again for each thread, while those before may still read it. */
#include <pthread.h>

struct job {
  int number;
  int *result;
};

int results[3];

void *work(void *given) {
  struct job *job = given;
  *job->result = job->number + 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  struct job only;
  for (int i = 0; i < 3; i++) {
    only.number = i;
    only.result = &results[i];
    pthread_create(&threads[i], 0, work, &only);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return results[0];
}
