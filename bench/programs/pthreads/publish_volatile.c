/* A value is written before a flag that is volatile, which orders nothing, and read only after the flag was seen. */
#include <pthread.h>

int value;
volatile int ready;

void *publish(void *unused) {
  (void)unused;
  value = 42;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t publisher;
  int seen = 42;
  pthread_create(&publisher, 0, publish, 0);
  if (ready) seen = value;
  pthread_join(publisher, 0);
  return seen == 42 ? 0 : 1;
}
