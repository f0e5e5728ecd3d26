/* Every collective, on every kind of data, in place or not, at once or step by step: the same bytes as from the MPI library.
 *
 *     mpirun -n 8 every_call FOLDER_OF_A_SET */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

static int me, ranks;
static long checks, failures;

/* --- data ------------------------------------------------------------------------------------------------- */

typedef struct {
  const char* name;
  MPI_Datatype type;
  char base;    /* of what it is made: b, s, i, d, p (a double with its place) */
  int combines; /* whether MPI adds up what it is made of */
} kind;

typedef struct {
  double value;
  int place;
} pair;

/* Small whole numbers, whose sums are exact in any order and fit into a byte. */
static void fill(char* at, size_t bytes, char base, int salt) {
  for (size_t i = 0; i < bytes; ++i) at[i] = (char)(i * 7 + 3);
  const int r = me + 2 * salt;
#define QD_FILL(type)                               \
  for (size_t i = 0; i < bytes / sizeof(type); ++i) \
  ((type*)(void*)at)[i] = (type)((i * 3 + (size_t)r * 5 + i / 11) % 7)
  switch (base) {
    case 'b':
      QD_FILL(signed char);
      break;
    case 's':
      QD_FILL(short);
      break;
    case 'i':
      QD_FILL(int);
      break;
    case 'd':
      QD_FILL(double);
      break;
    default:
      for (size_t i = 0; i < bytes / sizeof(pair); ++i) {
        pair* one = (pair*)(void*)at + i;
        one->value = (double)((i * 3 + (size_t)r * 5) % 7);
        one->place = r;
      }
  }
}

/* 100 a + b of pairs of ints, that is maps x -> a x + b one after the other: associative, and not commutative. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  unsigned *left = in, *right = inout;
  for (int i = 0; i < *count; ++i) {
    const unsigned a = left[2 * i] * right[2 * i];
    right[2 * i + 1] += left[2 * i + 1] * right[2 * i];
    right[2 * i] = a;
  }
}
static void add_ints(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

/* --- calls ------------------------------------------------------------------------------------------------ */

