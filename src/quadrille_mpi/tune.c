/* Measuring: the library as it comes, its own algorithms one by one, and the programs of a folder, in turns. */
#include "tune.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "shuffled_order.h"

/* --- one call --------------------------------------------------------------------------------------------- */

enum { most_rounds = 256, least_rounds = 6, rounds_of_race = 10 };
/* Where it is not told yet who is clearly faster, a measurement may take so many times as long. */
static const double patience = 6;
/* A measurement should last so long, or the clock is what is measured. */
static const double least_seconds = 2e-4;
/* Messages that would need more memory than this are not measured. */
static const uint64_t most_memory = UINT64_C(1) << 28;
/* Of messages that are no call's. */
static const int measuring_tag = 0x7fff;
/* Who takes so many times what the fastest of its kind takes is out after a first look. */
static const double far_behind = 3;

typedef struct {
  quadrille_context* context;
  const qd_tuning* what;
  char *from, *to;
  double settling;                  /* seconds between a barrier and what is measured */
  int one_clock;                    /* all ranks read the same */
  MPI_Comm own[QD_TUNE_CANDIDATES]; /* of the candidates that are the library's */
#ifndef OPEN_MPI
  MPI_T_cvar_handle forced; /* says by which algorithm MPICH does the collective */
  int may_force;
#endif
} bench;

/* Bytes of a buffer: all blocks. */
static uint64_t buffer_size(int collective, uint64_t bytes, int ranks) {
  const int is_vector = collective == QD_BROADCAST || collective == QD_REDUCE || collective == QD_ALLREDUCE;
  return is_vector ? bytes : bytes * (uint64_t)ranks;
}

static qd_call call_of(const bench* on, uint32_t collective, uint32_t root, uint64_t bytes) {
  const int combines = qd_combines((int)collective);
  const int floats = combines && bytes % sizeof(float) == 0;
  const MPI_Datatype type = floats ? MPI_FLOAT : MPI_BYTE;
  const MPI_Count count = (MPI_Count)(floats ? bytes / sizeof(float) : bytes);
  return (qd_call){.collective = (int)collective,
                   .from = on->from,
                   .from_count = count,
                   .from_type = type,
                   .to = on->to,
                   .to_count = count,
                   .to_type = type,
                   .op = floats ? MPI_SUM : MPI_BOR,
                   .root = root == QD_NO_ROOT ? 0 : (int)root};
}

static int do_once(const bench* on, const qd_candidate* candidate, int number, const qd_call* call,
                   uint64_t bytes) {
  if (candidate->kind == QD_OURS)
    return qd_do(on->context, &on->context->served[candidate->number], call, bytes, NULL);
  return qd_pass_on(call, on->context->rank, on->own[number], NULL);
}

/* MPICH looks at each call by which algorithm it does it; 0: by its own choice. */
static void force(const bench* on, int number) {
#ifdef OPEN_MPI
  (void)on, (void)number;
#else
  if (on->may_force) MPI_T_cvar_write(on->forced, &number);
#endif
}

/* Whether the ranks' clocks are one: those of one start of one machine, which no namespace has moved. */
static int has_one_clock(MPI_Comm comm) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  char text[64] = "", space[64] = "";
  FILE* file = fopen("/proc/sys/kernel/random/boot_id", "r");
  int known = file != NULL && fgets(text, sizeof text, file) != NULL;
  if (file != NULL) fclose(file);
  known = known && readlink("/proc/self/ns/time", space, sizeof space - 1) > 0;
  for (int i = 0; i < 64; ++i) digest = (digest ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  for (int i = 0; i < 64; ++i) digest = (digest ^ (unsigned char)space[i]) * UINT64_C(0x100000001b3);
  /* The greatest, and the complement of the least. */
  const uint64_t mine[3] = {digest, ~digest, !known};
  uint64_t most[3];
  PMPI_Allreduce(mine, most, 3, MPI_UINT64_T, MPI_MAX, comm);
  return most[0] == ~most[1] && most[2] == 0;
}

/* Rank 0 hears from all the largest of two numbers, and tells all what is to be told. By messages of its own: a collective would leave its code and
 * its connections warm for those that are made like it, which are measured next. */
