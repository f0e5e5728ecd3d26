/* Every collective, on every kind of data, in place or not, at once or step by step: the same bytes as from the MPI library.
 *
 *     mpirun -n 8 every_call FOLDER_OF_A_SET [RANKS_A_NODE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

static int me, ranks;
#ifdef MPICH_VERSION
static const int is_mpich = 1; /* whose MPI_Reduce_scatter in place stops at long blocks */
#else
static const int is_mpich = 0;
#endif
static int each = 1; /* ranks a node */
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

/* --- blocks of different sizes ---------------------------------------------------------------------------- */

enum { ALLGATHERV, ALLTOALLV, GATHERV, SCATTERV, REDUCE_SCATTERV, VARYING };
static const char* const varying_names[VARYING] = {"allgatherv", "alltoallv", "gatherv", "scatterv",
                                                   "reduce_scatter"};
/* EVEN to SOME_NONE are done by programs; ONE_LONG is too uneven for them, and nothing in NONE is sent. */
enum { EVEN, UNEVEN, SOME_NONE, ONE_LONG, NONE, PATTERNS };

/* From a to b as from b to a, as in place wants it. */
static int count_of(int pattern, int n, int a, int b) {
  switch (pattern) {
    case EVEN:
      return n;
    case UNEVEN:
      return n + (a * b + a + b) % 3 * (n / 2 + 1);
    case SOME_NONE:
      return (a + b) % 2 == 0 ? n : 0;
    case ONE_LONG:
      return a + b == 1 || ranks == 1 ? (n < 1000 ? 100 * n : n) : 0;
    default:
      return 0;
  }
}

typedef struct {
  int *counts, *places;
  MPI_Count* long_counts;
  MPI_Aint* long_places;
  size_t elements;
} blocks;

/* Blocks of this rank one behind the other, or backwards and with holes. */
static blocks make_blocks(int by_rank, int pattern, int n, int scattered) {
  const size_t size = (size_t)ranks;
  blocks out = {malloc(size * sizeof(int)), malloc(size * sizeof(int)), malloc(size * sizeof(MPI_Count)),
                malloc(size * sizeof(MPI_Aint)), 0};
  for (int i = 0; i < ranks; ++i) {
    const int r = scattered ? ranks - 1 - i : i;
    out.counts[r] = count_of(pattern, n, r, by_rank ? me : 0);
    out.places[r] = (int)out.elements;
    out.long_counts[r] = out.counts[r];
    out.long_places[r] = out.places[r];
    out.elements += (size_t)out.counts[r] + (scattered ? (size_t)(r % 3) : 0);
  }
  return out;
}
static void free_blocks(blocks* of) {
  free(of->counts);
  free(of->places);
  free(of->long_counts);
  free(of->long_places);
}

/* Counts and places where there is no root to have them. */
static MPI_Count no_counts[1];
static MPI_Aint no_places[1];

