/* Two threads, each with a communicator and a context of its own, which it makes, uses and frees while the other does.
 *
 *     mpirun -n 4 threads FOLDER_OF_A_SET */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

enum { TURNS = 60, MOST = 400 };

typedef struct {
  MPI_Comm comm;
  const char* folder;
  int salt;
  long failures;
} work;

static void* do_work(void* argument) {
  work* mine = argument;
  int me, ranks;
  MPI_Comm_rank(mine->comm, &me);
  MPI_Comm_size(mine->comm, &ranks);
  int* memory = malloc(3 * (size_t)ranks * MOST * sizeof *memory);
  int *from = memory, *to = memory + ranks * MOST, *expected = memory + 2 * ranks * MOST;
  quadrille_context* context = NULL;
  for (int turn = 0; turn < TURNS; ++turn) {
    if (turn % 20 == 0) {
      quadrille_context_free(&context);
      quadrille_context_create(mine->comm, NULL, mine->folder, NULL, &context);
    }
    const int n = 1 + turn * 37 % MOST;
    for (int i = 0; i < ranks * n; ++i) from[i] = mine->salt + turn * 1000 + me * 100 + i % 97;
    quadrille_alltoall(from, n, MPI_INT, to, n, MPI_INT, context);
    MPI_Alltoall(from, n, MPI_INT, expected, n, MPI_INT, mine->comm);
    mine->failures += memcmp(to, expected, (size_t)(ranks * n) * sizeof *to) != 0;
    quadrille_allreduce(from, to, n, MPI_INT, MPI_SUM, context);
    MPI_Allreduce(from, expected, n, MPI_INT, MPI_SUM, mine->comm);
    mine->failures += memcmp(to, expected, (size_t)n * sizeof *to) != 0;
  }
  quadrille_context_free(&context);
  free(memory);
  return NULL;
}

int main(int argc, char** argv) {
  int given;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  if (argc != 2) return MPI_Abort(MPI_COMM_WORLD, 2);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  long failures = 0;
  if (given == MPI_THREAD_MULTIPLE) {
    work both[2];
    pthread_t thread;
    for (int i = 0; i < 2; ++i) {
      both[i] = (work){.folder = argv[1], .salt = 7 * i};
      MPI_Comm_dup(MPI_COMM_WORLD, &both[i].comm);
    }
    pthread_create(&thread, NULL, do_work, &both[1]);
    do_work(&both[0]);
    pthread_join(thread, NULL);
    failures = both[0].failures + both[1].failures;
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&both[i].comm);
  }
  long sum;
  MPI_Allreduce(&failures, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0 && sum == 0)
    printf(given == MPI_THREAD_MULTIPLE ? "all right\n" : "all right: no threads here\n");
  if (me == 0 && sum != 0) printf("FAILED: %ld results are wrong\n", sum);
  MPI_Finalize();
  return sum != 0;
}
