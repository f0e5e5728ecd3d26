/* A rank that stops in the middle, or is killed, in a program that asks for no errors: who waits for it says so, and what a call has
 * reported as good is good.
 *
 *     mpirun -n 2 stopped_rank RANK SIGNAL [allreduce|alltoall|alltoallv|allgatherv [CALLS BEFORE]] */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCount = 1000, kMostRanks = 16 };

static int from[kMostRanks * kCount], to[kMostRanks * kCount];
static int counts[kMostRanks], places[kMostRanks];

static void call(const char* what, int ranks) {
  if (strcmp(what, "alltoall") == 0) {
    MPI_Alltoall(from, kCount, MPI_INT, to, kCount, MPI_INT, MPI_COMM_WORLD);
  } else if (strcmp(what, "alltoallv") == 0) {
    MPI_Alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD);
  } else if (strcmp(what, "allgatherv") == 0) {
    MPI_Allgatherv(from, kCount, MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD);
  } else {
    MPI_Allreduce(from, to, ranks * kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3 || argc > 5 || ranks > kMostRanks) return MPI_Abort(MPI_COMM_WORLD, 2);
  const char* what = argc >= 4 ? argv[3] : "allreduce";
  const int sums = strcmp(what, "allreduce") == 0, gathers = strcmp(what, "allgatherv") == 0;
  /* After some calls, so that it is in none of the first; or before all of them. */
  const int before = argc == 5 ? atoi(argv[4]) : 51;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = kCount;
    places[r] = r * kCount;
  }
  for (int i = 0; i < 100000000; ++i) {
    if (i == before && me == atoi(argv[1])) raise(atoi(argv[2]));
    for (int r = 0; r < ranks; ++r)
      for (int k = 0; k < kCount; ++k) from[r * kCount + k] = me + 100 * r + i;
    call(what, ranks);
    for (int r = 0; r < ranks; ++r) {
      const int right = sums      ? ranks * (ranks - 1) / 2 + ranks * (100 * r + i)
                        : gathers ? r + i
                                  : r + 100 * me + i;
      for (int k = 0; k < kCount; ++k) {
        if (to[r * kCount + k] == right) continue;
        printf("call %d gave rank %d wrong values\n", i, me);
        fflush(stdout);
        return MPI_Abort(MPI_COMM_WORLD, 2);
      }
    }
  }
  printf("not stopped\n");
  MPI_Finalize();
  return 0;
}