enum { BCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, REDUCE_SCATTER, ALLREDUCE, CALLS };
static const char* const names[CALLS] = {
    "bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "reduce_scatter_block", "allreduce"};

static void by_mpi(int call, void* from, void* to, int n, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
  switch (call) {
    case BCAST:
      MPI_Bcast(to, n, type, root, comm);
      break;
    case SCATTER:
      MPI_Scatter(from, n, type, to, n, type, root, comm);
      break;
    case GATHER:
      MPI_Gather(from, n, type, to, n, type, root, comm);
      break;
    case ALLGATHER:
      MPI_Allgather(from, n, type, to, n, type, comm);
      break;
    case ALLTOALL:
      MPI_Alltoall(from, n, type, to, n, type, comm);
      break;
    case REDUCE:
      MPI_Reduce(from, to, n, type, op, root, comm);
      break;
    case REDUCE_SCATTER:
      MPI_Reduce_scatter_block(from, to, n, type, op, comm);
      break;
    default:
      MPI_Allreduce(from, to, n, type, op, comm);
  }
}

static quadrille_request by_us(int call, void* from, void* to, int n, MPI_Datatype type, MPI_Op op, int root,
                               quadrille_context* context, int later) {
  quadrille_request request = QUADRILLE_REQUEST_NULL;
#define QD_CALL(name, ...)                             \
  if (later)                                           \
    quadrille_i##name(__VA_ARGS__, context, &request); \
  else                                                 \
    quadrille_##name(__VA_ARGS__, context);            \
  break
  switch (call) {
    case BCAST:
      QD_CALL(bcast, to, n, type, root);
    case SCATTER:
      QD_CALL(scatter, from, n, type, to, n, type, root);
    case GATHER:
      QD_CALL(gather, from, n, type, to, n, type, root);
    case ALLGATHER:
      QD_CALL(allgather, from, n, type, to, n, type);
    case ALLTOALL:
      QD_CALL(alltoall, from, n, type, to, n, type);
    case REDUCE:
      QD_CALL(reduce, from, to, n, type, op, root);
    case REDUCE_SCATTER:
      QD_CALL(reduce_scatter_block, from, to, n, type, op);
    default:
      QD_CALL(allreduce, from, to, n, type, op);
  }
  return request;
}

/* One call, both ways. */
static void check(int call, const kind* data, int n, MPI_Op op, int in_place, int root, MPI_Comm comm,
                  quadrille_context* context, int later) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(data->type, &lower, &extent);
  const size_t block = (size_t)n * (size_t)extent;
  const size_t all = block * (size_t)ranks + 64;
  char *from = malloc(all), *mine = malloc(all), *theirs = malloc(all);
  fill(from, all, data->base, 0);
  fill(mine, all, data->base, 1);
  memcpy(theirs, mine, all);
  const int is_root = me == root;
  void *send = from, *got = mine, *expected = theirs;
  if (in_place && call == SCATTER && is_root) got = expected = MPI_IN_PLACE;
  if (in_place && (call == GATHER || call == REDUCE) && is_root) send = MPI_IN_PLACE;
  if (in_place && (call == ALLGATHER || call == ALLTOALL || call >= REDUCE_SCATTER)) send = MPI_IN_PLACE;
  by_mpi(call, send, expected, n, data->type, op, root, comm);
  quadrille_request request = by_us(call, send, got, n, data->type, op, root, context, later);
  for (int done = 0; later && !done;) quadrille_test(&request, &done);
  /* What lies in the gap of a pair is nobody's. */
  for (size_t i = 0; data->base == 'p' && i < all / sizeof(pair); ++i)
    memcpy(mine + i * sizeof(pair) + 12, theirs + i * sizeof(pair) + 12, 4);
  /* In place the MPI library may use the input behind the result. */
  if (in_place && call == REDUCE_SCATTER) memcpy(mine + block, theirs + block, all - block);
  ++checks;
  if (memcmp(mine, theirs, all) != 0) {
    size_t at = 0;
    while (mine[at] == theirs[at]) ++at;
    if (failures++ < 5)
      printf("FAILED: rank %d of %d: %s of %d %s%s%s, root %d: byte %zu is %d, not %d\n", me, ranks,
             names[call], n, data->name, in_place ? ", in place" : "", later ? ", step by step" : "", root,
             at, mine[at], theirs[at]);
  }
  free(from);
  free(mine);
  free(theirs);
}

