/* QUADRILLE_TUNE=online: while candidates take turns every call is right, and all ranks come to one decision and keep it.
 *
 *     QUADRILLE_TUNE=online mpirun -n 4 online FOLDER_OF_A_SET */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

static int me, ranks, failures;

static void expect(int good, const char* what, const char* said) {
  if (good) return;
  ++failures;
  printf("rank %d: %s: %s\n", me, what, said);
}

enum { ALLTOALL, ALLREDUCE, BROADCAST, CALLS };
static const char* const names[CALLS] = {"alltoall", "allreduce", "bcast"};

static int value(int from, int to, int i) { return (from * 31 + to * 7 + i) % 1000; }

static int is_right(int call, const int* to, int n) {
  for (int b = 0; b < (call == ALLTOALL ? ranks : 1); ++b) {
    for (int i = 0; i < n; ++i) {
      int expected = call == ALLTOALL ? value(b, me, i) : call == BROADCAST ? value(0, 0, i) : 0;
      for (int r = 0; r < ranks && call == ALLREDUCE; ++r) expected += value(r, 0, i);
      if (to[b * n + i] != expected) return 0;
    }
  }
  return 1;
}

static void fill(int call, int* from, int* to, int n) {
  for (int b = 0; b < ranks; ++b)
    for (int i = 0; i < n; ++i) from[b * n + i] = value(me, call == ALLTOALL ? b : 0, i);
  memset(to, 0, (size_t)ranks * (size_t)n * sizeof *to);
  if (call == BROADCAST && me == 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static void once(quadrille_context* context, int call, int* from, int* to, int n) {
  fill(call, from, to, n);
  if (call == ALLTOALL) {
    quadrille_alltoall(from, n, MPI_INT, to, n, MPI_INT, context);
  } else if (call == ALLREDUCE) {
    quadrille_allreduce(from, to, n, MPI_INT, MPI_SUM, context);
  } else {
    quadrille_bcast(to, n, MPI_INT, 0, context);
  }
}

/* Returns how many calls it took until it was decided who does them. */
static int until_decided(quadrille_context* context, int call, int n, char* said, size_t size) {
  const size_t bytes = (size_t)n * sizeof(int);
  int* from = malloc((size_t)ranks * bytes);
  int* to = malloc((size_t)ranks * bytes);
  int calls = 0;
  do {
    once(context, call, from, to, n);
    ++calls;
    expect(is_right(call, to, n), names[call], "wrong bytes");
    quadrille_context_explain(context, names[call], (MPI_Count)bytes, 0, said, size);
    /* What is not waited for at once takes no part. */
    if (call == ALLTOALL && calls == 3) {
      quadrille_request request;
      fill(call, from, to, n);
      quadrille_ialltoall(from, n, MPI_INT, to, n, MPI_INT, context, &request);
      quadrille_wait(&request);
      expect(is_right(call, to, n), names[call], "wrong bytes of a nonblocking one");
    }
  } while (calls < 1000 && strncmp(said, "being tried", 11) == 0);
  /* From now on as it was decided. */
  char still[300];
  for (int i = 0; i < 3; ++i) once(context, call, from, to, n);
  expect(is_right(call, to, n), names[call], "wrong bytes in the end");
  quadrille_context_explain(context, names[call], (MPI_Count)bytes, 0, still, sizeof still);
  expect(strcmp(said, still) == 0, "changed its mind", still);
  free(from);
  free(to);
  return calls;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc != 2) return MPI_Abort(MPI_COMM_WORLD, 2);
  quadrille_context* context;
  quadrille_context_create(MPI_COMM_WORLD, NULL, argv[1], NULL, &context);
  const int sizes[] = {1, 300, 20000};
  int tried = 0;
  for (int call = 0; call < CALLS; ++call) {
    for (int s = 0; s < 3; ++s) {
      char said[300], first[300];
      const int calls = until_decided(context, call, sizes[s], said, sizeof said);
      memcpy(first, said, sizeof first);
      MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
      expect(strcmp(first, said) == 0, "another decision than rank 0's", said);
      /* Two candidates at least, in a round that does not count and two that do. */
      const int is_tried = strstr(said, "tried") != NULL;
      expect(is_tried ? calls >= 6 : calls == 1, "calls until it was decided", said);
      tried += is_tried;
      if (me == 0) printf("%s of %d: %d calls: %s\n", names[call], sizes[s], calls, said);
    }
  }
  expect(tried >= 3, "little was tried", "");
  quadrille_statistics counted;
  quadrille_context_statistics(context, &counted);
  expect(counted.served > 0 && counted.passed > 0, "who did calls", "one of the two");
  quadrille_context_free(&context);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (me == 0) printf(failures == 0 ? "all right\n" : "something is wrong\n");
  return failures != 0;
}
