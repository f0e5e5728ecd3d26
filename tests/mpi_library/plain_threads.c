/* A program that knows nothing of Quadrille, with threads that each have a communicator and call collectives on it at once, their first
 * ones, too. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, CALLS = 50, MOST_RANKS = 16 };
static int me, ranks, wrong;
static MPI_Comm comms[THREADS];
static pthread_barrier_t all_there;

static void* run(void* number) {
  const int mine = *(int*)number;
  int failed = 0;
  pthread_barrier_wait(&all_there);
  for (int i = 0; i < CALLS; ++i) {
    const int x = me * (mine + 1) + i;
    int sum, from[MOST_RANKS], to[MOST_RANKS];
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comms[mine]);
    failed += sum != ranks * (ranks - 1) / 2 * (mine + 1) + ranks * i;
    for (int r = 0; r < ranks; ++r) from[r] = 100 * me + 10 * r + i;
    MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, comms[mine]);
    for (int r = 0; r < ranks; ++r) failed += to[r] != 100 * r + 10 * me + i;
  }
  if (failed > 0) __atomic_fetch_add(&wrong, failed, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(int argc, char** argv) {
  int level, numbers[THREADS];
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (level < MPI_THREAD_MULTIPLE || ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
  pthread_barrier_init(&all_there, NULL, THREADS);
  for (int t = 0; t < THREADS; ++t) MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
  for (int t = 0; t < THREADS; ++t) {
    numbers[t] = t;
    pthread_create(&threads[t], NULL, run, &numbers[t]);
  }
  for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], NULL);
  for (int t = 0; t < THREADS; ++t) MPI_Comm_free(&comms[t]);
  int all = 0;
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) puts(all == 0 ? "all right" : "wrong");
  MPI_Finalize();
  return all != 0;
}
