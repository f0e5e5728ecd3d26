/* The file by which MPICH chooses its algorithms, read by MPICH. Who did a call is seen by an operator of the test's own, which counts
 * how MPICH calls it: pairwise exchange adds up one block of each other rank, recursive halving a half, a quarter and so on.
 *
 *     mpich_selection write FILE      from times that are made up, for four ranks: pairwise up to 1,000 bytes a block
 *     MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE mpiexec -n 4 mpich_selection run      says what was done */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/quadrille_mpi/program.h"
#include "../../src/quadrille_mpi/tune.h"

static const uint64_t sizes[3] = {100, 1000, 10000};

static void add(qd_measured* of, int kind, const char* name, double small, double large) {
  qd_candidate* one = &of->of[of->num++];
  *one = (qd_candidate){.kind = kind};
  snprintf(one->name, sizeof one->name, "%s", name);
  for (int s = 0; s < 3; ++s) one->ratio[s] = one->upper[s] = one->seconds[s] = s < 2 ? small : large;
}

static int write_file(const char* path) {
  Dl_info library;
  qd_mpich mpich;
  if (!dladdr(dlsym(RTLD_DEFAULT, "PMPI_Bcast"), &library) || !qd_read_mpich(library.dli_fname, &mpich)) {
    printf("no rules in %s\n", library.dli_fname);
    return 77;
  }
  static const struct {
    int collective;
    const char* name;
  } best[] = {{QD_REDUCE_SCATTER, "pairwise"},
              {QD_ALLTOALL, "pairwise"},
              {QD_ALLREDUCE, "reduce_scatter_allgather"},
              {QD_REDUCE, "reduce_scatter_gather"},
              {QD_BROADCAST, "scatter_ring_allgather"},
              {QD_ALLGATHER, "ring"},
              {QD_GATHER, "nb"},
              {QD_SCATTER, "nb"}};
  enum { count = sizeof best / sizeof *best };
  qd_measured* all = calloc(count, sizeof *all);
  if (all == NULL) return 2;
  for (int i = 0; i < count; ++i) {
    all[i].collective = (uint32_t)best[i].collective;
    add(&all[i], QD_OWN, "library", 1, 1);
    add(&all[i], QD_OWN_FORCED, best[i].name, 0.5, 2);
    /* What this MPICH does not know must not be in its file: it would stop. */
    add(&all[i], QD_OWN_FORCED, "of_another_version", 2, 0.5);
  }
  const qd_tuning what = {.folder = "", .sizes = sizes, .num_sizes = 3};
  const qd_findings found = {
      .topology = "ring(4)", .mpi = "", .machine = "", .ranks = 4, .all = all, .num = count};
  char* text = qd_mpich_selection(&found, &what, &mpich);
  FILE* file = fopen(path, "w");
  if (text == NULL || file == NULL || fputs(text, file) < 0 || fclose(file) != 0) return 2;
  const int is_right = strstr(text, "of_another_version") == NULL && strlen(text) % 4096 != 0;
  free(text);
  free(all);
  qd_free_mpich(&mpich);
  printf(is_right ? "written\n" : "something is wrong\n");
  return 0;
}

static int most;
static void count(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  if (*n > most) most = *n;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void look(const char* what, MPI_Comm comm, int n) {
  int ranks, me;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &me);
  MPI_Op op;
  MPI_Op_create(count, 1, &op);
  int* from = malloc(sizeof(int) * (size_t)(n * ranks));
  int* to = malloc(sizeof(int) * (size_t)n);
  for (int i = 0; i < n * ranks; ++i) from[i] = me + i;
  most = 0;
  MPI_Reduce_scatter_block(from, to, n, MPI_INT, op, comm);
  /* Where ranks are no power of two, the first has little to do. */
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
  int good = 1;
  for (int i = 0; i < n; ++i) good &= to[i] == ranks * (me * n + i) + ranks * (ranks - 1) / 2;
  if (me == 0)
    printf("%s of %d bytes: %s%s\n", what, 4 * n, most > n ? "recursive halving" : "pairwise",
           good ? "" : ", and the result is wrong");
  MPI_Op_free(&op);
  free(from);
  free(to);
}

/* Every collective once, so that every part of the file is gone through. */
static void use(int n) {
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t bytes = sizeof(int) * (size_t)(n * ranks);
  int *from = calloc(1, bytes), *to = calloc(1, bytes);
  int wrong = 0;
  for (int i = 0; i < n * ranks; ++i) from[i] = 1000 * me + i;
  MPI_Alltoall(from, n, MPI_INT, to, n, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n * ranks; ++i) wrong += to[i] != i / n * 1000 + me * n + i % n;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, from, n, MPI_INT, MPI_COMM_WORLD);
  wrong += memcmp(from, to, bytes) != 0;
  MPI_Allgather(from, n, MPI_INT, to, n, MPI_INT, MPI_COMM_WORLD);
  MPI_Bcast(to, n, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) from[i] = me;
  MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) wrong += to[i] != ranks * (ranks - 1) / 2;
  MPI_Reduce(from, to, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatter(to, n, MPI_INT, from, n, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) wrong += from[i] != me;
  if (wrong > 0) printf("something is wrong\n");
  free(from);
  free(to);
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "write") == 0) return write_file(argv[2]);
  MPI_Init(&argc, &argv);
  for (int n = 1; n <= 10000; n *= 100) use(n);
  look("four ranks", MPI_COMM_WORLD, 250);
  look("four ranks", MPI_COMM_WORLD, 5000);
  /* Of another size, for which nothing was measured. */
  MPI_Comm three;
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_split(MPI_COMM_WORLD, me < 3 ? 0 : MPI_UNDEFINED, me, &three);
  if (three != MPI_COMM_NULL) {
    look("three ranks", three, 250);
    MPI_Comm_free(&three);
  }
  MPI_Finalize();
  return 0;
}