static void hear_all(const bench* on, double mine[2]) {
  double other[2];
  if (on->context->rank != 0) PMPI_Send(mine, 2, MPI_DOUBLE, 0, measuring_tag, on->context->comm);
  for (int r = 1; r < on->context->size && on->context->rank == 0; ++r) {
    PMPI_Recv(other, 2, MPI_DOUBLE, r, measuring_tag, on->context->comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) mine[i] = other[i] > mine[i] ? other[i] : mine[i];
  }
}
static void tell_all(const bench* on, double told[2]) {
  if (on->context->rank != 0)
    PMPI_Recv(told, 2, MPI_DOUBLE, 0, measuring_tag, on->context->comm, MPI_STATUS_IGNORE);
  for (int r = 1; r < on->context->size && on->context->rank == 0; ++r)
    PMPI_Send(told, 2, MPI_DOUBLE, r, measuring_tag, on->context->comm);
}

/* All begin at one time where they have a clock for it; else each some time after a barrier, which not all leave at once. */
static void start(const bench* on) {
  double wait = on->settling;
  if (on->one_clock) {
    double at[2] = {0, 0};
    hear_all(on, at);
    at[0] = qd_now() + on->settling;
    tell_all(on, at);
    wait = at[0] - qd_now();
  } else {
    PMPI_Barrier(on->context->comm);
  }
  if (wait > 0) qd_settle(wait);
}

/* So long that what was said before has gone: some times what it takes. Links that save up what may go at once (token buckets) are to be
 * as they are before a call of a program that computes, and those of rank 0 have most to say. */
static double settling_time(const bench* on) {
  enum { repeats = 5, times = 6 };
  const double most = 0.05;
  if (!on->one_clock) {
    qd_error ignored;
    const double found = qd_settling_time(on->context, &ignored);
    return found > 0 ? found : 0;
  }
  double took[2] = {0, 0};
  double begun = 0;
  for (int r = -1; r < repeats; ++r) {
    if (r == 0) begun = qd_now();
    hear_all(on, took);
    tell_all(on, took);
  }
  took[0] = times * (qd_now() - begun) / repeats;
  hear_all(on, took);
  tell_all(on, took);
  return took[0] < most ? took[0] : most;
}

/* Seconds of a call of the slowest rank; below 0 where it cannot be done. All ranks know it, so that what follows is the same on all. */
static double measure(const bench* on, const qd_candidate* candidate, int number, const qd_call* call,
                      uint64_t bytes, int calls) {
  int code = MPI_SUCCESS;
  start(on);
  if (candidate->kind == QD_OWN_FORCED) force(on, candidate->number);
  const double begun = qd_now();
  for (int i = 0; i < calls && code == MPI_SUCCESS; ++i) code = do_once(on, candidate, number, call, bytes);
  double worst[2] = {(qd_now() - begun) / calls, code != MPI_SUCCESS};
  force(on, 0);
  hear_all(on, worst);
  tell_all(on, worst);
  return worst[1] > 0 ? -1 : worst[0];
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}
static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* After the first look: the library as it comes, and who is not far behind the fastest of its kind. */
static void leave_far_behind(const qd_measured* of, const double* seconds, char* active) {
  for (int c = 1; c < of->num; ++c) {
    active[c] = seconds[c] >= 0;
    for (int other = 1; other < of->num; ++other) {
      if (of->of[other].kind == of->of[c].kind && seconds[other] >= 0 &&
          far_behind * seconds[other] < seconds[c])
        active[c] = 0;
    }
  }
}

/* The rounds of one collective at one size. */
typedef struct {
  double times[QD_TUNE_CANDIDATES][most_rounds];
  int rounds[QD_TUNE_CANDIDATES]; /* who leaves has fewer */
} race;

static qd_interval ratio_of(const race* run, int c, double outside) {
  double ratios[most_rounds];
  for (int r = 0; r < run->rounds[c]; ++r) ratios[r] = run->times[c][r] / run->times[0][r];
  return qd_interval_of(ratios, run->rounds[c], outside);
}

/* Whether more rounds are worth their time; who is told to be slower leaves. */
static int goes_on(const qd_measured* of, const race* run, double took, double seconds, char* active) {
  if (run->rounds[0] < least_rounds) return 1;
  qd_interval ratios[QD_TUNE_CANDIDATES];
  for (int c = 0; c < of->num; ++c) ratios[c] = ratio_of(run, c, QD_OUTSIDE_IN_RACE);
  const int is_open = qd_race(of, ratios, active) || run->rounds[0] < rounds_of_race;
  return run->rounds[0] < most_rounds && took < (is_open ? patience : 1) * seconds;
}

