/* A program that knows nothing of Quadrille, under a set that leaves short messages to the MPI library: communicators and types come and
 * go, and their handles come again as others'; short messages and long ones take turns. What is served must not depend on that. */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 24, MOST_RANKS = 8, MOST = 20000 };
static int from[MOST_RANKS * MOST], to[MOST_RANKS * MOST], wrong;

static void exchange(MPI_Comm comm, int count, int turn) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < count; ++i) from[r * count + i] = 1000 * me + 100 * r + i + turn;
  MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    wrong += to[r * count + count - 1] != 1000 * r + 100 * me + count - 1 + turn;
}

static void combine(MPI_Comm comm, int count, int turn) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < count; ++i) from[i] = me + i + turn;
  MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, comm);
  wrong += to[count - 1] != ranks * (ranks - 1) / 2 + ranks * (count - 1 + turn);
}

/* A type of so many integers, whose handle comes again. */
static void send_to_all(MPI_Comm comm, int count, int turn) {
  int me;
  MPI_Datatype type;
  MPI_Comm_rank(comm, &me);
  MPI_Type_contiguous(count, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < count; ++i) to[i] = me == 0 ? i + turn : -1;
  MPI_Bcast(to, 1, type, 0, comm);
  wrong += to[0] != turn || to[count - 1] != count - 1 + turn;
  MPI_Type_free(&type);
}

/* Roots and others say different things of a message. */
static void collect(MPI_Comm comm, int count, int turn) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < count; ++i) from[i] = 10 * me + turn;
  MPI_Gather(from, count, MPI_INT, to, me == 0 ? count : -1, me == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, comm);
  for (int r = 0; r < ranks && me == 0; ++r) wrong += to[r * count] != 10 * r + turn;
  MPI_Scatter(to, me == 0 ? count : -1, me == 0 ? MPI_INT : MPI_DATATYPE_NULL, from, count, MPI_INT, 0, comm);
  wrong += from[count - 1] != 10 * me + turn;
}

int main(int argc, char** argv) {
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int turn = 0; turn < TURNS; ++turn) {
    MPI_Comm comm = MPI_COMM_WORLD;
    if (turn % 4 == 2) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (turn % 4 == 3) MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comm);
    for (int i = 0; i < 8; ++i) {
      const int count = i % 4 == 3 ? MOST : i + 1;
      exchange(comm, count, turn);
      combine(comm, count, turn);
      send_to_all(comm, count, turn);
      collect(comm, count, turn);
    }
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  }
  int all = 0;
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) puts(all == 0 ? "all right" : "wrong");
  MPI_Finalize();
  return all != 0;
}
