/* A rank that stops in the middle, or is killed, in a program that asks for no errors: who waits for it says so.
 *
 *     mpirun -n 2 stopped_rank RANK SIGNAL */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) return MPI_Abort(MPI_COMM_WORLD, 2);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  static int from[1000], to[1000];
  /* After some calls, so that it is in none of the first. */
  for (int i = 0; i < 100000000; ++i) {
    MPI_Allreduce(from, to, 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (i == 50 && me == atoi(argv[1])) raise(atoi(argv[2]));
  }
  printf("not stopped\n");
  MPI_Finalize();
  return 0;
}