/* `first`: of who was out after it. One look tells nothing but that. */
static void keep_times(qd_measured* of, race* run, const double* first, int size) {
  for (int c = 0; c < of->num; ++c) {
    if (run->rounds[c] == 0 && first[c] >= 0 && first[0] > 0) {
      of->of[c].seconds[size] = first[c];
      of->of[c].ratio[size] = first[c] / first[0];
      of->of[c].upper[size] = of->of[c].ratio[size] > 1 ? of->of[c].ratio[size] : 1;
    }
    if (run->rounds[c] == 0) continue;
    const qd_interval ratio = ratio_of(run, c, QD_OUTSIDE);
    of->of[c].ratio[size] = ratio.median;
    of->of[c].upper[size] = ratio.high;
    of->of[c].rounds[size] = run->rounds[c];
  }
  for (int c = 0; c < of->num; ++c) {
    if (run->rounds[c] > 0) of->of[c].seconds[size] = median(run->times[c], run->rounds[c]);
  }
}

/* One collective at one size, all candidates in turns. Rank 0 decides how often. */
static void measure_cell(bench* on, qd_measured* of, int size) {
  const uint64_t bytes = on->what->sizes[size];
  const MPI_Comm comm = on->context->comm;
  const qd_call call = call_of(on, of->collective, of->root, bytes);
  static race run;
  double first[QD_TUNE_CANDIDATES] = {-1};
  struct {
    int go_on, calls;
    char active[QD_TUNE_CANDIDATES];
  } told = {.go_on = 1, .calls = 1};
  for (int c = 0; c < of->num; ++c) {
    /* Once for the memory that is made then, once to see. */
    first[c] = measure(on, &of->of[c], c, &call, bytes, 1);
    if (first[c] >= 0) first[c] = measure(on, &of->of[c], c, &call, bytes, 1);
    run.rounds[c] = 0;
  }
  told.active[0] = first[0] >= 0;
  leave_far_behind(of, first, told.active);
  const double want = first[0] > 0 ? least_seconds / first[0] : 1;
  told.calls = want < 1 ? 1 : want > 100 ? 100 : (int)want + 1;
  const double begun = qd_now();
  for (unsigned round = 0; told.go_on; ++round) {
    int order[QD_TUNE_CANDIDATES];
    qd_shuffle(order, of->num, round);
    for (int i = 0; i < of->num; ++i) {
      const int c = order[i];
      if (told.active[c])
        run.times[c][run.rounds[c]++] = measure(on, &of->of[c], c, &call, bytes, told.calls);
    }
    if (on->context->rank == 0)
      told.go_on = goes_on(of, &run, qd_now() - begun, on->what->seconds, told.active);
    PMPI_Bcast(&told, sizeof told, MPI_BYTE, 0, comm);
  }
  if (on->context->rank == 0) keep_times(of, &run, first, size);
}

/* --- the library's own algorithms -------------------------------------------------------------------------- */

void qd_before_init(void) {
#ifdef OPEN_MPI
  setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
#else
  /* An algorithm that cannot do a call says so, and is not silently another. */
  setenv("MPIR_CVAR_COLLECTIVE_FALLBACK", "error", 1);
#endif
}

static qd_candidate* new_candidate(qd_measured* of, int kind, int number, const char* name) {
  if (of->num == QD_TUNE_CANDIDATES) return NULL;
  qd_candidate* out = &of->of[of->num++];
  *out = (qd_candidate){.kind = kind, .number = number, .pieces = 1};
  snprintf(out->name, sizeof out->name, "%s", name);
  for (int s = 0; s < QD_TUNE_SIZES; ++s) out->seconds[s] = out->ratio[s] = out->upper[s] = -1;
  return out;
}

