/* Ranks that stop in the library's own calls: each way to wait for them says who it is, and is over.
 *
 *     mpirun -n 8 stopped_in_context RANKS,HOW,CALL,CALLS_BEFORE,FOLDER_OF_A_SET[,SETTING=VALUE].. ...
 *
 * Every case has ranks of its own, of which the first stops: all of them wait at once, in one program. How: create (that rank does not come
 * to the making of the context), now, test, wait, waitall or persistent. Call: allreduce, alltoall, alltoallv, barrier or library (a short message,
 * which the set leaves to the MPI library). Every rank but those that stop says what came of it; the program then ends, since
 * MPI_Finalize would wait for them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quadrille_mpi.h"

enum { kCount = 500, kMostRanks = 8, kShort = 10 };

static int me, ranks;
static int from[kMostRanks * kCount], to[kMostRanks * kCount];
static MPI_Count counts[kMostRanks];

/* Unlike what any call gives. */
static void spoil(void) { memset(to, 0x55, sizeof to); }

static int is_right(const char* call, int turn) {
  for (int r = 0; r < ranks; ++r) {
    for (int k = 0; k < kCount; ++k) {
      const int found = to[r * kCount + k];
      if (strcmp(call, "allreduce") == 0 && found != ranks * (ranks - 1) / 2 + ranks * (100 * r + turn))
        return 0;
      if (strncmp(call, "alltoall", 8) == 0 && found != r + 100 * me + turn) return 0;
      if (strcmp(call, "library") == 0 && r == 0 && k < kShort && found != turn) return 0;
    }
  }
  return 1;
}

static int start(const char* call, const char* how, quadrille_context* context, quadrille_request* request) {
  const int now = strcmp(how, "now") == 0, often = strcmp(how, "persistent") == 0;
  const int all = ranks * kCount;
  int code;
  if (often && *request != QUADRILLE_REQUEST_NULL) return quadrille_start(request);
#define QD_EACH_WAY(name, ...)                                                           \
  code = now     ? quadrille_##name(__VA_ARGS__, context)                                \
         : often ? quadrille_##name##_init(__VA_ARGS__, context, MPI_INFO_NULL, request) \
                 : quadrille_i##name(__VA_ARGS__, context, request)
  if (strcmp(call, "allreduce") == 0) {
    QD_EACH_WAY(allreduce, from, to, all, MPI_INT, MPI_SUM);
  } else if (strcmp(call, "alltoall") == 0) {
    QD_EACH_WAY(alltoall, from, kCount, MPI_INT, to, kCount, MPI_INT);
  } else if (strcmp(call, "alltoallv") == 0) {
    QD_EACH_WAY(alltoallv, from, counts, NULL, MPI_INT, to, counts, NULL, MPI_INT);
  } else if (strcmp(call, "library") == 0) {
    if (me == 0) memcpy(to, from, kShort * sizeof *to);
    QD_EACH_WAY(bcast, to, kShort, MPI_INT, 0);
  } else {
    code = now     ? quadrille_barrier(context)
           : often ? quadrille_barrier_init(context, MPI_INFO_NULL, request)
                   : quadrille_ibarrier(context, request);
  }
  return often && code == MPI_SUCCESS ? quadrille_start(request) : code;
}

static int finish(const char* how, quadrille_request* request) {
  int code = MPI_SUCCESS;
  if (strcmp(how, "now") == 0) return code;
  if (strcmp(how, "test") == 0) {
    for (int done = 0; !done && code == MPI_SUCCESS;) code = quadrille_test(request, &done);
    return code;
  }
  return strcmp(how, "waitall") == 0 ? quadrille_waitall(1, request) : quadrille_wait(request);
}

enum { kMostParts = 8 };

/* A case, taken apart. */
typedef struct {
  char text[4096];
  char* parts[kMostParts];
  int num_parts;
} stopped_case;

static void read_case(const char* argument, stopped_case* out) {
  snprintf(out->text, sizeof out->text, "%s", argument);
  out->num_parts = 0;
  for (char* part = strtok(out->text, ","); part != NULL && out->num_parts < kMostParts;
       part = strtok(NULL, ","))
    out->parts[out->num_parts++] = part;
}

/* What came of a case, on the ranks that go on. */
static int run(const stopped_case* what, MPI_Comm comm, int stops, char* said) {
  const char *how = what->parts[1], *call = what->parts[2];
  const int before = atoi(what->parts[3]);
  for (int s = 5; s < what->num_parts; ++s) putenv(what->parts[s]);
  quadrille_context* context = NULL;
  if (strcmp(how, "create") == 0 && stops) raise(SIGSTOP);
  int code = quadrille_context_create(comm, NULL, what->parts[4], NULL, &context);
  quadrille_request request = QUADRILLE_REQUEST_NULL;
  for (int r = 0; r < ranks; ++r) counts[r] = kCount;
  for (int i = 0; i < 1000 && code == MPI_SUCCESS; ++i) {
    for (int r = 0; r < ranks; ++r)
      for (int k = 0; k < kCount; ++k) from[r * kCount + k] = me + 100 * r + i;
    spoil();
    if (i == before && stops) raise(SIGSTOP);
    code = start(call, how, context, &request);
    if (code == MPI_SUCCESS) code = finish(how, &request);
    if (code == MPI_SUCCESS && !is_right(call, i)) {
      sprintf(said, "call %d gave rank %d wrong values", i, me);
      return 0;
    }
  }
  char text[MPI_MAX_ERROR_STRING] = "nothing";
  int length;
  if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
  sprintf(said, "rank %d was told: %s", me, text);
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int world_rank, first = 0, mine = -1;
  stopped_case what;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  for (int c = 1; c < argc && mine < 0; ++c) {
    read_case(argv[c], &what);
    if (what.num_parts < 5) return MPI_Abort(MPI_COMM_WORLD, 2);
    if (world_rank < first + atoi(what.parts[0])) mine = c;
    first += mine < 0 ? atoi(what.parts[0]) : 0;
  }
  MPI_Comm comm, going_on;
  MPI_Comm_split(MPI_COMM_WORLD, mine, world_rank, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (mine < 0 || ranks != atoi(what.parts[0]) || ranks > kMostRanks) return MPI_Abort(MPI_COMM_WORLD, 2);
  const int stops = me == 0;
  MPI_Comm_split(MPI_COMM_WORLD, stops, world_rank, &going_on);
  MPI_Barrier(MPI_COMM_WORLD);
  char said[MPI_MAX_ERROR_STRING + 100];
  const int is_good = run(&what, comm, stops, said);
  if (stops) return MPI_Abort(MPI_COMM_WORLD, 2);
  printf("%s, %s: %s\n", what.parts[1], what.parts[2], said);
  fflush(stdout);
  /* Before anything ends: what is written last may be lost with the program. */
  MPI_Barrier(going_on);
  sleep(1);
  return MPI_Abort(MPI_COMM_WORLD, is_good ? 3 : 2);
}