static void check_varying(int call, const kind* data, int pattern, int n, MPI_Op op, int in_place, int root,
                          MPI_Comm comm, quadrille_context* context, int later) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(data->type, &lower, &extent);
  const int scattered = n % 2;
  blocks sent = make_blocks(call == ALLTOALLV, pattern, n, call == ALLTOALLV && scattered);
  blocks got = make_blocks(call == ALLTOALLV, pattern, n, call != REDUCE_SCATTERV && scattered);
  const size_t size = (sent.elements + got.elements + 1) * (size_t)extent + 64;
  char *from = malloc(size), *mine = malloc(size), *theirs = malloc(size);
  fill(from, size, data->base, 0);
  fill(mine, size, data->base, 1);
  memcpy(theirs, mine, size);
  void* send = in_place ? MPI_IN_PLACE : from;
  const MPI_Aint* places = scattered ? got.long_places : NULL;
  quadrille_request request = QUADRILLE_REQUEST_NULL;
  if (call == ALLGATHERV) {
    const int count = sent.counts[me];
    MPI_Allgatherv(send, count, data->type, theirs, got.counts, got.places, data->type, comm);
    if (later)
      quadrille_iallgatherv(send, count, data->type, mine, got.long_counts, places, data->type, context,
                            &request);
    else
      quadrille_allgatherv(send, count, data->type, mine, got.long_counts, places, data->type, context);
  } else if (call == ALLTOALLV) {
    MPI_Alltoallv(send, sent.counts, sent.places, data->type, theirs, got.counts, got.places, data->type,
                  comm);
    if (later)
      quadrille_ialltoallv(send, sent.long_counts, sent.long_places, data->type, mine, got.long_counts,
                           places, data->type, context, &request);
    else
      quadrille_alltoallv(send, sent.long_counts, sent.long_places, data->type, mine, got.long_counts, places,
                          data->type, context);
  } else if (call == GATHERV) {
    const int count = sent.counts[me];
    if (me != root) send = from;
    MPI_Gatherv(send, count, data->type, theirs, got.counts, got.places, data->type, root, comm);
    const MPI_Count* counts = me == root ? got.long_counts : no_counts;
    if (me != root) places = no_places;
    if (later)
      quadrille_igatherv(send, count, data->type, mine, counts, places, data->type, root, context, &request);
    else
      quadrille_gatherv(send, count, data->type, mine, counts, places, data->type, root, context);
  } else if (call == SCATTERV) {
    const int count = sent.counts[me];
    const int stays = in_place && me == root;
    MPI_Scatterv(from, got.counts, got.places, data->type, stays ? MPI_IN_PLACE : theirs, count, data->type,
                 root, comm);
    const MPI_Count* counts = me == root ? got.long_counts : no_counts;
    if (me != root) places = no_places;
    if (later)
      quadrille_iscatterv(from, counts, places, data->type, stays ? MPI_IN_PLACE : mine, count, data->type,
                          root, context, &request);
    else
      quadrille_scatterv(from, counts, places, data->type, stays ? MPI_IN_PLACE : mine, count, data->type,
                         root, context);
  } else {
    MPI_Reduce_scatter(send, theirs, sent.counts, data->type, op, comm);
    if (later)
      quadrille_ireduce_scatter(send, mine, sent.long_counts, data->type, op, context, &request);
    else
      quadrille_reduce_scatter(send, mine, sent.long_counts, data->type, op, context);
  }
  for (int done = 0; later && !done;) quadrille_test(&request, &done);
  for (size_t i = 0; data->base == 'p' && i < size / sizeof(pair); ++i)
    memcpy(mine + i * sizeof(pair) + 12, theirs + i * sizeof(pair) + 12, 4);
  const size_t own = (size_t)sent.counts[me] * (size_t)extent;
  if (in_place && call == REDUCE_SCATTERV) memcpy(mine + own, theirs + own, size - own);
  ++checks;
  if (memcmp(mine, theirs, size) != 0) {
    size_t at = 0;
    while (mine[at] == theirs[at]) ++at;
    if (failures++ < 5)
      printf("FAILED: rank %d of %d: %s, pattern %d of %d %s%s%s: byte %zu is %d, not %d\n", me, ranks,
             varying_names[call], pattern, n, data->name, in_place ? ", in place" : "",
             later ? ", step by step" : "", at, mine[at], theirs[at]);
  }
  free_blocks(&sent);
  free_blocks(&got);
  free(from);
  free(mine);
  free(theirs);
}

