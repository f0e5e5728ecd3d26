/* A rank that stops in the library's own calls: each way to wait for them says who it is, and is over.
 *
 *     QUADRILLE_TIMEOUT=1 mpirun -n 4 stopped_in_context CASE RANK FOLDER_OF_A_SET [CALLS BEFORE]
 *
 * Case: create, or HOW:CALL with HOW now, test, wait, waitall or persistent and CALL allreduce, alltoall, alltoallv, barrier
 * or library (a short message, which the set leaves to the MPI library). Every rank but the one that stops says what came of it; the program then
 * ends, since MPI_Finalize would wait for that rank. */
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

/* Before anything ends: what is written last may be lost with the program. */
static int say(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(code, text, &length);
  printf("rank %d was told: %s\n", me, text);
  fflush(stdout);
  sleep(2);
  return MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (argc < 4 || argc > 5 || ranks > kMostRanks) return MPI_Abort(MPI_COMM_WORLD, 2);
  const int before = argc == 5 ? atoi(argv[4]) : 20;
  const int stops = me == atoi(argv[2]);
  char how[20] = "", call[20] = "";
  sscanf(argv[1], "%19[a-z]:%19[a-z]", how, call);
  quadrille_context* context = NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "create") == 0 && stops) raise(SIGSTOP);
  int code = quadrille_context_create(MPI_COMM_WORLD, NULL, argv[3], NULL, &context);
  if (code != MPI_SUCCESS) return say(code);
  quadrille_request request = QUADRILLE_REQUEST_NULL;
  for (int r = 0; r < ranks; ++r) counts[r] = kCount;
  for (int i = 0; i < 1000; ++i) {
    for (int r = 0; r < ranks; ++r)
      for (int k = 0; k < kCount; ++k) from[r * kCount + k] = me + 100 * r + i;
    spoil();
    if (i == before && stops) raise(SIGSTOP);
    code = start(call, how, context, &request);
    if (code == MPI_SUCCESS) code = finish(how, &request);
    if (code != MPI_SUCCESS) return say(code);
    if (is_right(call, i)) continue;
    printf("call %d gave rank %d wrong values\n", i, me);
    fflush(stdout);
    return MPI_Abort(MPI_COMM_WORLD, 2);
  }
  printf("not stopped\n");
  MPI_Finalize();
  return 0;
}
