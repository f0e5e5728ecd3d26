/* A program that knows nothing of Quadrille: its collectives are right, whoever does them.
 *
 *     mpirun -n 4 plain            QUADRILLE_STATS says who did
 *     mpirun -n 2 plain 100000     what a call costs that is passed on: allreduce on MPI_COMM_SELF */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int wrong;
static void check(int good, const char* what) {
  if (!good && wrong++ < 5) printf("FAILED: %s\n", what);
}

static void use(MPI_Comm comm) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  enum { kBlock = 50 };
  int* in = malloc(sizeof(int) * kBlock * (size_t)ranks);
  int* out = malloc(sizeof(int) * kBlock * (size_t)ranks);
  for (int i = 0; i < kBlock * ranks; ++i) in[i] = me * 10000 + i;
  MPI_Alltoall(in, kBlock, MPI_INT, out, kBlock, MPI_INT, comm);
  for (int i = 0; i < kBlock * ranks; ++i)
    check(out[i] == i / kBlock * 10000 + me * kBlock + i % kBlock, "alltoall");
  for (int i = 0; i < kBlock * ranks; ++i) in[i] = me * 10000 + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, kBlock, MPI_INT, comm);
  for (int i = 0; i < kBlock * ranks; ++i) check(in[i] == out[i], "alltoall in place");
  for (int i = 0; i < kBlock; ++i) in[i] = me * 100 + i;
  MPI_Allgather(in, kBlock, MPI_INT, out, kBlock, MPI_INT, comm);
  for (int i = 0; i < kBlock * ranks; ++i) check(out[i] == i / kBlock * 100 + i % kBlock, "allgather");
  MPI_Gather(in, kBlock, MPI_INT, me == 0 ? out : NULL, me == 0 ? kBlock : -7,
             me == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, comm);
  MPI_Scatter(me == 0 ? out : NULL, me == 0 ? kBlock : -7, me == 0 ? MPI_INT : MPI_DATATYPE_NULL, in, kBlock,
              MPI_INT, 0, comm);
  for (int i = 0; i < kBlock; ++i) check(in[i] == me * 100 + i, "gather and scatter");
  double sums[kBlock], of[kBlock];
  for (int i = 0; i < kBlock; ++i) of[i] = me + i;
  MPI_Allreduce(of, sums, kBlock, MPI_DOUBLE, MPI_SUM, comm);
  for (int i = 0; i < kBlock; ++i) check(sums[i] == ranks * (ranks - 1) / 2 + ranks * i, "allreduce");
  for (int i = 0; i < kBlock; ++i) sums[i] = 0;
  MPI_Reduce(of, sums, kBlock, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Bcast(sums, kBlock, MPI_DOUBLE, 0, comm);
  for (int i = 0; i < kBlock; ++i) check(sums[i] == ranks * (ranks - 1) / 2 + ranks * i, "reduce and bcast");
  for (int i = 0; i < kBlock * ranks; ++i) in[i] = i;
  MPI_Reduce_scatter_block(in, out, kBlock, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < kBlock; ++i) check(out[i] == ranks * (me * kBlock + i), "reduce_scatter_block");
  /* Block r has r + 1 ints, and lies behind those before it. */
  int *counts = malloc(sizeof(int) * (size_t)ranks), *places = malloc(sizeof(int) * (size_t)ranks);
  for (int r = 0, at = 0; r < ranks; at += counts[r++]) {
    counts[r] = r + 1;
    places[r] = at;
  }
  for (int i = 0; i <= me; ++i) in[i] = 100 * me + i;
  MPI_Allgatherv(in, me + 1, MPI_INT, out, counts, places, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i <= r; ++i) check(out[places[r] + i] == 100 * r + i, "allgatherv");
  for (int i = 0; i < ranks * (ranks + 1) / 2; ++i) in[i] = i;
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i <= me; ++i) check(out[i] == ranks * (places[me] + i), "reduce_scatter");
  for (int r = 0, at = 0; r < ranks; at += counts[r++]) {
    counts[r] = (r + me) % 3;
    places[r] = at;
    for (int i = 0; i < counts[r]; ++i) in[at + i] = 100 * me + r;
  }
  MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < counts[r]; ++i) check(out[places[r] + i] == 100 * r + me, "alltoallv");
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, comm);
  for (int i = 0; i < places[ranks - 1] + counts[ranks - 1]; ++i)
    check(in[i] == out[i], "alltoallv in place");
  free(counts);
  free(places);
  /* Ranks may describe the same ints in their own ways. */
  MPI_Datatype apart;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&apart);
  for (int i = 0; i < kBlock * ranks; ++i) in[i] = i;
  MPI_Bcast(in, me % 2 == 0 ? 10 : 10, me % 2 == 0 ? MPI_INT : apart, 0, comm);
  if (me % 2 == 1)
    for (int i = 0; i < 10; ++i) check(in[2 * i] == i, "bcast into a derived type");
  MPI_Type_free(&apart);
  /* Or where they are by their addresses. */
  const int length = 10;
  MPI_Aint place;
  MPI_Datatype there;
  MPI_Get_address(out, &place);
  MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &there);
  MPI_Type_commit(&there);
  for (int i = 0; i < 10; ++i) out[i] = me == 0 ? 7 * i : -1;
  MPI_Bcast(MPI_BOTTOM, 1, there, 0, comm);
  for (int i = 0; i < 10; ++i) check(out[i] == 7 * i, "bcast from the bottom of memory");
  MPI_Type_free(&there);
  free(in);
  free(out);
}

