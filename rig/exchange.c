/* Collectives of a set of programs on whatever network the ranks are: are the bytes right, how long do they take, and, on a
 * rig, how many bytes go over each link?
 *
 *     exchange SET REPETITIONS COLLECTIVE:BYTES...       SET: a folder; -: the MPI library alone
 *
 * Prints, by rank 0, for every case, by the set's programs and by the library:
 *
 *     time COLLECTIVE BYTES BY MEDIAN_MS LEAST_MS MOST_MS
 *     link TAIL HEAD BYTES      (of the repetitions by the programs together; only where interfaces are called toN)
 *
 * (RIG_PROGRAMS=1: by the programs alone; RIG_BARE=1: no call to warm up, and nobody looks at the bytes, which may lie anywhere:
 * for simulations of many ranks) and "all right" at the end, or a line that begins with "wrong". All ranks start at one time of
 * their common clock, and what is told is when the last is done. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common_start.h"
#include "quadrille_mpi.h"

enum { most_repetitions = 100, most_links = 16, name_length = 64 };

static const char* const names[] = {"broadcast", "scatter", "gather",         "allgather",
                                    "alltoall",  "reduce",  "reduce_scatter", "allreduce"};
enum { BROADCAST, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE, REDUCE_SCATTER, ALLREDUCE, NUM_COLLECTIVES };

/* Of one rank; nothing that changes is global, so that ranks may be threads of one process. */
typedef struct {
  int rank, size, kind;
  size_t ints; /* of a message */
  int32_t *from, *to;
  quadrille_context* context; /* null: the library alone */
} bench;

/* What rank `from` has for rank `to` in place i. */
static int32_t value(int from, int to, size_t i) {
  return (int32_t)((uint32_t)from * 2654435761u + (uint32_t)to * 40503u + (uint32_t)i * 97u);
}
static int is_vector(int kind) { return kind == BROADCAST || kind == REDUCE || kind == ALLREDUCE; }
static size_t room(const bench* on) {
  return on->ints * (is_vector(on->kind) ? 1 : (size_t)on->size) * sizeof(int32_t) + 1;
}

static void fill(const bench* on) {
  const size_t blocks = is_vector(on->kind) ? 1 : (size_t)on->size;
  memset(on->to, 0x5a, room(on));
  for (size_t b = 0; b < blocks; ++b)
    for (size_t i = 0; i < on->ints; ++i) on->from[b * on->ints + i] = value(on->rank, (int)b, i);
  if (on->kind == BROADCAST && on->rank == 0) memcpy(on->to, on->from, on->ints * sizeof(int32_t));
}

static int32_t sum_of(const bench* on, int to, size_t i) {
  uint32_t out = 0;
  for (int r = 0; r < on->size; ++r) out += (uint32_t)value(r, to, i);
  return (int32_t)out;
}

/* Elements that are not as they should be. */
static long long wrong_elements(const bench* on) {
  long long wrong = 0;
  const int all = on->kind == GATHER || on->kind == ALLGATHER || on->kind == ALLTOALL;
  if ((on->kind == GATHER || on->kind == REDUCE) && on->rank != 0) return 0;
  for (int b = 0; b < (all ? on->size : 1); ++b) {
    for (size_t i = 0; i < on->ints; ++i) {
      int32_t expected = 0;
      switch (on->kind) {
        case BROADCAST:
          expected = value(0, 0, i);
          break;
        case SCATTER:
          expected = value(0, on->rank, i);
          break;
        case GATHER:
        case ALLGATHER:
          expected = value(b, 0, i);
          break;
        case ALLTOALL:
          expected = value(b, on->rank, i);
          break;
        case REDUCE_SCATTER:
          expected = sum_of(on, on->rank, i);
          break;
        default:
          expected = sum_of(on, 0, i);
          break;
      }
      wrong += on->to[(size_t)b * on->ints + i] != expected;
    }
  }
  return wrong;
}

