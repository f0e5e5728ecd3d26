/* Is what an unchanged program gets behind what the library can do? Launches of one and the same algorithm differ by a tenth, so
 * whoever is compared takes turns in one launch:
 *
 *     pairs ROUNDS COLLECTIVE:BYTES:USED:NAME[:NAME...] ...
 *
 * USED and NAMEs are algorithms of the MPI library, `library` its own choice. In every round each does a call: USED by MPI_..., where
 * a shim may step in; the NAMEs by PMPI_...; and last the first NAME once more on a communicator of its own, which is the control.
 * Rank 0 prints milliseconds until the last rank was done, nobody always behind the same:
 *
 *     round COLLECTIVE BYTES USED_MS NAME_MS... AGAIN_MS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common_start.h"
#include "shuffled_order.h"

enum { most_takers = 8, most_description = 4096 };
/* Seconds in which a link has its bucket full again. */
static const double pause_before = 0.012;

/* The same call through whoever is in front of the library, or straight to it, by the same code: code of its own, which runs once in a
 * round, would be colder for the one than for the others. */
static const struct {
  int (*alltoall)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
  int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
  int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*broadcast)(void*, int, MPI_Datatype, int, MPI_Comm);
} ways[] = {{PMPI_Alltoall, PMPI_Allgather, PMPI_Allreduce, PMPI_Bcast},
            {MPI_Alltoall, MPI_Allgather, MPI_Allreduce, MPI_Bcast}};

static int call(int is_in_front, int kind, const char* from, char* to, int bytes, MPI_Comm comm) {
  switch (kind) {
    case 0:
      return ways[is_in_front].alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
    case 1:
      return ways[is_in_front].allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
    case 2:
      return ways[is_in_front].allreduce(from, to, bytes / (int)sizeof(float), MPI_FLOAT, MPI_SUM, comm);
    default:
      return ways[is_in_front].broadcast(to, bytes, MPI_BYTE, 0, comm);
  }
}

static const char* const kinds[] = {"alltoall", "allgather", "allreduce", "broadcast"};
enum { num_kinds = 4 };

static void fail(const char* what, const char* of) {
  fprintf(stderr, "pairs: %s '%s'\n", what, of);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

/* --- the library's algorithms by name ---------------------------------------------------------------------- */

typedef struct {
  MPI_T_cvar_handle handle;
  MPI_T_enum values;
  char description[most_description];
} variable;

static variable variable_of(int kind) {
#ifdef OPEN_MPI
  static const char* const names[] = {"coll_tuned_alltoall_algorithm", "coll_tuned_allgather_algorithm",
                                      "coll_tuned_allreduce_algorithm", "coll_tuned_bcast_algorithm"};
#else
  static const char* const names[] = {
      "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM",
      "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "MPIR_CVAR_BCAST_INTRA_ALGORITHM"};
#endif
  variable out = {.description = ""};
  char name[100];
  int index, length = sizeof name, room = most_description, verbosity, bind, scope, count;
  MPI_Datatype type;
  if (MPI_T_cvar_get_index(names[kind], &index) != MPI_SUCCESS ||
      MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &out.values, out.description, &room, &bind,
                          &scope) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, &out.handle, &count) != MPI_SUCCESS)
    fail("the library has no variable", names[kind]);
  return out;
}

static int number_of(const variable* of, const char* name) {
  if (strcmp(name, "library") == 0) return 0;
#ifdef OPEN_MPI
  char text[100];
  int items, length = sizeof text;
  if (MPI_T_enum_get_info(of->values, &items, text, &length) == MPI_SUCCESS) {
    for (int i = 0; i < items; ++i) {
      int value;
      length = sizeof text;
      if (MPI_T_enum_get_item(of->values, i, &value, text, &length) == MPI_SUCCESS && strcmp(text, name) == 0)
        return value;
    }
  }
#else
  /* The description has each name before a dash, in the order of their numbers, and nothing between it and what was said before. */
  const size_t length = strlen(name);
  const char* at = of->description;
  for (int i = 0; (at = strstr(at, " - ")) != NULL; ++i, at += 3) {
    const char* end = at;
    while (end > of->description && end[-1] == ' ') --end;
    if ((size_t)(end - of->description) >= length && strncmp(end - length, name, length) == 0) return i;
  }
#endif
  fail("the library has no algorithm", name);
  return 0;
}

/* Open MPI looks at the variable when a communicator is made, MPICH at each call. */
static MPI_Comm comm_for(const variable* of, int number) {
  MPI_Comm out = MPI_COMM_WORLD;
#ifdef OPEN_MPI
  const int none = 0;
  MPI_T_cvar_write(of->handle, &number);
  PMPI_Comm_dup(MPI_COMM_WORLD, &out);
  MPI_T_cvar_write(of->handle, &none);
#else
  (void)of, (void)number;
  PMPI_Comm_dup(MPI_COMM_WORLD, &out);
#endif
  return out;
}