#ifdef OPEN_MPI
/* Open MPI takes the algorithm that a variable names for communicators that are made then. */
static void add_own(bench* on, qd_measured* of) {
  static const char* const names[QD_COLLECTIVES] = {
      "bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "reduce_scatter_block", "allreduce"};
  char name[80];
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm", names[of->collective]);
  int index, length = sizeof name, verbosity, bind, scope, items, counts;
  MPI_Datatype type;
  MPI_T_enum values;
  MPI_T_cvar_handle handle;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
      MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &values, NULL, NULL, &bind, &scope) !=
          MPI_SUCCESS ||
      values == MPI_T_ENUM_NULL)
    return;
  length = sizeof name;
  if (MPI_T_enum_get_info(values, &items, name, &length) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, &handle, &counts) != MPI_SUCCESS)
    return;
  for (int i = 0; i < items; ++i) {
    int value;
    char called[100];
    length = sizeof called;
    if (MPI_T_enum_get_item(values, i, &value, called, &length) != MPI_SUCCESS || value == 0) continue;
    if (strcmp(called, "two_proc") == 0 && on->context->size != 2) continue;
    if (MPI_T_cvar_write(handle, &value) != MPI_SUCCESS) break;
    qd_candidate* made = new_candidate(of, QD_OWN_FORCED, value, called);
    if (made == NULL) break;
    PMPI_Comm_dup(on->context->comm, &on->own[of->num - 1]);
    PMPI_Comm_set_errhandler(on->own[of->num - 1], MPI_ERRORS_RETURN);
  }
  const int none = 0;
  MPI_T_cvar_write(handle, &none);
  MPI_T_cvar_handle_free(&handle);
}

static void free_own(bench* on, const qd_measured* of) {
  for (int c = 1; c < of->num; ++c)
    if (of->of[c].kind == QD_OWN_FORCED) PMPI_Comm_free(&on->own[c]);
}
#else
/* MPICH's variables are numbers without names, those of the order in which its description has the algorithms: the lists
 * of 4.0. Where a description says otherwise nothing is forced. */
static const char* const mpich_names[QD_COLLECTIVES][8] = {
    [QD_BROADCAST] = {"auto", "binomial", "nb", "smp", "scatter_recursive_doubling_allgather",
                      "scatter_ring_allgather"},
    [QD_SCATTER] = {"auto", "binomial", "nb"},
    [QD_GATHER] = {"auto", "binomial", "nb"},
    [QD_ALLGATHER] = {"auto", "brucks", "nb", "recursive_doubling", "ring"},
    [QD_ALLTOALL] = {"auto", "brucks", "nb", "pairwise", "pairwise_sendrecv_replace", "scattered"},
    [QD_REDUCE] = {"auto", "binomial", "nb", "smp", "reduce_scatter_gather"},
    [QD_REDUCE_SCATTER] = {"auto", "noncommutative", "recursive_doubling", "pairwise", "recursive_halving",
                           "nb"},
    [QD_ALLREDUCE] = {"auto", "nb", "smp", "recursive_doubling", "reduce_scatter_allgather"},
};

/* Whether the description has these names and no others: each stands before a dash, blanks between. */
static int is_described(const char* const* names, const char* description) {
  const char* at = description;
  for (int i = 0; i < 8; ++i) {
    const char* dash = strstr(at, " - ");
    if ((dash != NULL) != (names[i] != NULL)) return 0;
    if (dash == NULL) return 1;
    const char* end = dash;
    while (end > at && end[-1] == ' ') --end;
    const size_t length = strlen(names[i]);
    if ((size_t)(end - at) < length || strncmp(end - length, names[i], length) != 0) return 0;
    at = dash + 3;
  }
  return strstr(at, " - ") == NULL;
}

static void add_own(bench* on, qd_measured* of) {
  static const char* const names[QD_COLLECTIVES] = {
      "BCAST", "SCATTER", "GATHER", "ALLGATHER", "ALLTOALL", "REDUCE", "REDUCE_SCATTER_BLOCK", "ALLREDUCE"};
  char name[80], description[4096];
  snprintf(name, sizeof name, "MPIR_CVAR_%s_INTRA_ALGORITHM", names[of->collective]);
  int index, length = sizeof name, room = sizeof description, verbosity, bind, scope, counts;
  MPI_Datatype type;
  MPI_T_enum values;
  on->may_force = MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
                  MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &values, description, &room,
                                      &bind, &scope) == MPI_SUCCESS &&
                  type == MPI_INT &&
                  MPI_T_cvar_handle_alloc(index, NULL, &on->forced, &counts) == MPI_SUCCESS;
  if (!on->may_force) return;
  const char* const* called = mpich_names[of->collective];
  for (int i = 1; i < 8 && called[i] != NULL && is_described(called, description); ++i) {
    /* One is for calls in place alone; the other calls itself among the first ranks of machines, and refuses that. */
    if (strcmp(called[i], "pairwise_sendrecv_replace") == 0 || strcmp(called[i], "smp") == 0) continue;
    if (new_candidate(of, QD_OWN_FORCED, i, called[i]) == NULL) break;
    on->own[of->num - 1] = on->context->comm;
  }
}

