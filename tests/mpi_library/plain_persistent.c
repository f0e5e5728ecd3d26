/* A program that knows nothing of Quadrille, with MPI 4's persistent collectives (Open MPI 4.1 calls them MPIX_): they are the MPI
 * library's, and calls that are served come between their start and their end, the communicator's first ones, too. */
#include <mpi.h>
#include <stdio.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
enum { KINDS = 9 };
#else
/* Allgather, gather and scatter of MPICH 4.0.2 give what they gave the first time, or end the program, whoever calls them. */
enum { KINDS = 6 };
#define INIT(name) MPI_##name##_init
#endif

enum { MOST_RANKS = 8, COUNT = 3000, ROUNDS = 3, MOST_KINDS = 9, MOST = MOST_RANKS * COUNT };
static int from[MOST_KINDS][MOST], to[MOST_KINDS][MOST], me, ranks, wrong;

static void expect(int is_right) { wrong += !is_right; }

static int sum_of(int value) { return ranks * (ranks - 1) / 2 + ranks * value; }

/* Served, in the middle of what is not. */
static void combine(MPI_Comm comm, int value) {
  int mine[COUNT], sum[COUNT];
  for (int i = 0; i < COUNT; ++i) mine[i] = me + value + i;
  MPI_Allreduce(mine, sum, COUNT, MPI_INT, MPI_SUM, comm);
  expect(sum[0] == sum_of(value) && sum[COUNT - 1] == sum_of(value + COUNT - 1));
}

static void fill(int value) {
  for (int k = 0; k < KINDS; ++k) {
    for (int i = 0; i < MOST; ++i) {
      from[k][i] = 1000 * me + i / COUNT + value;
      to[k][i] = -1;
    }
  }
  for (int i = 0; i < COUNT; ++i) to[2][i] = me == 0 ? value : -1;
}

static void look(int value) {
  const int last = COUNT - 1, sum = 1000 * (ranks * (ranks - 1) / 2) + ranks * value;
  for (int r = 0; r < ranks; ++r) expect(to[0][r * COUNT + last] == 1000 * r + me + value);
  expect(to[1][last] == sum);
  expect(to[2][last] == value);
  expect(me != 0 || to[3][last] == sum);
  expect(to[4][last] == sum + ranks * me);
  for (int r = 0; r < ranks && KINDS > 6; ++r) {
    expect(to[6][r * COUNT] == 1000 * r + value);
    expect(me != 0 || to[7][r * COUNT + last] == 1000 * r + value);
  }
  expect(KINDS == 6 || to[8][last] == me + value);
}

static void run(MPI_Comm comm, int is_first) {
  MPI_Request requests[KINDS];
  const MPI_Info none = MPI_INFO_NULL;
  INIT(Alltoall)(from[0], COUNT, MPI_INT, to[0], COUNT, MPI_INT, comm, none, &requests[0]);
  INIT(Allreduce)(from[1], to[1], COUNT, MPI_INT, MPI_SUM, comm, none, &requests[1]);
  INIT(Bcast)(to[2], COUNT, MPI_INT, 0, comm, none, &requests[2]);
  INIT(Reduce)(from[3], to[3], COUNT, MPI_INT, MPI_SUM, 0, comm, none, &requests[3]);
  INIT(Reduce_scatter_block)(from[4], to[4], COUNT, MPI_INT, MPI_SUM, comm, none, &requests[4]);
  INIT(Barrier)(comm, none, &requests[5]);
#if defined(OPEN_MPI)
  INIT(Allgather)(from[6], COUNT, MPI_INT, to[6], COUNT, MPI_INT, comm, none, &requests[6]);
  INIT(Gather)(from[7], COUNT, MPI_INT, to[7], COUNT, MPI_INT, 0, comm, none, &requests[7]);
  INIT(Scatter)(from[8], COUNT, MPI_INT, to[8], COUNT, MPI_INT, 0, comm, none, &requests[8]);
#endif
  if (!is_first) combine(comm, 7);
  for (int round = 0; round < ROUNDS; ++round) {
    fill(round);
    MPI_Startall(KINDS, requests);
    combine(comm, round);
    MPI_Waitall(KINDS, requests, MPI_STATUSES_IGNORE);
    look(round);
    combine(comm, round + 1);
  }
  for (int k = 0; k < KINDS; ++k) MPI_Request_free(&requests[k]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
  run(MPI_COMM_WORLD, 0);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm again;
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    run(again, 1); /* its context is made between a start and its end */
    MPI_Comm_free(&again);
  }
  int all = 0;
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) puts(all == 0 ? "all right" : "wrong");
  MPI_Finalize();
  return all != 0;
}
