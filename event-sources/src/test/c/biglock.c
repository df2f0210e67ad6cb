/* biglock PATH: one thread calls stat(PATH) with a lock held that three others wait for, as a runtime with a big lock. */
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_lock(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[3];
  struct stat status;
  (void)argc;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, wait_for_lock, 0);
  int result = stat(argv[1], &status);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  getchar();
  return result != 0;
}