static void free_own(bench* on, const qd_measured* of) {
  (void)of;
  if (on->may_force) MPI_T_cvar_handle_free(&on->forced);
  on->may_force = 0;
}
#endif

/* --- the machine ------------------------------------------------------------------------------------------ */

void qd_measure_links(MPI_Comm comm, double* ts, double* tx) {
  enum { small = 8, medium = 1 << 16, most = 1 << 20, repeats = 9 };
  /* Slow links say what they are by less, and sooner. */
  const double slow = 0.02, enough = 2;
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  double found[2] = {1, 0.0001};
  char* buffer = calloc(1, most);
  int good = buffer != NULL && size > 1;
  PMPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
  if (good) {
    int made = 0;
    double times[2][repeats];
    const double first = qd_now();
    int told[2] = {medium, 1}; /* bytes of the long message; whether to go on */
    /* A look, which does not count, and then. */
    for (int r = -1; told[1]; ++r) {
      for (int s = 0; s < 2; ++s) {
        const int bytes = s == 0 ? small : told[0];
        const int calls = s == 0 ? 20 : 2;
        PMPI_Barrier(comm);
        const double begun = qd_now();
        for (int i = 0; i < calls && rank < 2; ++i) {
          if (rank == 0) PMPI_Send(buffer, bytes, MPI_BYTE, 1, 0, comm);
          PMPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
          if (rank == 1) PMPI_Send(buffer, bytes, MPI_BYTE, 0, 0, comm);
        }
        const double took = (qd_now() - begun) / calls / 2;
        if (r >= 0) times[s][r] = took;
        if (r < 0 && s == 1 && took < slow) told[0] = most;
      }
      made = r + 1;
      told[1] = made < repeats && (made == 0 || qd_now() - first < enough);
      PMPI_Bcast(told, 2, MPI_INT, 0, comm);
    }
    found[0] = 1e6 * median(times[0], made);
    const double slope = (1e6 * median(times[1], made) - found[0]) / (told[0] - small);
    found[1] = slope > 1e-7 ? slope : 1e-7;
  }
  free(buffer);
  PMPI_Bcast(found, 2, MPI_DOUBLE, 0, comm);
  *ts = found[0];
  *tx = found[1];
}

/* A number that tells machines apart: of the names of all of them; and how many ranks are on the busiest. */
static uint64_t look_at_machine(MPI_Comm comm, int size, uint32_t* most) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  PMPI_Get_processor_name(name, &length);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  char* all = malloc((size_t)size * sizeof name);
  int here, worst;
  MPI_Comm machine;
  PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  PMPI_Comm_size(machine, &here);
  PMPI_Comm_free(&machine);
  PMPI_Allreduce(&here, &worst, 1, MPI_INT, MPI_MAX, comm);
  *most = (uint32_t)worst;
  int good = all != NULL;
  PMPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
  if (good) {
    PMPI_Allgather(name, sizeof name, MPI_CHAR, all, sizeof name, MPI_CHAR, comm);
    for (int r = 0; r < size; ++r) {
      for (const char* at = all + (size_t)r * sizeof name; *at != 0; ++at)
        digest = (digest ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
      digest = (digest ^ 0xff) * UINT64_C(0x100000001b3);
    }
  }
  free(all);
  return digest;
}

/* --- files ------------------------------------------------------------------------------------------------ */

/* Whole or not at all. */
static int write_whole(const char* folder, const char* name, const char* content, qd_error* error) {
  char path[4096], passing[4096];
  if (content == NULL) return qd_fail(error, "no memory for '%s'", name);
  if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path ||
      (size_t)snprintf(passing, sizeof passing, "%s/.%s.new", folder, name) >= sizeof passing)
    return qd_fail(error, "the name of a folder is too long");
  FILE* file = fopen(passing, "w");
  int good = file != NULL && fputs(content, file) >= 0;
  if (file != NULL && fclose(file) != 0) good = 0;
  if (good) good = rename(passing, path) == 0;
  if (good) return 1;
  const int why = errno;
  remove(passing);
  return qd_fail(error, "cannot write '%s': %s", path, strerror(why));
}

