/* When ranks start together: on the machine's own clock, from which all ranks of a rig read the same. */
#ifndef QUADRILLE_RIG_COMMON_START_H
#define QUADRILLE_RIG_COMMON_START_H

#include <mpi.h>
#include <time.h>

/* Seconds of a clock that all ranks have in common: MPI_Wtime is not one, as Open MPI's begins when a process first asks it. Where
 * time is simulated there is no other. */
static inline double common_now(void) {
#ifdef QUADRILLE_SIMULATED
  return MPI_Wtime();
#else
  struct timespec out;
  clock_gettime(CLOCK_MONOTONIC, &out);
  return (double)out.tv_sec + 1e-9 * (double)out.tv_nsec;
#endif
}

static inline void sleep_until(double at) {
  /* To the nanosecond: where time is simulated a later start is measured as a slower call. */
  for (double left; (left = at - common_now()) > 0;) {
    const struct timespec rest = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left)) + 1};
    nanosleep(&rest, NULL);
  }
}

/* Everybody waits for one time, so many seconds on, by calls that no shim serves. */
static inline double start_together(int rank, double seconds) {
  double at = 0;
  PMPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) at = common_now() + seconds;
  PMPI_Bcast(&at, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  sleep_until(at);
  return at;
}

#endif
