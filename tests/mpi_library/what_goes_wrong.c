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
  } else if (strcmp(what, "bytes") == 0 || strcmp(what, "collective") == 0 || strcmp(what, "root") == 0 ||
             strcmp(what, "counts") == 0 || strcmp(what, "operator") == 0 || strcmp(what, "elements") == 0 ||
             strcmp(what, "in_place") == 0 || strcmp(what, "one_less") == 0) {
    /* QUADRILLE_CHECK: rank 1 calls something else. */
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, NULL, &context);
    int in[300] = {1}, out[300] = {0};
    const int other = me == 1;
    for (int i = 0; i < 2 && code == MPI_SUCCESS; ++i)
      code = quadrille_allreduce(in, out, 10, MPI_INT, MPI_SUM, context);
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);
    if (strcmp(what, "bytes") == 0) {
      code = quadrille_alltoall(in, other ? 7 : 5, MPI_INT, out, other ? 7 : 5, MPI_INT, context);
    } else if (strcmp(what, "operator") == 0) {
      code = quadrille_allreduce(in, out, 10, MPI_INT, other ? MPI_MAX : MPI_SUM, context);
    } else if (strcmp(what, "elements") == 0) {
      /* As many bytes, and other numbers. */
      code = quadrille_allreduce(in, out, 10, other ? MPI_FLOAT : MPI_INT, MPI_SUM, context);
    } else if (strcmp(what, "in_place") == 0) {
      /* Rank 2 is no root. */
      code = quadrille_gather(me == 2 ? MPI_IN_PLACE : in, 5, MPI_INT, out, 5, MPI_INT, 0, context);
      say(code);
      sleep(1);
      MPI_Abort(MPI_COMM_WORLD, 3);
    } else if (strcmp(what, "root") == 0) {
      code = quadrille_bcast(in, 100, MPI_INT, other ? 2 : 0, context);
    } else if (strcmp(what, "counts") == 0) {
      const MPI_Count counts[3] = {1, 2, 3}, unlike[3] = {2, 1, 3};
      code =
          quadrille_allgatherv(in, counts[me], MPI_INT, out, other ? unlike : counts, NULL, MPI_INT, context);
    } else if (strcmp(what, "collective") == 0 && other) {
      code = quadrille_barrier(context);
    } else if (!other) {
      code = quadrille_allgather(in, 20, MPI_INT, out, 20, MPI_INT, context);
    } else {
      sleep(20);
    }
    const int failed = say(code);
    if (strcmp(what, "one_less") == 0) {
      if (me != 2) sleep(20);
      sleep(1); /* mpiexec loses what it has not read when somebody aborts */
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
    /* Nothing was begun: the next call is as good as ever. */
    if (quadrille_allreduce(in, out, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || out[0] != 3)
      return MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return failed;
  } else if (strcmp(what, "unlike_counts") == 0) {
    /* Rank 1 sends one less to rank 2 than that expects. */
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, NULL, &context);
    int in[9] = {1}, out[9];
    const MPI_Count counts[3] = {2, 2, me == 1 ? 1 : 2}, expected[3] = {2, 2, 2};
    if (code == MPI_SUCCESS)
      code = quadrille_alltoallv(in, counts, NULL, MPI_INT, out, expected, NULL, MPI_INT, context);
    const int is_wrong = (code != MPI_SUCCESS) == (me == 2) ? say(code) : MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return is_wrong;
  } else if (strcmp(what, "of_nodes") == 0) {
    /* Two nodes of two ranks, of which one has counts that are wrong: the next call is as good as ever, and so is the one behind it. */
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, NULL, &context);
    int in[20] = {1}, out[20], sum = 0;
    const MPI_Count counts[4] = {2, 2, 2, 2}, more[4] = {2, 2, 2, 3};
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);
    code =
        quadrille_alltoallv(in, me == 0 ? more : counts, NULL, MPI_INT, out, counts, NULL, MPI_INT, context);
    int is_wrong = (code != MPI_SUCCESS) == (me >= 2) ? say(code) : MPI_Abort(MPI_COMM_WORLD, 2);
    if (quadrille_allreduce(in, &sum, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || sum != 4)
      return MPI_Abort(MPI_COMM_WORLD, 2);
    code = quadrille_allgatherv(in, me == 2 ? 3 : 2, MPI_INT, out, counts, NULL, MPI_INT, context);
    /* All hear of it. */
    is_wrong |= code != MPI_SUCCESS ? say(code) : MPI_Abort(MPI_COMM_WORLD, 2);
    if (me == 1 || me == 0) {
      char text[MPI_MAX_ERROR_STRING];
      int length;
      MPI_Error_string(code, text, &length);
      printf("also said: %s\n", text);
      fflush(stdout);
    }
    if (quadrille_allreduce(in, &sum, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || sum != 4)
      return MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return is_wrong;
  } else if (strcmp(what, "late") == 0 || strcmp(what, "late_to_start") == 0) {
    /* Rank 1 comes to the first allreduce, and not to the second, which the others only start at first. */
    const int starts = strcmp(what, "late") != 0;
    quadrille_request request = QUADRILLE_REQUEST_NULL;
    code = quadrille_context_create(MPI_COMM_WORLD, NULL, folder, NULL, &context);
    int in = 1, out;
    if (code == MPI_SUCCESS) code = quadrille_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, context);
    if (me == 1) sleep(20);
    if (code == MPI_SUCCESS)
      code = starts ? quadrille_iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, context, &request)
                    : quadrille_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, context);
    if (code == MPI_SUCCESS) code = quadrille_wait(&request);
    say(code);
    if (me != 2) sleep(20);
    sleep(1);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  const int failed = say(code);
  MPI_Finalize();
  return failed;
}