/* Who does a call with counts: a program where blocks are much alike, the MPI library where they are not. */
static void check_who_serves(MPI_Comm comm, quadrille_context* context, int later) {
  const kind ints = {"ints", MPI_INT, 'i', 1};
  static const char* const relatives[VARYING] = {"allgather", "alltoall", "gather", "scatter",
                                                 "reduce_scatter"};
  for (int call = 0; call < VARYING; ++call) {
    /* A tuned set leaves sizes to the library. */
    char text[200];
    quadrille_context_explain(context, relatives[call], 160, 0, text, sizeof text);
    if (strncmp(text, "the MPI library", 15) == 0) continue;
    for (int pattern = UNEVEN; pattern <= ONE_LONG; pattern += ONE_LONG - UNEVEN) {
      quadrille_statistics before, after;
      quadrille_context_statistics(context, &before);
      check_varying(call, &ints, pattern, 40, MPI_SUM, 0, 0, comm, context, later);
      quadrille_context_statistics(context, &after);
      const int served = after.served == before.served + 1 && after.passed == before.passed;
      const int passed = after.served == before.served && after.passed == before.passed + 1;
      ++checks;
      /* Of few ranks none can be over four times the mean; leaders have what several have together, and leave it to the MPI library
       * among themselves. */
      const int is_long = pattern == ONE_LONG && ranks > 4 && strstr(text, "between the leaders") == NULL;
      if (!(is_long ? passed : served) && failures++ < 5)
        printf("FAILED: rank %d of %d: %s of pattern %d%s: %lld served, %lld passed on\n", me, ranks,
               varying_names[call], pattern, later ? ", step by step" : "", after.served - before.served,
               after.passed - before.passed);
    }
  }
}

static void check_all_varying(const kind* kinds, size_t num_kinds, const kind* maps, MPI_Op composed,
                              MPI_Comm comm, quadrille_context* context, const int* counts, int num_counts) {
  int later = 0;
  for (int call = 0; call < VARYING; ++call) {
    for (size_t k = 0; k < num_kinds; ++k) {
      for (int c = 0; c < num_counts; ++c) {
        if (counts[c] > 25600 || (kinds[k].type != MPI_INT && counts[c] != 7 && counts[c] != 3)) continue;
        for (int pattern = 0; pattern < PATTERNS; ++pattern) {
          const int in_place = (later + pattern) % 2;
          later = (later + 1) % 3;
          if (call < REDUCE_SCATTERV)
            check_varying(call, &kinds[k], pattern, counts[c], MPI_OP_NULL, in_place,
                          pattern == EVEN ? ranks - 1 : 0, comm, context, later == 0);
          else if (kinds[k].combines)
            check_varying(call, &kinds[k], pattern, counts[c], MPI_SUM,
                          in_place && !(is_mpich && counts[c] > 1000), 0, comm, context, later == 0);
        }
      }
    }
  }
  for (int pattern = 0; pattern < PATTERNS; ++pattern)
    check_varying(REDUCE_SCATTERV, maps, pattern, 5, composed, 0, 0, comm, context, pattern % 2);
  for (later = 0; later < 2; ++later) check_who_serves(comm, context, later);
  /* The same request, again and again, with other values. */
  const blocks of = make_blocks(0, UNEVEN, 9, 0);
  int* values = malloc(of.elements * sizeof *values);
  quadrille_request often;
  quadrille_allgatherv_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, of.long_counts, NULL, MPI_INT,
                            context, MPI_INFO_NULL, &often);
  for (int turn = 1; turn < 4; ++turn) {
    for (int i = 0; i < of.counts[me]; ++i) values[of.places[me] + i] = 100 * turn + me;
    quadrille_start(&often);
    quadrille_wait(&often);
    for (int r = 0; r < ranks; ++r) {
      ++checks;
      for (int i = 0; i < of.counts[r]; ++i) failures += values[of.places[r] + i] != 100 * turn + r;
    }
  }
  quadrille_request_free(&often);
  free(values);
  free_blocks((blocks*)&of);
}

