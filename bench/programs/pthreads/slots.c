/* One thread for each element of an array, which it is given the address of. */
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
  struct job jobs[3];
  for (int i = 0; i < 3; i++) {
    jobs[i].number = i;
    jobs[i].result = &results[i];
    pthread_create(&threads[i], 0, work, &jobs[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return results[0];
}