static void force(const variable* of, int number) {
#ifdef OPEN_MPI
  (void)of, (void)number;
#else
  MPI_T_cvar_write(of->handle, &number);
#endif
}

/* --- one case --------------------------------------------------------------------------------------------- */

typedef struct {
  int kind, bytes, takers, numbers[most_takers];
  char what[100]; /* COLLECTIVE BYTES */
} contest;

static contest read_contest(const char* word, variable* of) {
  contest out = {.kind = -1};
  char copy[512], *save = NULL;
  snprintf(copy, sizeof copy, "%s", word);
  const char* collective = strtok_r(copy, ":", &save);
  const char* bytes = strtok_r(NULL, ":", &save);
  for (int k = 0; k < num_kinds && collective != NULL; ++k)
    if (strcmp(collective, kinds[k]) == 0) out.kind = k;
  out.bytes = bytes == NULL ? 0 : atoi(bytes);
  if (out.kind < 0 || out.bytes < 4 || out.bytes % 4 != 0)
    fail("COLLECTIVE:BYTES:USED:NAME is needed and not", word);
  snprintf(out.what, sizeof out.what, "%s %d", collective, out.bytes);
  *of = variable_of(out.kind);
  for (const char* name; (name = strtok_r(NULL, ":", &save)) != NULL && out.takers + 1 < most_takers;)
    out.numbers[out.takers++] = number_of(of, name);
  if (out.takers < 2) fail("names of algorithms are needed in", word);
  out.numbers[out.takers++] = out.numbers[1];
  return out;
}

/* Rank 0 hears the largest number of all, and tells all one. By messages: a collective would leave its code and its connections warm for
 * the algorithms that are made like it. */
static double hear_all(double mine, int rank, int size) {
  double other;
  if (rank != 0) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  for (int r = 1; r < size && rank == 0; ++r) {
    MPI_Recv(&other, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mine = other > mine ? other : mine;
  }
  return mine;
}
static double tell_all(double told, int rank, int size) {
  if (rank != 0) MPI_Recv(&told, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int r = 1; r < size && rank == 0; ++r) MPI_Send(&told, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
  return told;
}

/* Milliseconds until the last rank is done, on rank 0. */
static double take(const contest* of, const variable* by, int taker, int rank, int size, const char* from,
                   char* to, MPI_Comm comm) {
  hear_all(0, rank, size);
  const double begun = tell_all(common_now() + pause_before, rank, size);
  sleep_until(begun);
  force(by, of->numbers[taker]);
  call(taker == 0, of->kind, from, to, of->bytes, comm);
  const double took = 1e3 * (common_now() - begun);
  force(by, 0);
  return hear_all(took, rank, size);
}

static void hold(const contest* of, const variable* by, int rank, int size, int rounds) {
  char* from = calloc((size_t)size, (size_t)of->bytes);
  char* to = calloc((size_t)size, (size_t)of->bytes);
  if (from == NULL || to == NULL) fail("no memory for", of->what);
  MPI_Comm comms[most_takers];
  for (int t = 0; t < of->takers; ++t) comms[t] = comm_for(by, of->numbers[t]);
  /* The first two open connections and make what is kept. */
  for (int round = -2; round < rounds; ++round) {
    double ms[most_takers];
    int order[most_takers];
    qd_shuffle(order, of->takers, (unsigned)(round + 2));
    for (int i = 0; i < of->takers; ++i) {
      const int taker = order[i];
      ms[taker] = take(of, by, taker, rank, size, from, to, comms[taker]);
    }
    if (rank != 0 || round < 0) continue;
    printf("round %s", of->what);
    for (int t = 0; t < of->takers; ++t) printf(" %.6f", ms[t]);
    puts("");
  }
  fflush(stdout);
  for (int t = 0; t < of->takers; ++t) MPI_Comm_free(&comms[t]);
  free(from);
  free(to);
}

int main(int argc, char** argv) {
  int rank, size, provided;
#ifdef OPEN_MPI
  setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  const int rounds = argc > 2 ? atoi(argv[1]) : 0;
  if (rounds < 1)
    fail("usage: pairs ROUNDS COLLECTIVE:BYTES:USED:NAME[:NAME...] ..., not", argc > 1 ? argv[1] : "");
  for (int a = 2; a < argc; ++a) {
    variable by;
    const contest of = read_contest(argv[a], &by);
    hold(&of, &by, rank, size, rounds);
    MPI_T_cvar_handle_free(&by.handle);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