/* Two persistent exchanges of several sizes, started in one order here and in the other there, with other values each time. */
static void check_persistent(quadrille_context* context, MPI_Comm comm) {
  static const int sizes[] = {1, 33, 5000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    const int n = sizes[s];
    const size_t all = (size_t)n * (size_t)ranks;
    int* values = malloc(4 * all * sizeof *values);
    int *from = values, *to = values + all, *sums = values + 2 * all, *expected = values + 3 * all;
    quadrille_request two[2];
    quadrille_alltoall_init(from, n, MPI_INT, to, n, MPI_INT, context, MPI_INFO_NULL, &two[0]);
    quadrille_allreduce_init(from, sums, (MPI_Count)all, MPI_INT, MPI_SUM, context, MPI_INFO_NULL, &two[1]);
    char text[2][200];
    quadrille_context_explain(context, "alltoall", 4 * (MPI_Count)n, 0, text[0], sizeof text[0]);
    quadrille_context_explain(context, "allreduce", 4 * (MPI_Count)all, 0, text[1], sizeof text[1]);
    /* The MPI library's own nonblocking calls must be started in one order. */
    const int swaps = strncmp(text[0], "the MPI", 7) != 0 && strncmp(text[1], "the MPI", 7) != 0;
    for (int turn = 1; turn < 5; ++turn) {
      for (size_t i = 0; i < all; ++i) from[i] = turn * 1000 + me * 7 + (int)i;
      const int first = swaps ? (turn + me) % 2 : 0;
      quadrille_start(&two[first]);
      quadrille_start(&two[1 - first]);
      quadrille_waitall(2, two);
      MPI_Alltoall(from, n, MPI_INT, expected, n, MPI_INT, comm);
      failures += memcmp(to, expected, all * sizeof *to) != 0;
      MPI_Allreduce(from, expected, (int)all, MPI_INT, MPI_SUM, comm);
      failures += memcmp(sums, expected, all * sizeof *to) != 0;
      checks += 2;
    }
    quadrille_request_free(&two[0]);
    quadrille_request_free(&two[1]);
    free(values);
  }
}

/* Of a and b: what this rank has for rank `to` in a turn. */
static int value_for(int from, int to, int which, int turn, int i) {
  return from * 1000003 + to * 1009 + which * 101 + turn * 13 + i;
}

/* Exchanges with counts, begun by all in one order (persistent ones in any), waited for in one order here and in the other there, with blocking
 * calls in between: whoever waits for one moves on the others, too. */
