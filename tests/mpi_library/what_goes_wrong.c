/* Ranks that are not of one mind, sets that are none, a rank that never comes: one line that says it, on every rank that is
 * asked, and nobody waits for ever.
 *
 *     mpirun -n 3 what_goes_wrong CASE,FOLDER_OF_A_SET[,SETTING=VALUE].. ...        one after the other
 *     mpirun -n 6 what_goes_wrong at_once CASE,FOLDER_OF_A_SET[,SETTING=VALUE].. ...  each with three ranks of its own, some of which wait for ever */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quadrille_mpi.h"

enum { kMostParts = 6 };

static int me;
static MPI_Comm comm;
static const char* what;

static int is(const char* name) { return strcmp(what, name) == 0; }

/* Rank 2 says what came of it. */
static int say(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS) return 0;
  MPI_Error_string(code, text, &length);
  if (me == 2) printf("%s: said: %s\n", what, text);
  fflush(stdout);
  return 1;
}

static void fail(void) { MPI_Abort(MPI_COMM_WORLD, 2); }

static quadrille_context* context_of(const char* folder) {
  quadrille_context* context = NULL;
  if (quadrille_context_create(comm, NULL, folder, NULL, &context) != MPI_SUCCESS) fail();
  return context;
}

/* The making of a context is refused. */
static int is_refused(const char* folder) {
  const int map[3] = {0, 1, 2}, other_map[3] = {0, 2, 1}, twice[3] = {0, 0, 1};
  const char* topology = NULL;
  const int* places = NULL;
  if (is("topology")) topology = me == 1 ? "line(3)" : "ring(3)";
  if (is("other_topology")) topology = "line(3)";
  if (is("map")) places = me == 1 ? other_map : map;
  if (is("map_of_one")) places = me == 1 ? map : NULL;
  if (is("twice")) places = twice;
  quadrille_context* context = NULL;
  return say(quadrille_context_create(is("no_communicator") ? MPI_COMM_NULL : comm, topology,
                                      strcmp(folder, "-") == 0 ? NULL : folder, places, &context));
}

static int in[300] = {1}, out[300];

/* QUADRILLE_CHECK: rank 1 calls something else. */
static int other_call(quadrille_context* context) {
  const int other = me == 1;
  if (is("bytes"))
    return quadrille_alltoall(in, other ? 7 : 5, MPI_INT, out, other ? 7 : 5, MPI_INT, context);
  if (is("operator")) return quadrille_allreduce(in, out, 10, MPI_INT, other ? MPI_MAX : MPI_SUM, context);
  /* As many bytes, and other numbers. */
  if (is("elements")) return quadrille_allreduce(in, out, 10, other ? MPI_FLOAT : MPI_INT, MPI_SUM, context);
  if (is("root")) return quadrille_bcast(in, 100, MPI_INT, other ? 2 : 0, context);
  if (is("counts")) {
    const MPI_Count counts[3] = {1, 2, 3}, unlike[3] = {2, 1, 3};
    return quadrille_allgatherv(in, counts[me], MPI_INT, out, other ? unlike : counts, NULL, MPI_INT,
                                context);
  }
  if (is("collective") && other) return quadrille_barrier(context);
  return quadrille_allgather(in, 20, MPI_INT, out, 20, MPI_INT, context);
}