/* The index that library and shim obey. */
static int write_index(const qd_findings* found, const qd_tuning* what, const quadrille_context* context,
                       qd_error* error) {
  const size_t room = 512 + (size_t)found->num * QD_TUNE_SIZES * 512;
  char* out = malloc(room);
  if (out == NULL) return qd_fail(error, "no memory for programs.txt");
  size_t at = (size_t)snprintf(out, room, "quadrille-program-set 1\ntopology %s\nranks %" PRIu32 "\n",
                               found->topology, found->ranks);
  for (int i = 0; i < found->num; ++i) {
    const qd_measured* of = &found->all[i];
    qd_range ranges[QD_TUNE_SIZES];
    const int made = qd_ranges(of, what->sizes, what->num_sizes, QD_OURS, ranges);
    for (int r = 0; r < made; ++r) {
      const qd_set_entry* is = &context->served[of->of[ranges[r].candidate].number].is;
      char root[16] = "-", to[24] = "-";
      if (of->root != QD_NO_ROOT) snprintf(root, sizeof root, "%" PRIu32, of->root);
      if (ranges[r].to != UINT64_MAX) snprintf(to, sizeof to, "%" PRIu64, ranges[r].to);
      at += (size_t)snprintf(out + at, room - at,
                             "program %s %s %" PRIu64 " %s %" PRIu32 " %016" PRIx64 " %s %s\n",
                             qd_collective_names[of->collective], root, ranges[r].from, to, is->pieces,
                             is->digest, is->file, is->algorithm);
    }
  }
  const int good = write_whole(what->folder, "programs.txt", out, error);
  free(out);
  return good;
}