static void check_any_order(quadrille_context* context) {
  enum { kinds = 2, turns = 3 };
  /* All blocks alike, which programs and leaders take, and one long one, which they do not. */
  for (int pattern = UNEVEN; pattern <= ONE_LONG; pattern += ONE_LONG - UNEVEN) {
    MPI_Count *sent_counts = malloc(sizeof(MPI_Count) * (size_t)ranks),
              *got_counts = malloc(sizeof(MPI_Count) * (size_t)ranks);
    size_t sends = 0, gets = 0;
    for (int r = 0; r < ranks; ++r) {
      sends += (size_t)(sent_counts[r] = count_of(pattern, 9, me, r));
      gets += (size_t)(got_counts[r] = count_of(pattern, 9, r, me));
    }
    int *from[kinds], *to[kinds];
    quadrille_request often[kinds], once[kinds];
    for (int k = 0; k < kinds; ++k) {
      from[k] = malloc((sends + 1) * sizeof(int));
      to[k] = malloc((gets + 1) * sizeof(int));
      quadrille_alltoallv_init(from[k], sent_counts, NULL, MPI_INT, to[k], got_counts, NULL, MPI_INT, context,
                               MPI_INFO_NULL, &often[k]);
    }
    for (int turn = 0; turn < 2 * turns; ++turn) {
      const int is_often = turn % 2;
      for (int k = 0; k < kinds; ++k) {
        int at = 0;
        for (int r = 0; r < ranks; ++r)
          for (int i = 0; i < sent_counts[r]; ++i) from[k][at++] = value_for(me, r, k, turn, i);
        memset(to[k], 0, gets * sizeof(int));
      }
      const int first = (me + turn) % 2;
      for (int k = 0; k < kinds && !is_often; ++k)
        quadrille_ialltoallv(from[k], sent_counts, NULL, MPI_INT, to[k], got_counts, NULL, MPI_INT, context,
                             &once[k]);
      for (int k = 0; k < kinds && is_often; ++k) quadrille_start(&often[(first + k) % 2]);
      quadrille_request* two = is_often ? often : once;
      int sum = me + 1;
      /* Some wait before they come to the blocking calls, some behind. */
      if (me % 3 == 0) quadrille_wait(&two[first]);
      quadrille_barrier(context);
      quadrille_allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, context);
      failures += sum != ranks * (ranks + 1) / 2;
      if (me % 3 != 0) quadrille_wait(&two[first]);
      quadrille_wait(&two[1 - first]);
      for (int k = 0; k < kinds; ++k) {
        int at = 0, wrong = 0;
        for (int r = 0; r < ranks; ++r)
          for (int i = 0; i < got_counts[r]; ++i) wrong += to[k][at++] != value_for(r, me, k, turn, i);
        ++checks;
        if (wrong > 0 && failures++ < 5)
          printf("FAILED: rank %d of %d: alltoallv in any order, pattern %d, turn %d: %d wrong\n", me, ranks,
                 pattern, turn, wrong);
      }
    }
    for (int k = 0; k < kinds; ++k) {
      quadrille_request_free(&often[k]);
      free(from[k]);
      free(to[k]);
    }
    free(sent_counts);
    free(got_counts);
  }
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
          /* A mebibyte once. */
          if (counts[c] > 25600 && in_place != call % 2) continue;
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
  const kind composed_maps = {"maps", maps, 'i', 1};
  check_all_varying(kinds, sizeof kinds / sizeof *kinds, &composed_maps, composed, comm, context, counts,
                    num_counts);
  /* Several under way at once. */
  int in[3] = {me + 1, 2 * me, 1}, sums[3], expected[3];
  quadrille_request requests[3];
  quadrille_statistics before, behind;
  quadrille_context_statistics(context, &before);
  for (int i = 0; i < 3; ++i)
    quadrille_iallreduce(&in[i], &sums[i], 1, MPI_INT, MPI_SUM, context, &requests[i]);
  quadrille_waitall(3, requests);
  quadrille_context_statistics(context, &behind);
  char by[200];
  quadrille_context_explain(context, "allreduce", sizeof(int), 0, by, sizeof by);
  failures += behind.served - before.served != (strncmp(by, "the MPI", 7) == 0 ? 0 : 3);
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
  check_persistent(context, comm);
  check_any_order(context);
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

/* A Cartesian communicator whose sides the network has in the other order: mesh(width,height). */
static void check_grid(const char* folder, int height, int width) {
  MPI_Comm grid;
  const int sides[2] = {height, width}, periods[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
  quadrille_context* context;
  quadrille_context_create(grid, NULL, folder, NULL, &context);
  int places[12];
  quadrille_context_places(context, places);
  for (int r = 0; r < ranks; ++r) {
    ++checks;
    if (places[r] != r % width * height + r / width && failures++ < 5)
      printf("FAILED: rank %d at (%d,%d) sits on %d\n", r, r / width, r % width, places[r]);
  }
  const kind ints = {"ints", MPI_INT, 'i', 1};
  MPI_Comm_rank(grid, &me);
  for (int call = 0; call < CALLS; ++call) check(call, &ints, 50, MPI_SUM, 0, 0, grid, context, call % 2);
  quadrille_context_free(&context);
  MPI_Comm_free(&grid);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc < 2 || argc > 3) return MPI_Abort(MPI_COMM_WORLD, 2);
  if (argc == 3) each = atoi(argv[2]);
  const int all[] = {0, 7, 3, 1000, 1, 25600, 262144};
  check_all(argv[1], "as numbered", MPI_COMM_WORLD, NULL, all, 7);
  /* The other way round: where ranks sit is not what they are called. */
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  int* map = malloc((size_t)ranks * sizeof *map);
  for (int r = 0; r < ranks; ++r) map[r] = (ranks - 1 - r) / each;
  const int some[] = {1, 7};
  check_all(argv[1], "reversed", reversed, map, some, 2);
  free(map);
  MPI_Comm_free(&reversed);
  if (ranks == 6 && each == 1) check_grid(argv[1], 3, 2);
  if (ranks == 12 && each == 1) check_grid(argv[1], 4, 3);
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
