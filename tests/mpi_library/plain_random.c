/* A program that knows nothing of Quadrille makes calls by chance, the same on all ranks, and compares what MPI_.. gives with what the MPI
 * library itself gives (PMPI_..): communicators, types, counts, places, roots, operators, buffers of each rank's own kind.
 *
 *     mpirun -n 4 plain_random 500 7       so many calls, from this seed */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_ELEMENTS = 300 };
enum {
  ALLTOALL,
  ALLGATHER,
  GATHER,
  SCATTER,
  BCAST,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER_BLOCK,
  ALLGATHERV,
  REDUCE_SCATTER,
  ALLTOALLV,
  KINDS
};
static const char* const names[KINDS] = {"alltoall",   "allgather",      "gather",    "scatter",
                                         "bcast",      "reduce",         "allreduce", "reduce_scatter_block",
                                         "allgatherv", "reduce_scatter", "alltoallv"};

static uint64_t state;
static uint32_t draw(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 20) % below;
}
/* Each rank's own chance, which changes nothing of what the call is. */
static uint64_t own;
static uint32_t draw_own(uint32_t below) {
  own = own * UINT64_C(6364136223846793005) + 1442695040888963407U;
  return (uint32_t)(own >> 33) % below;
}

/* An int as the library sees it: plain, with a gap behind it, with a gap before it, each before the last one, by its address, or seen
 * from where other data are. All ranks may say it in their own way. */
enum { PLAIN, GAP_BEHIND, GAP_BEFORE, BACKWARDS, BY_ADDRESS, FROM_ELSEWHERE, TYPES };
#ifdef OPEN_MPI
static const uint32_t types_that_go = TYPES;
#else
/* MPICH takes two ends that begin in one place for one buffer, whatever their types say. */
static const uint32_t types_that_go = FROM_ELSEWHERE;
#endif
static int* buffers[3]; /* what goes in, and what comes out of either */
static size_t room;
static MPI_Datatype types[TYPES][3];

/* An int so far from where a buffer is said to begin, and the next one a gap behind it. */
static MPI_Datatype placed(MPI_Aint place) {
  const int length = 1;
  MPI_Datatype moved, out;
  MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &moved);
  MPI_Type_create_resized(moved, 0, 2 * sizeof(int), &out);
  MPI_Type_free(&moved);
  return out;
}

static int* beginning(int type, int buffer) {
  if (type == BACKWARDS) return buffers[buffer] + room - 1;
  if (type == BY_ADDRESS) return MPI_BOTTOM;
  return buffers[type == FROM_ELSEWHERE ? 0 : buffer];
}

static void make_types(void) {
  for (int b = 0; b < 3; ++b) {
    MPI_Aint here, first;
    MPI_Get_address(buffers[0], &first);
    MPI_Get_address(buffers[b], &here);
    MPI_Datatype* of[TYPES];
    for (int t = 0; t < TYPES; ++t) of[t] = &types[t][b];
    *of[PLAIN] = MPI_INT;
    *of[GAP_BEHIND] = placed(0);
    const int length = 1;
    const MPI_Aint place = 2 * sizeof(int);
    MPI_Datatype moved;
    MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &moved);
    MPI_Type_create_resized(moved, 0, 3 * sizeof(int), of[GAP_BEFORE]);
    MPI_Type_free(&moved);
    MPI_Type_create_resized(MPI_INT, 0, -2 * (MPI_Aint)sizeof(int), of[BACKWARDS]);
    *of[BY_ADDRESS] = placed(here);
    *of[FROM_ELSEWHERE] = placed(here - first);
    for (int t = 1; t < TYPES; ++t) MPI_Type_commit(of[t]);
  }
}

