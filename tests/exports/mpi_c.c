/* The C files that `quadrille export --to mpi-c` writes, against MPI's own functions: byte by byte, for several counts, for
   a type with gaps, in place, from another root than the plan's, and for an operator that does not commute. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int quadrille_alltoall(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
int quadrille_allgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
int quadrille_bcast(void*, int, MPI_Datatype, int, MPI_Comm);
int quadrille_scatter(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm);
int quadrille_gather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm);
int quadrille_allreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
int quadrille_reduce(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int quadrille_reduce_scatter_block(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);

/* Room for as many elements from each rank, in the widest of the types. */
enum { MOST = 1000, WIDTH = 3 };

static int rank, size, wrong;
static int *given, *ours, *theirs;

static size_t words(void) { return (size_t)size * MOST * WIDTH; }

static void fill(int seed) {
  for (size_t i = 0; i < words(); ++i) {
    given[i] = (int)((i * 2654435761U + (unsigned)(rank * 40503 + seed)) >> 7 & 0x3fffff) | 0x10001;
    ours[i] = theirs[i] = -1;
  }
}

/* The same beginning, for what is done in place. */
static void fill_in_place(int seed) {
  fill(seed);
  memcpy(ours, given, words() * sizeof(int));
  memcpy(theirs, given, words() * sizeof(int));
}

static void check(const char* what, int count) {
  if (memcmp(ours, theirs, words() * sizeof(int)) == 0) return;
  printf("rank %d: %s of %d differs from MPI's\n", rank, what, count);
  ++wrong;
}

/* Maps x -> a x + b, one behind the other; a lies in the upper half of a word, b in the lower. */
static void maps(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) {
    const unsigned f = ((unsigned*)in)[i];
    const unsigned g = ((unsigned*)inout)[i];
    ((unsigned*)inout)[i] = ((f >> 16) * (g >> 16)) << 16 | (((f >> 16) * (g & 0xffffU) + (f & 0xffffU)) & 0xffffU);
  }
}

static void blocks(int n, MPI_Datatype type, MPI_Comm comm) {
  fill(n);
  quadrille_alltoall(given, n, type, ours, n, type, comm);
  MPI_Alltoall(given, n, type, theirs, n, type, comm);
  check("alltoall", n);
  fill_in_place(n);
  quadrille_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours, n, type, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, n, type, comm);
  check("alltoall in place", n);
  fill(n);
  quadrille_allgather(given, n, type, ours, n, type, comm);
  MPI_Allgather(given, n, type, theirs, n, type, comm);
  check("allgather", n);
  fill_in_place(n);
  quadrille_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours, n, type, comm);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, n, type, comm);
  check("allgather in place", n);
  for (int root = 0; root < size && root < 2; ++root) {
    fill_in_place(n);
    quadrille_bcast(ours, n, type, root, comm);
    MPI_Bcast(theirs, n, type, root, comm);
    check("bcast", n);
    fill(n);
    quadrille_scatter(given, n, type, ours, n, type, root, comm);
    MPI_Scatter(given, n, type, theirs, n, type, root, comm);
    check("scatter", n);
    fill(n);
    quadrille_scatter(given, n, type, rank == root ? MPI_IN_PLACE : ours, n, type, root, comm);
    MPI_Scatter(given, n, type, rank == root ? MPI_IN_PLACE : theirs, n, type, root, comm);
    check("scatter in place", n);
    fill(n);
    quadrille_gather(given, n, type, ours, n, type, root, comm);
    MPI_Gather(given, n, type, theirs, n, type, root, comm);
    check("gather", n);
    fill_in_place(n);
    quadrille_gather(rank == root ? MPI_IN_PLACE : given, n, type, ours, n, type, root, comm);
    MPI_Gather(rank == root ? MPI_IN_PLACE : given, n, type, theirs, n, type, root, comm);
    check("gather in place", n);
  }
}

static void sums(int n, MPI_Op op, MPI_Comm comm) {
  fill(n);
  quadrille_allreduce(given, ours, n, MPI_INT, op, comm);
  MPI_Allreduce(given, theirs, n, MPI_INT, op, comm);
  check("allreduce", n);
  fill_in_place(n);
  quadrille_allreduce(MPI_IN_PLACE, ours, n, MPI_INT, op, comm);
  MPI_Allreduce(MPI_IN_PLACE, theirs, n, MPI_INT, op, comm);
  check("allreduce in place", n);
  fill(n);
  quadrille_reduce_scatter_block(given, ours, n, MPI_INT, op, comm);
  MPI_Reduce_scatter_block(given, theirs, n, MPI_INT, op, comm);
  check("reduce_scatter_block", n);
  for (int root = 0; root < size && root < 2; ++root) {
    fill(n);
    quadrille_reduce(given, ours, n, MPI_INT, op, root, comm);
    MPI_Reduce(given, theirs, n, MPI_INT, op, root, comm);
    check("reduce", n);
    if (op != MPI_SUM || root != 0) continue; /* MPICH 4.0's own MPI_Reduce reads what is behind MPI_IN_PLACE */
    fill_in_place(n);
    quadrille_reduce(rank == root ? MPI_IN_PLACE : given, ours, n, MPI_INT, op, root, comm);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : given, theirs, n, MPI_INT, op, root, comm);
    check("reduce in place", n);
  }
}

static void all(MPI_Comm comm) {
  static const int counts[] = {0, 1, 7, MOST};
  MPI_Datatype gaps; /* two ints of every three */
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, WIDTH * (MPI_Aint)sizeof(int), &gaps);
  MPI_Type_commit(&gaps);
  MPI_Op_create(maps, 0, &op);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  given = malloc(words() * sizeof(int));
  ours = malloc(words() * sizeof(int));
  theirs = malloc(words() * sizeof(int));
  for (int i = 0; i < 4; ++i) {
    blocks(counts[i], MPI_INT, comm);
    blocks(counts[i], gaps, comm);
    sums(counts[i], MPI_SUM, comm);
    sums(counts[i], op, comm);
  }
  free(given);
  free(ours);
  free(theirs);
  MPI_Op_free(&op);
  MPI_Type_free(&gaps);
  MPI_Type_free(&pair);
}

int main(int argc, char** argv) {
  MPI_Comm fewer;
  int sum = 0;
  int first;
  MPI_Init(&argc, &argv);
  all(MPI_COMM_WORLD);
  /* Fewer ranks than the plan's, and a communicator that goes before the end. */
  MPI_Comm_rank(MPI_COMM_WORLD, &first);
  MPI_Comm_split(MPI_COMM_WORLD, first == 0, first, &fewer);
  all(fewer);
  MPI_Comm_free(&fewer);
  MPI_Comm_dup(MPI_COMM_WORLD, &fewer);
  all(fewer);
  MPI_Comm_free(&fewer);
  MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (first == 0 && sum == 0) puts("all right");
  MPI_Finalize();
  return sum == 0 ? 0 : 1;
}