static void by_programs(const bench* on) {
  const MPI_Count n = (MPI_Count)on->ints;
  switch (on->kind) {
    case BROADCAST:
      quadrille_bcast(on->to, n, MPI_INT, 0, on->context);
      break;
    case SCATTER:
      quadrille_scatter(on->from, n, MPI_INT, on->to, n, MPI_INT, 0, on->context);
      break;
    case GATHER:
      quadrille_gather(on->from, n, MPI_INT, on->to, n, MPI_INT, 0, on->context);
      break;
    case ALLGATHER:
      quadrille_allgather(on->from, n, MPI_INT, on->to, n, MPI_INT, on->context);
      break;
    case ALLTOALL:
      quadrille_alltoall(on->from, n, MPI_INT, on->to, n, MPI_INT, on->context);
      break;
    case REDUCE:
      quadrille_reduce(on->from, on->to, n, MPI_INT, MPI_SUM, 0, on->context);
      break;
    case REDUCE_SCATTER:
      quadrille_reduce_scatter_block(on->from, on->to, n, MPI_INT, MPI_SUM, on->context);
      break;
    default:
      quadrille_allreduce(on->from, on->to, n, MPI_INT, MPI_SUM, on->context);
      break;
  }
}

static void by_library(const bench* on) {
  const int n = (int)on->ints;
  const MPI_Comm all = MPI_COMM_WORLD;
  switch (on->kind) {
    case BROADCAST:
      MPI_Bcast(on->to, n, MPI_INT, 0, all);
      break;
    case SCATTER:
      MPI_Scatter(on->from, n, MPI_INT, on->to, n, MPI_INT, 0, all);
      break;
    case GATHER:
      MPI_Gather(on->from, n, MPI_INT, on->to, n, MPI_INT, 0, all);
      break;
    case ALLGATHER:
      MPI_Allgather(on->from, n, MPI_INT, on->to, n, MPI_INT, all);
      break;
    case ALLTOALL:
      MPI_Alltoall(on->from, n, MPI_INT, on->to, n, MPI_INT, all);
      break;
    case REDUCE:
      MPI_Reduce(on->from, on->to, n, MPI_INT, MPI_SUM, 0, all);
      break;
    case REDUCE_SCATTER:
      MPI_Reduce_scatter_block(on->from, on->to, n, MPI_INT, MPI_SUM, all);
      break;
    default:
      MPI_Allreduce(on->from, on->to, n, MPI_INT, MPI_SUM, all);
      break;
  }
}

/* --- links ------------------------------------------------------------------------------------------------- */

typedef struct {
  long long tail, num, head[most_links], bytes[most_links];
} links;

/* Interfaces toN of this namespace, and what was sent over them. */
static links read_links(void) {
  links out = {.tail = -1};
  char line[512], host[256] = "";
  gethostname(host, sizeof host - 1);
  const char* number = strrchr(host, '-');
  if (number == NULL) return out;
  out.tail = atoll(number + 1);
  FILE* file = fopen("/proc/self/net/dev", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && out.num < most_links) {
    long long head, sent;
    if (sscanf(line, " to%lld: %*s %*s %*s %*s %*s %*s %*s %*s %lld", &head, &sent) != 2) continue;
    out.head[out.num] = head;
    out.bytes[out.num++] = sent;
  }
  if (file != NULL) fclose(file);
  return out;
}