/* Maps x -> a*x + b of pairs of ints, put one behind the other: it matters who comes first. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const unsigned* one = in;
  unsigned* two = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    const unsigned a = one[2 * i] * two[2 * i], b = two[2 * i] * one[2 * i + 1] + two[2 * i + 1];
    two[2 * i] = a;
    two[2 * i + 1] = b;
  }
}
static void least(void* in, void* inout, int* count, MPI_Datatype* type) {
  const int* one = in;
  int* two = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) two[i] = one[i] < two[i] ? one[i] : two[i];
}

static int all_to_all_v(int ours, const void* in, const int* counts, const int* places, MPI_Datatype from,
                        void* out, const int* there, const int* there_places, MPI_Datatype to,
                        MPI_Comm comm) {
  return (ours ? MPI_Alltoallv : PMPI_Alltoallv)(in, counts, places, from, out, there, there_places, to,
                                                 comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? atoi(argv[1]) : 200;
  const int seed = argc > 2 ? atoi(argv[2]) : 1;
  state = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) + 88172645463325252U;
  int me, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MOST_RANKS) return 2;
  own = (uint64_t)(me + 1) * 977 + (uint64_t)seed;
  room = 3 * (MOST_ELEMENTS * MOST_RANKS + MOST_ELEMENTS + 3);
  for (int b = 0; b < 3; ++b) buffers[b] = malloc(room * sizeof(int));
  make_types();
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Op ordered, smallest;
  MPI_Op_create(compose, 0, &ordered);
  MPI_Op_create(least, 1, &smallest);
  enum { COMMS = 5 };
  MPI_Comm comms[COMMS] = {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[3]);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[4]);
  int wrong = 0;
  for (int call = 0; call < calls; ++call) {
    const int at = (int)draw(COMMS);
    if (draw(20) == 0) {
      MPI_Comm_free(&comms[2]);
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
    }
    const MPI_Comm comm = comms[at];
    int here, size;
    PMPI_Comm_rank(comm, &here);
    PMPI_Comm_size(comm, &size);
    const int kind = (int)draw(KINDS);
    const int count = draw(6) == 0 ? 0 : draw(2) == 0 ? 1 + (int)draw(8) : 1 + (int)draw(MOST_ELEMENTS);
    const int root = (int)draw((uint32_t)size);
    const uint32_t which = draw(5);
    const int is_pair = which == 4;
    const MPI_Op op = which == 0   ? MPI_SUM
                      : which == 1 ? MPI_MAX
                      : which == 2 ? MPI_BXOR
                      : which == 3 ? smallest
                                   : ordered;
    const int in_place = draw(3) == 0;
    const int combines =
        kind == REDUCE || kind == ALLREDUCE || kind == REDUCE_SCATTER_BLOCK || kind == REDUCE_SCATTER;
    /* Operators are for plain ints, or pairs; else each rank says in its own way what goes and what comes. */
    int t_in = combines ? 0 : (int)draw_own(FROM_ELSEWHERE);
    int t_out = combines ? 0 : (int)draw_own(types_that_go);
#ifdef OPEN_MPI
    /* Its own gather and scatter end with an internal error there. */
    if ((kind == GATHER || kind == SCATTER) && t_in == BACKWARDS) t_in = PLAIN;
    if ((kind == GATHER || kind == SCATTER) && t_out == BACKWARDS) t_out = PLAIN;