static void check_all(const char* folder, const char* what, MPI_Comm comm, const int* map, const int* counts,
                      int num_counts) {
  quadrille_context* context;
  MPI_Comm_rank(comm, &me);
  quadrille_context_create(comm, NULL, folder, map, &context);
  MPI_Datatype row, column, twisted, maps;
  MPI_Type_contiguous(3, MPI_INT, &row);
  MPI_Type_create_resized(MPI_INT, 0, 12, &column);
  const int places[2] = {1, 0};
  MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &twisted);
  MPI_Type_contiguous(2, MPI_INT, &maps);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  MPI_Type_commit(&twisted);
  MPI_Type_commit(&maps);
  const kind kinds[] = {{"bytes", MPI_SIGNED_CHAR, 'b', 1},
                        {"shorts", MPI_SHORT, 's', 1},
                        {"ints", MPI_INT, 'i', 1},
                        {"doubles", MPI_DOUBLE, 'd', 1},
                        {"rows", row, 'i', 0},
                        {"columns", column, 'i', 0},
                        {"twisted ints", twisted, 'i', 0},
                        {"pairs", MPI_DOUBLE_INT, 'p', 0}};
  MPI_Op composed, added;
  MPI_Op_create(compose, 0, &composed);
  MPI_Op_create(add_ints, 1, &added);
  int later = 0;
  for (int call = 0; call < CALLS; ++call) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
      for (int c = 0; c < num_counts; ++c) {
        /* All sizes of ints; of the rest enough to see that they are packed. MPICH 4.0 itself cuts pairs of 12 KB off. */
        if (kinds[k].type != MPI_INT && (c % 2 == 0 || counts[c] > (kinds[k].base == 'p' ? 7 : 1000)))
          continue;
        for (int in_place = 0; in_place < 2; ++in_place) {
          later = !later;
          if (call < REDUCE) {
            check(call, &kinds[k], counts[c], MPI_OP_NULL, in_place, 0, comm, context, later);
          } else if (kinds[k].combines) {
            check(call, &kinds[k], counts[c], k % 2 == 0 ? MPI_SUM : MPI_MAX, in_place, 0, comm, context,
                  later);
          } else if (kinds[k].base == 'p') {
            check(call, &kinds[k], counts[c], MPI_MAXLOC, in_place, 0, comm, context, later);
          }
        }
      }
    }
    const kind ints = {"ints", MPI_INT, 'i', 1};
    const kind composed_maps = {"maps", maps, 'i', 1};
    if (call >= REDUCE) {
      check(call, &ints, 7, added, 0, 0, comm, context, 0);
      check(call, &composed_maps, 5, composed, 0, 0, comm, context, 1);
    }
    /* A root of which the set may know nothing. */
    check(call, &ints, 9, MPI_SUM, 0, ranks - 1, comm, context, 0);
    check(call, &ints, 9, MPI_SUM, 0, ranks - 1, comm, context, 1);
  }
  /* Several under way at once. */
  int in[3] = {me + 1, 2 * me, 1}, sums[3], expected[3];
  quadrille_request requests[3];
  for (int i = 0; i < 3; ++i)
    quadrille_iallreduce(&in[i], &sums[i], 1, MPI_INT, MPI_SUM, context, &requests[i]);
  quadrille_waitall(3, requests);
  MPI_Allreduce(in, expected, 3, MPI_INT, MPI_SUM, comm);
  ++checks;
  failures += memcmp(sums, expected, sizeof sums) != 0;
  /* The same request, again and again; the last is one that the MPI library does. */
  for (int root = 0; root<ranks; root += ranks> 1 ? ranks - 1 : 1) {
    quadrille_request often;
    int value = 0;
    quadrille_bcast_init(&value, 1, MPI_INT, root, context, MPI_INFO_NULL, &often);
    for (int i = 1; i < 4; ++i) {
      value = me == root ? 7 * i : -1;
      quadrille_start(&often);
      quadrille_wait(&often);
      ++checks;
      failures += value != 7 * i || often == QUADRILLE_REQUEST_NULL;
    }
    quadrille_request_free(&often);
    failures += often != QUADRILLE_REQUEST_NULL;
  }
  quadrille_barrier(context);
  quadrille_statistics statistics;
  quadrille_context_statistics(context, &statistics);
  char text[200];
  quadrille_context_explain(context, "alltoall", 4096, 0, text, sizeof text);
  long total[2] = {failures, checks}, sum[2];
  MPI_Allreduce(total, sum, 2, MPI_LONG, MPI_SUM, comm);
  if (me == 0)
    printf("%s: %ld checks, %ld failed; %lld calls served, %lld passed on; alltoall of 4096 bytes: %s\n",
           what, sum[1], sum[0], statistics.served, statistics.passed, text);
  MPI_Op_free(&composed);
  MPI_Op_free(&added);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Type_free(&twisted);
  MPI_Type_free(&maps);
  quadrille_context_free(&context);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc != 2) return MPI_Abort(MPI_COMM_WORLD, 2);
  const int all[] = {0, 7, 3, 1000, 1, 25600};
  check_all(argv[1], "as numbered", MPI_COMM_WORLD, NULL, all, 6);
  /* The other way round: where ranks sit is not what they are called. */
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  int* map = malloc((size_t)ranks * sizeof *map);
  for (int r = 0; r < ranks; ++r) map[r] = ranks - 1 - r;
  const int some[] = {1, 7};
  check_all(argv[1], "reversed", reversed, map, some, 2);
  free(map);
  MPI_Comm_free(&reversed);
  /* Contexts come and go, and one is left for MPI_Finalize. */
  quadrille_context* context;
  for (int i = 0; i < 5; ++i) {
    MPI_Comm again;
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    quadrille_context_create(again, NULL, argv[1], NULL, &context);
    quadrille_context_free(&context);
    MPI_Comm_free(&again);
  }
  quadrille_context_create(MPI_COMM_WORLD, NULL, argv[1], NULL, &context);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Finalize();
  if (me == 0) printf(failures == 0 ? "all right\n" : "something is wrong\n");
  return failures != 0;
}