/* --- time -------------------------------------------------------------------------------------------------- */

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int measure(const bench* on, const char* by, int repetitions) {
  double times[most_repetitions];
  long long wrong = 0;
  const int bare = getenv("RIG_BARE") != NULL;
  /* The first opens connections. */
  for (int r = bare ? 0 : -1; r < repetitions; ++r) {
    if (!bare) fill(on);
    const double begun = start_together(on->rank, 0.02);
    if (strcmp(by, "programs") == 0) {
      by_programs(on);
    } else {
      by_library(on);
    }
    const double took = common_now() - begun;
    double slowest = 0;
    if (!bare) wrong += wrong_elements(on);
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (r >= 0) times[r] = slowest;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (on->rank != 0) return wrong == 0;
  qsort(times, (size_t)repetitions, sizeof *times, by_value);
  const size_t bytes = on->ints * sizeof(int32_t);
  printf("time %s %zu %s %.9f %.9f %.9f\n", names[on->kind], bytes, by, 1e3 * times[repetitions / 2],
         1e3 * times[0], 1e3 * times[repetitions - 1]);
  if (wrong != 0)
    printf("wrong: %lld elements of %s of %zu bytes by %s\n", wrong, names[on->kind], bytes, by);
  fflush(stdout);
  return wrong == 0;
}

/* How much a number of calls puts on the links. */
static void count(const bench* on, int calls) {
  fill(on);
  by_programs(on);
  MPI_Barrier(MPI_COMM_WORLD);
  usleep(200000); /* acknowledgements */
  MPI_Barrier(MPI_COMM_WORLD);
  links before = read_links();
  for (int i = 0; i < calls; ++i) by_programs(on);
  MPI_Barrier(MPI_COMM_WORLD); /* whoever only sends is early */
  usleep(200000);
  links mine = read_links();
  for (int i = 0; i < mine.num && i < before.num; ++i) mine.bytes[i] -= before.bytes[i];
  links* all = malloc((size_t)on->size * sizeof *all);
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int r = 0; r < on->size && on->rank == 0 && all != NULL; ++r)
    for (int i = 0; i < all[r].num; ++i)
      printf("link %lld %lld %lld\n", all[r].tail, all[r].head[i], all[r].bytes[i]);
  if (on->rank == 0) fflush(stdout);
  free(all);
}

static int kind_of(const char* word, size_t length) {
  for (int k = 0; k < NUM_COLLECTIVES; ++k)
    if (strlen(names[k]) == length && strncmp(names[k], word, length) == 0) return k;
  return -1;
}

int main(int argc, char** argv) {
  bench on = {.context = NULL};
  int good = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &on.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &on.size);
  const int repetitions = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 4 || repetitions < 1 || repetitions > most_repetitions) {
    if (on.rank == 0)
      fprintf(stderr, "usage: exchange SET REPETITIONS (1 to %d) COLLECTIVE:BYTES...\n", most_repetitions);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (strcmp(argv[1], "-") != 0) quadrille_context_create(MPI_COMM_WORLD, NULL, argv[1], NULL, &on.context);
  for (int a = 3; a < argc; ++a) {
    const char* colon = strchr(argv[a], ':');
    on.kind = colon == NULL ? -1 : kind_of(argv[a], (size_t)(colon - argv[a]));
    on.ints = colon == NULL ? 0 : strtoull(colon + 1, NULL, 10) / sizeof(int32_t);
    if (on.kind < 0 || on.ints == 0) {
      if (on.rank == 0) fprintf(stderr, "exchange: '%s' is given; COLLECTIVE:BYTES is needed\n", argv[a]);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    on.from = malloc(room(&on));
    on.to = malloc(room(&on));
    if (on.from == NULL || on.to == NULL) {
      fprintf(stderr, "exchange: no memory for %zu bytes\n", 2 * room(&on));
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (on.context != NULL) {
      char text[256];
      quadrille_context_explain(on.context, names[on.kind], (MPI_Count)(on.ints * sizeof(int32_t)), 0, text,
                                sizeof text);
      if (on.rank == 0) printf("case %s %s\n", argv[a], text);
      good = measure(&on, "programs", repetitions) && good;
      if (getenv("RIG_COUNT") != NULL) count(&on, repetitions);
    }
    if (getenv("RIG_COUNT") == NULL && getenv("RIG_PROGRAMS") == NULL)
      good = measure(&on, "library", repetitions) && good;
    free(on.from);
    free(on.to);
  }
  if (on.context != NULL) quadrille_context_free(&on.context);
  if (on.rank == 0) puts(good ? "all right" : "wrong");
  fflush(stdout);
  MPI_Finalize();
  return good ? 0 : 1;
}