#endif
    const MPI_Datatype in_type = combines && is_pair ? pair : types[t_in][0];
    const int width = combines && is_pair ? 2 : 1;
    for (size_t i = 0; i < room; ++i) {
      buffers[0][i] = (int)draw_own(1000) + 1000 * me;
      buffers[1][i] = buffers[2][i] = (int)draw_own(1000);
    }
    int counts[MOST_RANKS], places[MOST_RANKS], rows[MOST_RANKS], row_places[MOST_RANKS];
    int table[MOST_RANKS][MOST_RANKS];
    for (int r = 0, next = 0; r < size; ++r) {
      counts[r] = count == 0 ? 0 : (int)draw((uint32_t)count + 1);
      places[r] = next + (kind == ALLGATHERV ? (int)draw(2) : 0);
      next = places[r] + counts[r];
    }
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) table[r][c] = count == 0 ? 0 : (int)draw((uint32_t)count + 1);
    int codes[2];
    for (int ours = 0; ours < 2; ++ours) {
      /* The library first: what is in place is overwritten. */
      int* in = beginning(t_in, 0);
      int* out = beginning(t_out, 1 + ours);
      const MPI_Datatype out_type = combines && is_pair ? pair : types[t_out][1 + ours];
#define DO(name) (ours ? MPI_##name : PMPI_##name)
      switch (kind) {
        case ALLTOALL:
          codes[ours] = in_place
                            ? DO(Alltoall)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, out_type, comm)
                            : DO(Alltoall)(in, count, in_type, out, count, out_type, comm);
          break;
        case ALLGATHER:
          codes[ours] = in_place
                            ? DO(Allgather)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, out_type, comm)
                            : DO(Allgather)(in, count, in_type, out, count, out_type, comm);
          break;
        case GATHER:
          codes[ours] = DO(Gather)(in_place && here == root ? MPI_IN_PLACE : in, count, in_type,
                                   here == root ? out : NULL, count, out_type, root, comm);
          break;
        case SCATTER:
          codes[ours] =
              DO(Scatter)(here == root ? in : NULL, count, in_type,
                          in_place && here == root ? MPI_IN_PLACE : out, count, out_type, root, comm);
          break;
        case BCAST:
          codes[ours] = DO(Bcast)(out, count, out_type, root, comm);
          break;
        case REDUCE:
          codes[ours] = DO(Reduce)(in_place && here == root ? MPI_IN_PLACE : in, here == root ? out : NULL,
                                   count, in_type, op, root, comm);
          break;
        case ALLREDUCE:
          codes[ours] = DO(Allreduce)(in_place ? MPI_IN_PLACE : in, out, count, in_type, op, comm);
          break;
        case REDUCE_SCATTER_BLOCK:
          codes[ours] =
              DO(Reduce_scatter_block)(in_place ? MPI_IN_PLACE : in, out, count / width, in_type, op, comm);
          break;
        case ALLGATHERV:
          codes[ours] =
              in_place
                  ? DO(Allgatherv)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, places, out_type, comm)
                  : DO(Allgatherv)(in, counts[here], in_type, out, counts, places, out_type, comm);
          break;
        case REDUCE_SCATTER:
          codes[ours] = DO(Reduce_scatter)(in_place ? MPI_IN_PLACE : in, out, counts, MPI_INT,
                                           is_pair ? MPI_SUM : op, comm);
          break;
        default:
          for (int r = 0, to = 0, from = 0; r < size; ++r) {
            counts[r] = table[here][r];
            rows[r] = table[r][here];
            places[r] = to;
            row_places[r] = from;
            to += counts[r];
            from += rows[r];
          }
          codes[ours] =
              all_to_all_v(ours, in, counts, places, in_type, out, rows, row_places, out_type, comm);
      }
    }
    const int is_right = codes[0] == codes[1] && memcmp(buffers[1], buffers[2], room * sizeof(int)) == 0;
    if (!is_right && wrong++ < 5) {
      size_t first = 0;
      while (first + 1 < room && buffers[1][first] == buffers[2][first]) ++first;
      printf(
          "FAILED: rank %d: call %d, %s of %d%s, communicator %d, root %d, operator %u, types %d %d: codes %d %d, word %zu is %d, not %d\n",
          me, call, names[kind], count, in_place ? " in place" : "", at, root, which, t_in, t_out, codes[1],
          codes[0], first, buffers[2][first], buffers[1][first]);
    }
  }
  int sum = 0;
  PMPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf(sum == 0 ? "all right\n" : "something is wrong\n");
  for (int b = 0; b < 3; ++b) free(buffers[b]);
  for (int c = 2; c < COMMS; ++c) MPI_Comm_free(&comms[c]);
  MPI_Op_free(&ordered);
  MPI_Op_free(&smallest);
  MPI_Type_free(&pair);
  for (int t = 1; t < TYPES; ++t)
    for (int b = 0; b < 3; ++b) MPI_Type_free(&types[t][b]);
  MPI_Finalize();
  return 0;
}
