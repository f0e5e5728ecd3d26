/* librig_nap: ranks that wait sleep until something comes, up to RIG_NAP_US microseconds, so that 16 of them get on
 * with two cores. To be loaded before an MPI library.
 *
 * Open MPI gives way by sched_yield() (mpi_yield_when_idle); UCX, which MPICH has, never does, but asks epoll_wait() without a
 * time (RIG_NAP_IN_EPOLL=1). Either then waits for all that the process has under epoll. RIG_LEAVE_FINALIZE=1: MPI_Finalize is a
 * barrier and the end of the process, since MPICH 4.0.2 hangs in it where ranks are connected by TCP. */
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum { most_watched = 16 };
static struct pollfd watched[most_watched];
static atomic_int num_watched;

/* The function of that name behind this library. (A pointer to data becomes one to a function in memory: C has no cast for it.) */
static void find_next(void* function, const char* name) { *(void**)function = dlsym(RTLD_NEXT, name); }

static int setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? 0 : atoi(text);
}

static void watch(int file) {
  const int at = file < 0 ? most_watched : atomic_fetch_add(&num_watched, 1);
  if (at < most_watched) watched[at] = (struct pollfd){.fd = file, .events = POLLIN};
}

int epoll_create(int size) {
  static int (*real)(int);
  if (real == NULL) find_next(&real, "epoll_create");
  const int out = real(size);
  watch(out);
  return out;
}

int epoll_create1(int flags) {
  static int (*real)(int);
  if (real == NULL) find_next(&real, "epoll_create1");
  const int out = real(flags);
  watch(out);
  return out;
}

static void nap(struct pollfd* files, int count) {
  static int microseconds = -1;
  if (microseconds < 0) microseconds = setting("RIG_NAP_US");
  const struct timespec most = {.tv_nsec = 1000L * microseconds};
  if (microseconds > 0) ppoll(files, (nfds_t)count, &most, NULL);
}

int sched_yield(void) {
  const int count = atomic_load(&num_watched);
  struct pollfd files[most_watched];
  const int known = count < most_watched ? count : most_watched;
  for (int i = 0; i < known; ++i) files[i] = watched[i];
  nap(files, known);
  return 0;
}

int epoll_wait(int file, struct epoll_event* events, int most, int timeout) {
  static int (*real)(int, struct epoll_event*, int, int);
  static int naps = -1;
  if (real == NULL) {
    find_next(&real, "epoll_wait");
    naps = setting("RIG_NAP_IN_EPOLL");
  }
  const int found = real(file, events, most, timeout);
  if (found != 0 || timeout != 0 || !naps) return found;
  struct pollfd one = {.fd = file, .events = POLLIN};
  nap(&one, 1);
  return real(file, events, most, 0);
}

int MPI_Finalize(void);
int MPI_Finalize(void) {
  int (*finalize)(void) = NULL;
  int (*barrier)(int) = NULL;
  find_next(&finalize, "PMPI_Finalize");
  find_next(&barrier, "PMPI_Barrier");
  if (!setting("RIG_LEAVE_FINALIZE") || barrier == NULL) return finalize();
  const int mpich_world = 0x44000000;
  barrier(mpich_world);
  fflush(NULL);
  _exit(0);
}
