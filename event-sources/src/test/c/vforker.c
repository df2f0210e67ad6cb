/* vforker: waits in vfork(), in uninterruptible sleep, until its input ends: its child shares its memory till then. */
#include <unistd.h>

int main(void) {
  char c;
  if (vfork() == 0) {
    while (read(0, &c, 1) > 0) {
    }
    _exit(0);
  }
  return 0;
}