static int write_all(const qd_findings* found, const qd_tuning* what, const quadrille_context* context,
                     qd_error* error) {
  char* json = qd_tuning_json(found, what);
  int good = write_whole(what->folder, "tuning.json", json, error);
  free(json);
#ifdef OPEN_MPI
  char* rules = qd_openmpi_rules(found, what);
  good = good && write_whole(what->folder, "openmpi_rules.conf", rules, error);
  free(rules);
#else
  /* Its rules are in the file that its functions are in. */
  Dl_info library;
  qd_mpich mpich;
  void* call = dlsym(RTLD_DEFAULT, "PMPI_Bcast");
  if (call != NULL && dladdr(call, &library) && qd_read_mpich(library.dli_fname, &mpich)) {
    char* rules = qd_mpich_selection(found, what, &mpich);
    good = good && write_whole(what->folder, "mpich_selection.json", rules, error);
    free(rules);
    qd_free_mpich(&mpich);
  }
#endif
  return good && write_index(found, what, context, error);
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static void say_cell(FILE* out, const qd_measured* of, int size, uint64_t bytes) {
  const qd_candidate* own = &of->of[0];
  if (own->seconds[size] < 0) return;
  /* The fastest of each kind, whether clearly or not. */
  int best[3] = {0, 0, 0};
  for (int c = 1; c < of->num; ++c) {
    const int kind = of->of[c].kind;
    if (of->of[c].ratio[size] >= 0 &&
        (best[kind] == 0 || of->of[c].ratio[size] < of->of[best[kind]].ratio[size]))
      best[kind] = c;
  }
  const int chosen = qd_winner(of, size, QD_OURS);
  if (chosen != 0) best[QD_OURS] = chosen;
  fprintf(out, "%-14s %10" PRIu64 " %11.4f", qd_collective_names[of->collective], bytes,
          1e3 * own->seconds[size]);
  const qd_candidate* forced = &of->of[best[QD_OWN_FORCED]];
  const qd_candidate* ours = &of->of[best[QD_OURS]];
  if (best[QD_OWN_FORCED] != 0) {
    fprintf(out, "  %6.3f %-24.24s", forced->ratio[size], forced->name);
  } else {
    fprintf(out, "  %6s %-24s", "-", "");
  }
  if (best[QD_OURS] != 0) {
    fprintf(out, "  %6.3f %s in %" PRIu32 "%s\n", ours->ratio[size], ours->name, ours->pieces,
            chosen != 0 ? " *" : "");
  } else {
    fprintf(out, "  %6s\n", "-");
  }
  fflush(out);
}

/* The candidates of a collective and root: the library, its algorithms, ours. */
static void set_candidates(bench* on, qd_measured* of, uint32_t first) {
  const quadrille_context* context = on->context;
  of->collective = context->served[first].is.collective;
  of->root = context->served[first].is.root;
  of->num = 0;
  new_candidate(of, QD_OWN, 0, "library");
  on->own[0] = context->comm;
  add_own(on, of);
  for (uint32_t i = first; i < context->num_served; ++i) {
    const qd_set_entry* is = &context->served[i].is;
    if (is->collective != of->collective || is->root != of->root) continue;
    qd_candidate* made = new_candidate(of, QD_OURS, (int)i, is->algorithm);
    if (made != NULL) made->pieces = is->pieces;
  }
}

static int is_first_of_its_kind(const quadrille_context* context, uint32_t i) {
  for (uint32_t e = 0; e < i; ++e) {
    if (context->served[e].is.collective == context->served[i].is.collective &&
        context->served[e].is.root == context->served[i].is.root)
      return 0;
  }
  return 1;
}

static int tune(bench* on, FILE* out, qd_error* error) {
  quadrille_context* context = on->context;
  const qd_tuning* what = on->what;
  const int ranks = context->size;
  uint64_t most = 64;
  for (uint32_t i = 0; i < context->num_served; ++i) {
    for (int s = 0; s < what->num_sizes; ++s) {
      const uint64_t size = buffer_size((int)context->served[i].is.collective, what->sizes[s], ranks);
      if (size <= most_memory && size > most) most = size;
    }
  }
  on->from = calloc(1, most);
  on->to = calloc(1, most);
  qd_measured* all = calloc(context->num_served + 1, sizeof *all);
  int good = on->from != NULL && on->to != NULL && all != NULL;
  if (!good) qd_fail(error, "quadrille: rank %d: no memory for %" PRIu64 " bytes", context->rank, 2 * most);
  good = qd_agree(context->comm, good, error);
  int num = 0;
  if (good && context->rank == 0)
    fprintf(out, "%-14s %10s %11s  %-31s  %s\n", "collective", "bytes", "library, ms", "its best by name",
            "best program, of the library's time (* chosen)");
  int provided;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  for (uint32_t i = 0; i < context->num_served && good; ++i) {
    if (!is_first_of_its_kind(context, i)) continue;
    qd_measured* of = &all[num++];
    set_candidates(on, of, i);
    for (int s = 0; s < what->num_sizes; ++s) {
      if (buffer_size((int)of->collective, what->sizes[s], ranks) > most_memory) continue;
      measure_cell(on, of, s);
      if (context->rank == 0) say_cell(out, of, s, what->sizes[s]);
    }
    free_own(on, of);
  }
  MPI_T_finalize();
  uint32_t most_here;
  const uint64_t machine = look_at_machine(context->comm, ranks, &most_here);
  if (good && context->rank == 0) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING], digest[20];
    int length;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = 0;
    snprintf(digest, sizeof digest, "%016" PRIx64, machine);
    const qd_findings found = {.topology = context->topology,
                               .mpi = library,
                               .machine = digest,
                               .ranks = (uint32_t)ranks,
                               .most_on_a_machine = most_here,
                               .all = all,
                               .num = num};
    char* broken =
        qd_guidelines(all, num, what->sizes, what->num_sizes, (uint32_t)ranks, "guideline broken: ", "\n");
    if (broken != NULL) fputs(broken, out);
    free(broken);
    good = write_all(&found, what, context, error);
  }
  good = qd_agree(context->comm, good, error);
  free(on->from);
  free(on->to);
  free(all);
  return good;
}

int qd_tune(MPI_Comm comm, const qd_tuning* what, FILE* out, char error[QD_TUNE_ERROR]) {
  qd_error why = {""};
  qd_set set = {.ranks = 0};
  int rank;
  PMPI_Comm_rank(comm, &rank);
  int good = rank != 0 || qd_read_index(what->folder, "candidates.txt", &set, &why);
  bench on = {.what = what};
  qd_begin_agreements();
  good = qd_agree(comm, good, &why) && qd_create(comm, NULL, &set, what->folder, NULL, &on.context, &why);
  good = qd_end_agreements(comm, &why) && good;
  qd_free_set(&set);
  if (good) {
    on.one_clock = has_one_clock(comm);
    on.settling = settling_time(&on);
    good = tune(&on, out, &why);
    quadrille_context_free(&on.context);
  }
  memcpy(error, why.text, sizeof why.text);
  return good;
}
