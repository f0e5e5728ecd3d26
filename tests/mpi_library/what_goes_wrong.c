/* Ranks that are not of one mind, sets that are none, a rank that never comes: one line that says it, on every rank that is
 * asked, and nobody waits for ever.
 *
 *     mpirun -n 3 what_goes_wrong CASE FOLDER_OF_A_SET */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "quadrille_mpi.h"

static int me;

/* Rank 2 says what came of it. */
static int say(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS) return 0;
  MPI_Error_string(code, text, &length);
  if (me == 2) printf("said: %s\n", text);
  fflush(stdout);
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (argc != 3) return MPI_Abort(MPI_COMM_WORLD, 2);
  const char *what = argv[1], *folder = argv[2];
  const int map[3] = {0, 1, 2}, other_map[3] = {0, 2, 1}, twice[3] = {0, 0, 1};
  quadrille_context* context = NULL;
  int code = MPI_SUCCESS;
  if (strcmp(what, "topology") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, me == 1 ? "line(3)" : "ring(3)", folder, NULL, &context);
  } else if (strcmp(what, "other_topology") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, "line(3)", folder, NULL, &context);
  } else if (strcmp(what, "map") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, me == 1 ? other_map : map, &context);
  } else if (strcmp(what, "map_of_one") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, me == 1 ? map : NULL, &context);
  } else if (strcmp(what, "twice") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, twice, &context);
  } else if (strcmp(what, "create") == 0) {
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, strcmp(folder, "-") == 0 ? NULL : folder, NULL,
                                    &context);
  } else if (strcmp(what, "late") == 0) {
    /* Rank 1 comes to the first allreduce, and not to the second. */
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, NULL, &context);
    int in = 1, out;
    if (code == MPI_SUCCESS) code = quadrille_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, context);
    if (me == 1) sleep(20);
    if (code == MPI_SUCCESS) code = quadrille_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, context);
    say(code);
    if (me != 2) sleep(20);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  const int failed = say(code);
  MPI_Finalize();
  return failed;
}