#ifdef MPI_ROOT
/* Between two groups, of even and of odd ranks: the library does that. */
static void use_between_groups(void) {
  int me, ranks, there, sum = -1, expected = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2) return;
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 7, &between);
  MPI_Comm_remote_size(between, &there);
  for (int r = 1 - me % 2; r < ranks; r += 2) expected += r;
  for (int i = 0; i < 3; ++i) {
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, between);
    check(sum == expected, "allreduce between groups");
  }
  int value = me == 0 ? 77 : 0, is_root = me == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(&value, 1, MPI_INT, me % 2 == 0 ? is_root : 0, between);
  check(me % 2 == 0 || value == 77, "bcast between groups");
  int* out = malloc(sizeof(int) * (size_t)there);
  MPI_Allgather(&me, 1, MPI_INT, out, 1, MPI_INT, between);
  for (int r = 0; r < there; ++r) check(out[r] == 2 * r + 1 - me % 2, "allgather between groups");
  MPI_Barrier(between);
  free(out);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}
#endif

/* What MPI refuses it refuses under the shim, too, and the program goes on. */
static void ask_for_what_is_wrong(MPI_Comm comm) {
  MPI_Comm mine;
  float in[10] = {0}, out[10];
  MPI_Comm_dup(comm, &mine);
  MPI_Comm_set_errhandler(mine, MPI_ERRORS_RETURN);
  check(MPI_Allreduce(in, out, 10, MPI_FLOAT, MPI_BOR, mine) != MPI_SUCCESS, "bits of floats");
  check(MPI_Allreduce(in, out, 10, MPI_FLOAT, MPI_SUM, mine) == MPI_SUCCESS, "sums of floats");
  check(MPI_Allreduce(in, out, 10, MPI_FLOAT, MPI_OP_NULL, mine) != MPI_SUCCESS, "no operator");
  check(MPI_Reduce(in, out, 10, MPI_FLOAT, MPI_OP_NULL, 0, mine) != MPI_SUCCESS, "no operator for the root");
  check(MPI_Reduce_scatter_block(in, out, 1, MPI_FLOAT, MPI_OP_NULL, mine) != MPI_SUCCESS,
        "no operator for blocks");
  int ranks, value = 1, counts[64], places[64];
  MPI_Comm_size(mine, &ranks);
  for (int r = 0; r < ranks; ++r) counts[r] = places[r] = 0;
  for (int root = -7; root <= ranks; root += ranks + 7) {
    check(MPI_Bcast(&value, 1, MPI_INT, root, mine) != MPI_SUCCESS, "a root that is none");
    check(MPI_Gather(in, 1, MPI_FLOAT, out, 1, MPI_FLOAT, root, mine) != MPI_SUCCESS, "gather to no rank");
    check(MPI_Gatherv(in, 0, MPI_FLOAT, out, counts, places, MPI_FLOAT, root, mine) != MPI_SUCCESS,
          "gatherv to no rank");
  }
#ifdef MPI_REPLACE
  check(MPI_Allreduce(in, out, 10, MPI_FLOAT, MPI_REPLACE, mine) != MPI_SUCCESS, "an operator for windows");
#endif
#ifdef OPEN_MPI
  /* Debian's MPICH looks at no counts. Where ranks compare their calls first, what they say differs, and that is told. */
  if (getenv("QUADRILLE_CHECK") == NULL)
    check(MPI_Scatter(in, 2, MPI_FLOAT, out, -2, MPI_FLOAT, 0, mine) != MPI_SUCCESS,
          "fewer than no elements");
#endif
  MPI_Comm_free(&mine);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) {
    const int calls = atoi(argv[1]);
    double in = 1, out = 0;
    struct timespec from, to;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < calls; ++i) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (me == 0)
      printf("%.1f ns a call\n",
             ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / calls);
    MPI_Finalize();
    return 0;
  }
  use(MPI_COMM_WORLD);
  MPI_Comm other;
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    use(other);
    MPI_Comm_free(&other);
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &other);
  use(other);
  MPI_Comm_free(&other);
  /* Half of the ranks, and the others do nothing. */
  MPI_Comm_split(MPI_COMM_WORLD, me % 2 == 0 ? 0 : MPI_UNDEFINED, me, &other);
  if (other != MPI_COMM_NULL) {
    use(other);
    MPI_Comm_free(&other);
  }
  use(MPI_COMM_SELF);
#ifdef MPI_ROOT
  use_between_groups();
#endif
  ask_for_what_is_wrong(MPI_COMM_WORLD);
  int sum = 0;
  MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf(sum == 0 ? "all right\n" : "something is wrong\n");
  MPI_Finalize();
  return 0;
}
