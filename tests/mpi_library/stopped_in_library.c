/* Who applies an operator first stops there, in the middle of a call that is the MPI library's own, to which all ranks have come. Who waits
 * for it says so, and the program ends. Five calls before take longer than the limit together.
 *
 *     mpirun -n 3 stopped_in_library FOLDER_OF_A_SET       with QUADRILLE_TIMEOUT */
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "quadrille_mpi.h"

static int me, stops;

/* Does not commute: a plan that combines in any order is none for it. */
static void second(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
  const struct timespec slowly = {0, 300000000};
  nanosleep(&slowly, NULL);
  if (stops) raise(SIGSTOP);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  quadrille_context* context;
  quadrille_statistics done;
  int from[10] = {0}, to[10];
  MPI_Op op;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Op_create(second, 0, &op);
  if (argc != 2 || quadrille_context_create(MPI_COMM_WORLD, NULL, argv[1], NULL, &context) != MPI_SUCCESS)
    return MPI_Abort(MPI_COMM_WORLD, 2);
  for (int i = 0; i < 5; ++i) quadrille_allreduce(from, to, 10, MPI_INT, op, context);
  quadrille_context_statistics(context, &done);
  if (me == 0) printf("%lld calls passed on\n", done.passed);
  fflush(stdout);
  stops = 1;
  quadrille_allreduce(from, to, 10, MPI_INT, op, context);
  printf("not stopped\n");
  return MPI_Abort(MPI_COMM_WORLD, 2);
}