static int is_compared(const char* folder) {
  quadrille_context* context = context_of(folder);
  for (int i = 0; i < 2; ++i)
    if (quadrille_allreduce(in, out, 10, MPI_INT, MPI_SUM, context) != MPI_SUCCESS) fail();
  const int failed = say(other_call(context));
  /* Nothing was begun: the next call is as good as ever. */
  if (quadrille_allreduce(in, out, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || out[0] != 3) fail();
  quadrille_context_free(&context);
  return failed;
}

/* What no call can be: rank 2 says how, and the next call is as good as ever. */
static int is_senseless(const char* folder) {
  quadrille_context* context = context_of(folder);
  quadrille_request request = QUADRILLE_REQUEST_NULL;
  const MPI_Count counts[3] = {1, 1, 1}, below[3] = {1, -3, 1};
  int code = MPI_SUCCESS;
  if (is("no_context")) code = quadrille_iallreduce(in, out, 1, MPI_INT, MPI_SUM, NULL, &request);
  if (is("no_request")) code = quadrille_ibcast(in, 1, MPI_INT, 0, context, NULL);
  if (is("fewer_than_none")) code = quadrille_allreduce(in, out, -4, MPI_INT, MPI_SUM, context);
  if (is("fewer_from_root"))
    code = me == 2 ? quadrille_iscatter(in, 1, MPI_INT, out, -1, MPI_INT, 0, context, &request) : 1;
  if (is("fewer_of_one")) code = quadrille_allgatherv(in, 1, MPI_INT, out, below, NULL, MPI_INT, context);
  if (is("no_counts")) code = quadrille_reduce_scatter(in, out, NULL, MPI_INT, MPI_SUM, context);
  if (is("no_counts_to_send"))
    code = quadrille_alltoallv(in, NULL, NULL, MPI_INT, out, counts, NULL, MPI_INT, context);
  if (is("no_counts_later"))
    code = quadrille_ialltoallv(in, counts, NULL, MPI_INT, out, NULL, NULL, MPI_INT, context, &request);
  if (code == MPI_SUCCESS) code = quadrille_wait(&request);
  if (code == MPI_SUCCESS) fail();
  if (me == 2) say(code);
  if (quadrille_allreduce(in, out, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || out[0] != 3) fail();
  if (!is("no_counts_later")) quadrille_context_free(&context);
  return 1;
}

/* Rank 1 sends one less to rank 2 than that expects. */
static int unlike_counts(const char* folder) {
  quadrille_context* context = context_of(folder);
  const MPI_Count counts[3] = {2, 2, me == 1 ? 1 : 2}, expected[3] = {2, 2, 2};
  const int code = quadrille_alltoallv(in, counts, NULL, MPI_INT, out, expected, NULL, MPI_INT, context);
  if ((code != MPI_SUCCESS) != (me == 2)) fail();
  say(code);
  return 1;
}

/* Two nodes of two ranks, of which one has counts that are wrong: the next call is as good as ever, and so is the one behind it. */
static int of_nodes(const char* folder) {
  quadrille_context* context = context_of(folder);
  int sum = 0;
  const MPI_Count counts[4] = {2, 2, 2, 2}, more[4] = {2, 2, 2, 3};
  int code =
      quadrille_alltoallv(in, me == 0 ? more : counts, NULL, MPI_INT, out, counts, NULL, MPI_INT, context);
  if ((code != MPI_SUCCESS) != (me >= 2)) fail();
  say(code);
  if (quadrille_allreduce(in, &sum, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || sum != 4) fail();
  code = quadrille_allgatherv(in, me == 2 ? 3 : 2, MPI_INT, out, counts, NULL, MPI_INT, context);
  /* All hear of it. */
  if (code == MPI_SUCCESS) fail();
  say(code);
  if (me == 1 || me == 0) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    printf("also said: %s\n", text);
    fflush(stdout);
  }
  if (quadrille_allreduce(in, &sum, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS || sum != 4) fail();
  return 1;
}

static void wait_for_ever(void) {
  for (;;) sleep(60);
}

/* What rank 2 is told where rank 1 does not come. */
static int is_left_alone(const char* folder) {
  quadrille_context* context = context_of(folder);
  quadrille_request request = QUADRILLE_REQUEST_NULL;
  int one = 1, sum;
  if (quadrille_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, context) != MPI_SUCCESS) fail();
  /* No root gives MPI_IN_PLACE: rank 2 does. */
  if (is("in_place"))
    return say(quadrille_gather(me == 2 ? MPI_IN_PLACE : in, 5, MPI_INT, out, 5, MPI_INT, 0, context));
  if (me == 1) wait_for_ever();
  if (is("one_less")) return say(quadrille_allgather(in, 20, MPI_INT, out, 20, MPI_INT, context));
  /* Others only start at first. */
  int code = is("late_to_start") ? quadrille_iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, context, &request)
                                 : quadrille_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, context);
  if (code == MPI_SUCCESS) code = quadrille_wait(&request);
  return say(code);
}

typedef struct {
  char text[4096];
  char* parts[kMostParts];
  int num_parts;
} wrong_case;

static int run(char* argument, MPI_Comm ranks) {
  static wrong_case each;
  snprintf(each.text, sizeof each.text, "%s", argument);
  each.num_parts = 0;
  for (char* part = strtok(each.text, ","); part != NULL && each.num_parts < kMostParts;
       part = strtok(NULL, ","))
    each.parts[each.num_parts++] = part;
  if (each.num_parts < 2) fail();
  comm = ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  what = each.parts[0];
  const char* folder = each.parts[1];
  for (int s = 2; s < each.num_parts; ++s) {
    char* value = strchr(each.parts[s], '=');
    if (value == NULL) fail();
    *value = 0;
    setenv(each.parts[s], value + 1, 1);
  }
  const char *const compared[] = {"bytes", "collective", "root", "counts", "operator", "elements"},
                    *const left[] = {"late", "late_to_start", "one_less", "in_place"};
  int (*look)(const char*) = is("unlike_counts") ? unlike_counts : is("of_nodes") ? of_nodes : is_refused;
  if (is("no_context") || is("no_request") || strncmp(what, "fewer_", 6) == 0 ||
      strncmp(what, "no_counts", 9) == 0)
    look = is_senseless;
  for (size_t c = 0; c < sizeof compared / sizeof *compared; ++c)
    if (is(compared[c])) look = is_compared;
  for (size_t l = 0; l < sizeof left / sizeof *left; ++l)
    if (is(left[l])) look = is_left_alone;
  const int failed = look(folder);
  for (int s = 2; s < each.num_parts; ++s) unsetenv(each.parts[s]);
  return failed;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 2) fail();
  int all_failed = 1, rank;
  if (strcmp(argv[1], "at_once") != 0) {
    for (int c = 1; c < argc; ++c) all_failed &= run(argv[c], MPI_COMM_WORLD);
    MPI_Finalize();
    return all_failed;
  }
  MPI_Comm mine, asked;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank / 3 + 2 >= argc) fail();
  MPI_Comm_split(MPI_COMM_WORLD, rank / 3, rank, &mine);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 2, rank, &asked);
  const int failed = run(argv[rank / 3 + 2], mine);
  if (me != 2) wait_for_ever();
  /* mpiexec loses what it has not read when somebody aborts. */
  MPI_Barrier(asked);
  sleep(1);
  return MPI_Abort(MPI_COMM_WORLD, failed ? 3 : 2);
}
