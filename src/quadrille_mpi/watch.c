/* Blocking calls of the MPI library, into which nobody can look and which do not come back where a rank stops in them or a link dies: a
 * thread of the process, which calls nothing of MPI, counts how long each takes, and ends the program where that is longer than
 * QUADRILLE_TIMEOUT. Whoever makes a call writes two numbers. */
#include "context.h"

#ifdef QUADRILLE_SIMULATED
/* Time is simulated. */
void qd_begin_watched(double limit, int rank, const char* name) { (void)limit, (void)rank, (void)name; }
void qd_end_watched(void) {}
#else

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ms_between_looks = 100, ms_until_read = 500 };

/* Of a thread that makes such calls; another one's when that is gone. */
typedef struct qd_watched {
  atomic_uint turn; /* odd while it is in one */
  atomic_int is_taken;
  atomic_int rank;
  _Atomic double limit;
  _Atomic(const char*) name;
  unsigned seen; /* by the watch: since when, in its own looks */
  double still;
  struct qd_watched* next;
} qd_watched;

static _Atomic(qd_watched*) all;
static _Thread_local qd_watched* mine;
/* Calls in calls, as of operators. */
static _Thread_local int depth;
static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void pause_for(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void give_up(const qd_watched* of) {
  fprintf(stderr,
          "quadrille: rank %d: the MPI library is not done with %s after %g s: a rank has stopped or did not "
          "come, or a link is dead\n",
          atomic_load(&of->rank), atomic_load(&of->name), atomic_load(&of->limit));
  fflush(stderr);
  /* Others have something to say, too. */
  pause_for(ms_until_read);
  _exit(3);
}

static void* watch(void* nothing) {
  (void)nothing;
  double looked = qd_now();
  for (;;) {
    pause_for(ms_between_looks);
    const double now = qd_now();
    /* While this process was stopped itself nothing was seen. */
    const double most = 4e-3 * ms_between_looks;
    const double since = now - looked < most ? now - looked : most;
    looked = now;
    for (qd_watched* of = atomic_load(&all); of != NULL; of = of->next) {
      const unsigned turn = atomic_load(&of->turn);
      of->still = turn % 2 != 0 && turn == of->seen ? of->still + since : 0;
      of->seen = turn;
      if (of->still > atomic_load(&of->limit) && atomic_load(&of->turn) == turn) give_up(of);
    }
  }
  return NULL;
}

static void leave(void* of) { atomic_store(&((qd_watched*)of)->is_taken, 0); }

static void begin(void) {
  pthread_t thread;
  sigset_t none, before;
  if (pthread_key_create(&at_end, leave) != 0) return;
  /* Signals are the program's. */
  sigfillset(&none);
  pthread_sigmask(SIG_SETMASK, &none, &before);
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static qd_watched* take_one(void) {
  pthread_once(&once, begin);
  qd_watched* of = atomic_load(&all);
  for (; of != NULL; of = of->next) {
    int taken = 0;
    if (atomic_compare_exchange_strong(&of->is_taken, &taken, 1)) break;
  }
  if (of == NULL) {
    of = calloc(1, sizeof *of);
    if (of == NULL) return NULL;
    atomic_store(&of->is_taken, 1);
    of->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &of->next, of)) continue;
  }
  pthread_setspecific(at_end, of);
  return of;
}

void qd_begin_watched(double limit, int rank, const char* name) {
  if ((depth == 0 && limit <= 0) || depth++ > 0) return;
  if (mine == NULL) mine = take_one();
  if (mine == NULL) return;
  atomic_store_explicit(&mine->rank, rank, memory_order_relaxed);
  atomic_store_explicit(&mine->limit, limit, memory_order_relaxed);
  atomic_store_explicit(&mine->name, name, memory_order_relaxed);
  atomic_fetch_add_explicit(&mine->turn, 1, memory_order_release);
}

void qd_end_watched(void) {
  if (depth == 0 || --depth > 0 || mine == NULL) return;
  atomic_fetch_add_explicit(&mine->turn, 1, memory_order_release);
}
#endif
