/* libquadrille_pmpi: collectives of programs that know nothing of Quadrille, by MPI's profiling interface.
 *
 *     QUADRILLE_PROGRAMS=torus_4_4 mpirun -x LD_PRELOAD=libquadrille_pmpi.so -n 16 program
 *
 * A communicator gets its context in its first blocking collective that may be served, where all its ranks are together; rank
 * 0 decides whether the set is for it, and that is kept as an attribute. A call that is passed on as the last one was goes a
 * shortcut. Nonblocking and persistent collectives are the MPI library's. Without QUADRILLE_PROGRAMS nothing
 * is done. QUADRILLE_STATS=1: rank 0 says at the end what was served.
 *
 * Nothing is linked: the symbols are those of the MPI library that the program has. If that is another one, the shim says
 * so and forwards what it is given, whatever it is: all parameters are words here. */
#include <dlfcn.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim_shortcut.h"

/* --- the right library ------------------------------------------------------------------------------------ */

static int disabled;
/* QUADRILLE_CHAIN=1: calls that are passed on go to whoever is loaded behind the shim, another tool perhaps. */
static int chained;

enum { NO_MPI, OPEN_MPI_LIBRARY, MPICH_LIBRARY, STANDARD_ABI, LIBRARIES };
static const char* const library_names[LIBRARIES] = {"no MPI", "Open MPI", "MPICH",
                                                     "the standard ABI of MPI"};
#if defined(QUADRILLE_MPI_ABI)
static const int mine = STANDARD_ABI;
#elif defined(OPEN_MPI)
static const int mine = OPEN_MPI_LIBRARY;
#else
static const int mine = MPICH_LIBRARY;
#endif

/* Whether the process has libmpi_abi, as the standard calls it (21.2.1), and of which version. What is inside of one may be
 * that of the same MPI's own library: only the name of the file tells them apart. */
static int has_standard_abi(int* major) {
  int minor;
  Dl_info where;
  void* call = dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version");
  if (call == NULL || !dladdr(call, &where) || where.dli_fname == NULL) return 0;
  const char* slash = strrchr(where.dli_fname, '/');
  if (strncmp(slash == NULL ? where.dli_fname : slash + 1, "libmpi_abi.", 11) != 0) return 0;
  int (*get_version)(int*, int*);
  *(void**)&get_version = call;
  /* It may be called at any time. */
  return get_version(major, &minor) == 0;
}

static int library_of_process(int* abi) {
  if (has_standard_abi(abi)) return STANDARD_ABI;
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL) return OPEN_MPI_LIBRARY;
  return dlsym(RTLD_DEFAULT, "MPIR_Err_return_comm") != NULL ? MPICH_LIBRARY : NO_MPI;
}

/* By what launchers tell a process, without a call of MPI. */
static int is_first(void) {
  static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* rank = getenv(names[i]);
    if (rank != NULL) return strcmp(rank, "0") == 0;
  }
  return 1;
}

__attribute__((constructor)) static void look_at_library(void) {
  int abi = 1;
  const int found = library_of_process(&abi);
  const char* chain = getenv("QUADRILLE_CHAIN");
  chained = chain != NULL && strcmp(chain, "1") == 0;
  disabled = found != mine || (mine == STANDARD_ABI && abi != 1);
  if (!disabled || found == NO_MPI || !is_first()) return;
  if (found == mine)
    fprintf(stderr,
            "quadrille: this shim is for version 1 of %s, and the program has version %d: plain MPI\n",
            library_names[mine], abi);
  else
    fprintf(stderr, "quadrille: this shim is for %s, and the program has %s: plain MPI\n",
            library_names[mine], library_names[found]);
}

/* --- statistics ------------------------------------------------------------------------------------------- */

typedef struct {
  long long served;
  _Atomic long long passed; /* by any thread */
  uint64_t bytes;
  double seconds;
  char algorithm[128];
} counter;
static counter counters[QD_COLLECTIVES];
static counter varying_counters[QD_COLLECTIVES]; /* of calls with a size for each block */
static _Atomic long long contexts_made;

static int print_statistics(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return MPI_SUCCESS;
  fprintf(stderr, "quadrille: rank 0: %lld contexts\n", atomic_load(&contexts_made));
  for (int c = 0; c < 2 * QD_COLLECTIVES; ++c) {
    const int varies = c >= QD_COLLECTIVES;
    const counter* of = varies ? &varying_counters[c - QD_COLLECTIVES] : &counters[c];
    const long long passed = atomic_load(&of->passed) + (varies ? 0 : atomic_load(&qd_shortcuts[c].passed));
    if (of->served + passed == 0) continue;
    fprintf(stderr,
            "quadrille: rank 0: %s%s: %lld calls served (%" PRIu64 " bytes, %.3f ms%s%s), %lld passed on\n",
            qd_collective_names[c % QD_COLLECTIVES], varies ? " with counts" : "", of->served, of->bytes,
            1e3 * of->seconds, of->served > 0 ? ", last by " : "", of->algorithm, passed);
  }
  return MPI_SUCCESS;
}

/* --- contexts --------------------------------------------------------------------------------------------- */

static int keyval = MPI_KEYVAL_INVALID;
static char not_ours;
/* QUADRILLE_TIMEOUT, by this rank's environment until rank 0 of a context has said it: of calls that are passed on. */
static _Atomic double limit_of_passed;
static int rank_in_world;
/* How many communicators have gone: a handle may come again as another's. */
static atomic_ulong gone;

static int forget_context(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)extra;
  atomic_fetch_add(&gone, 1);
  qd_forget_shortcuts(comm);
  if (value == &not_ours || qd_is_over()) return MPI_SUCCESS;
  qd_forget(value);
  qd_destroy(value);
  return MPI_SUCCESS;
}

static void begin(void) {
  static atomic_flag lock = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&lock)) continue;
  if (keyval == MPI_KEYVAL_INVALID) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_context, &keyval, NULL);
    qd_error ignored;
    int says = 0;
    double limit = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_in_world);
    if (qd_setting("QUADRILLE_PROGRAMS") != NULL && qd_read_seconds("QUADRILLE_TIMEOUT", &limit, &ignored))
      atomic_store(&limit_of_passed, limit);
    if (qd_read_switch("QUADRILLE_STATS", &says, &ignored) && says) {
      int at_end;
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, print_statistics, &at_end, NULL);
      PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, NULL);
    }
  }
  atomic_flag_clear(&lock);
}

/* Once, by rank 0 of the world. */
static void say(const char* text) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0 || atomic_flag_test_and_set(&said)) return;
  fprintf(stderr, "%s%s: plain MPI\n", strncmp(text, "quadrille", 9) == 0 ? "" : "quadrille: ", text);
}

/* Threads may come at once. */
static void lock(atomic_flag* flag) {
  while (atomic_flag_test_and_set(flag)) sched_yield();
}

/* What else the environment says must make sense, too. */
static int settings_are_good(qd_error* error) {
  static const char* const switches[] = {"QUADRILLE_STATS", "QUADRILLE_CHAIN", "QUADRILLE_ALLTOALLV"};
  int on;
  for (size_t i = 0; i < sizeof switches / sizeof *switches; ++i)
    if (!qd_read_switch(switches[i], &on, error)) return 0;
  return qd_read_ranks_per_node(&on, error);
}

/* The set, read once by a process that is rank 0 of some communicator. */
static const qd_set* the_set(const char* folder) {
  static atomic_flag being_read = ATOMIC_FLAG_INIT;
  static qd_set set;
  static int state; /* 0: not looked at; 1: there; 2: none */
  lock(&being_read);
  if (state == 0) {
    qd_error error = {""};
    state = folder != NULL && *folder != 0 && settings_are_good(&error) &&
                    qd_read_set_to_try(folder, &set, &error)
                ? 1
                : 2;
    if (error.text[0] != 0) say(error.text);
  }
  const qd_set* out = state == 1 ? &set : NULL;
  atomic_flag_clear(&being_read);
  return out;
}

/* Where a rank of the communicator sits: where it does in the world, if that is as large. */
static int* places(MPI_Comm comm, int size) {
  int world_size, *numbers = NULL, *out = NULL;
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (world_size != size) return NULL;
  MPI_Group group, world;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  numbers = malloc((size_t)size * sizeof *numbers);
  out = malloc((size_t)size * sizeof *out);
  if (numbers != NULL && out != NULL) {
    for (int r = 0; r < size; ++r) numbers[r] = r;
    PMPI_Group_translate_ranks(group, size, numbers, world, out);
  }
  free(numbers);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return out;
}

/* Whether ranks are spread as leaders want it: as many on each of so many nodes. */
static int is_even(const int* node, int size, int nodes) {
  for (int n = 0; n < nodes; ++n) {
    int count = 0;
    for (int r = 0; r < size; ++r) count += node[r] == n;
    if (count * nodes != size) return 0;
  }
  return 1;
}

/* For a set of so many endpoints: a context of the communicator, if there is a rank for each, or as many on each of as many nodes.
 * Null with an error, or without one: then it is not for this communicator. */
static quadrille_context* context_for(MPI_Comm comm, int size, int endpoints, const qd_set* set,
                                      const char* folder, qd_error* error) {
  static const qd_set none = {.ranks = 0};
  quadrille_context* out = NULL;
  int world_size;
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
  int* node = NULL;
  int fits = size == endpoints;
  /* Where ranks of the world share nodes, so may those of a part of it, and then they are not the network. */
  if (world_size > endpoints) {
    node = malloc((size_t)size * sizeof *node);
    int good = node != NULL;
    qd_allreduce(&good, 1, MPI_INT, MPI_MIN, comm);
    const int nodes = good ? qd_nodes_in_world(comm, node) : 0;
    const int shares = nodes == endpoints && size > endpoints && is_even(node, size, nodes);
    if (shares && qd_create_by_nodes(comm, NULL, set == NULL ? &none : set, folder, node, &out, error))
      qd_remember(out);
    fits = fits && (nodes == size || world_size % endpoints != 0);
    free(node);
  }
  if (!fits) return out;
  int* node_of_rank = places(comm, size);
  qd_create(comm, NULL, set, folder, node_of_rank, &out, error);
  free(node_of_rank);
  return out;
}

/* In a blocking collective of the communicator, for the first time. */
static void* make_context(MPI_Comm comm) {
  int inter, size, rank;
  /* By rank 0's environment: those of the others may differ. */
  struct {
    int endpoints, takes_alltoallv;
  } told = {0, 0};
  void* out = &not_ours;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &rank);
  qd_begin_agreements();
  if (!inter && size > 1 && qd_together(comm)) {
    const char* folder = qd_setting("QUADRILLE_PROGRAMS");
    const qd_set* set = rank == 0 ? the_set(folder) : NULL;
    qd_error error = {""};
    if (set != NULL && set->ranks > 1 && size % (int)set->ranks == 0) {
      told.endpoints = (int)set->ranks;
      qd_read_switch("QUADRILLE_ALLTOALLV", &told.takes_alltoallv, &error);
    }
    qd_bcast(&told, 2, MPI_INT, 0, comm);
    if (told.endpoints > 0) {
      quadrille_context* context = context_for(comm, size, told.endpoints, set, folder, &error);
      if (context != NULL) {
        context->takes_alltoallv = told.takes_alltoallv;
        atomic_store(&limit_of_passed, context->timeout);
        out = context;
        atomic_fetch_add(&contexts_made, 1);
      } else if (error.text[0] != 0 && !qd_is_late()) {
        say(error.text);
      }
    }
  }
  qd_error late;
  if (!qd_end_agreements(comm, &late)) qd_give_up(&late);
  PMPI_Comm_set_attr(comm, keyval, out);
  return out;
}

/* The context of a communicator, which is made if need be; null: calls are passed on; `stays`: and always will be. */
QD_HOT static quadrille_context* context_of(MPI_Comm comm, int* stays) {
  /* What this thread asked last. The shim is there from the start, so the place of this is known then, too. */
  static _Thread_local struct {
    MPI_Comm comm;
    unsigned long gone;
    void* value; /* null: nothing */
  } last __attribute__((tls_model("initial-exec")));
  *stays = 0;
  if (comm == MPI_COMM_NULL) return NULL;
  const unsigned long now = atomic_load_explicit(&gone, memory_order_acquire);
  if (last.value == NULL || last.comm != comm || last.gone != now) {
    if (keyval == MPI_KEYVAL_INVALID) begin();
    void* value = NULL;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, keyval, &value, &found) != MPI_SUCCESS) return NULL;
    if (!found) value = make_context(comm);
    last.comm = comm;
    last.gone = now;
    last.value = value;
  }
  *stays = last.value == &not_ours;
  return *stays ? NULL : last.value;
}

/* Calls that are not the same on all ranks would go wrong in any library. Who was told says it once. */
static void stop(const quadrille_context* context, const qd_error* error) {
  qd_give_up(context->rank == 0 || context->broken ? error : NULL);
}

static void check_call(quadrille_context* context, const qd_call* call) {
  qd_error error = {""};
  if (context->check > 0 && !qd_same_call(context, call, &error)) stop(context, &error);
}

static void count_served(counter* of, const qd_served* served, uint64_t bytes, double seconds) {
  static atomic_flag being_counted = ATOMIC_FLAG_INIT;
  lock(&being_counted);
  ++of->served;
  of->bytes += bytes;
  of->seconds += seconds;
  memcpy(of->algorithm, served->is.algorithm, sizeof of->algorithm);
  atomic_flag_clear(&being_counted);
}

/* Several ranks a node. */
static int serve_by_nodes(quadrille_context* context, const qd_call* call, counter* of, int* code) {
  const quadrille_statistics before = context->statistics;
  static const qd_served leaders = {.is.algorithm = "programs between the leaders of nodes"};
  if (!qd_done_by_nodes(context, call, code)) {
    atomic_fetch_add_explicit(&of->passed, 1, memory_order_relaxed);
    return 0;
  }
  count_served(of, &leaders, (uint64_t)(context->statistics.bytes - before.bytes),
               context->statistics.seconds - before.seconds);
  return 1;
}

QD_HOT int qd_shim_serve(const qd_call* call, MPI_Comm comm, int* code) {
  if (disabled) return 0;
  counter* of = &counters[call->collective];
  int stays;
  quadrille_context* context = context_of(comm, &stays);
  uint64_t bytes = 0;
  if (context != NULL) check_call(context, call);
  if (context != NULL && context->nodes != NULL) return serve_by_nodes(context, call, of, code);
  const qd_served* served = context == NULL ? NULL : qd_serving(context, call, &bytes);
  struct qd_cell* tried = NULL;
  if (context != NULL) served = qd_serving_online(context, call, served, &bytes, &tried);
  if ((served != NULL || tried != NULL) && bytes > 0 && qd_leaves_devices(context, call, 1, code)) {
    served = NULL;
    tried = NULL;
  }
  if (served == NULL) {
    atomic_fetch_add_explicit(&of->passed, 1, memory_order_relaxed);
    if (tried != NULL) {
      *code = qd_try(context, NULL, call, bytes, tried);
      return 1;
    }
    /* No shortcut where calls are watched. */
    if (atomic_load_explicit(&limit_of_passed, memory_order_relaxed) <= 0 &&
        (stays || (context != NULL && bytes > 0)))
      qd_note_passed(context, call, comm, bytes);
    return 0;
  }
  const double before = context->statistics.seconds;
  *code = bytes == 0      ? MPI_SUCCESS
          : tried != NULL ? qd_try(context, served, call, bytes, tried)
                          : qd_do(context, served, call, bytes, NULL);
  count_served(of, served, bytes, context->statistics.seconds - before);
  return 1;
}

int qd_shim_serve_varying(qd_call* call, const int* from_counts, const int* from_places, const int* to_counts,
                          const int* to_places, MPI_Comm comm, int* code) {
  if (disabled) return 0;
  counter* of = &varying_counters[call->collective];
  int stays;
  quadrille_context* context = context_of(comm, &stays);
  /* alltoallv compares counts before it is known who does it, so it is asked for. */
  if (context == NULL || (call->collective == QD_ALLTOALL && !context->takes_alltoallv)) {
    atomic_fetch_add_explicit(&of->passed, 1, memory_order_relaxed);
    return 0;
  }
  const size_t size = (size_t)context->size;
  MPI_Count* counts = malloc(2 * size * sizeof *counts);
  MPI_Aint* places = malloc(2 * size * sizeof *places);
  if (counts == NULL || places == NULL) {
    qd_error error;
    snprintf(error.text, sizeof error.text, "quadrille: rank %d: no memory", context->rank);
    qd_give_up(&error);
    return 0;
  }
  for (size_t r = 0; r < size; ++r) {
    if (from_counts != NULL) counts[r] = from_counts[r];
    if (from_places != NULL) places[r] = from_places[r];
    if (to_counts != NULL) counts[size + r] = to_counts[r];
    if (to_places != NULL) places[size + r] = to_places[r];
  }
  /* MPI asks for both: what it would refuse is left to it. */
  const int has_places = call->collective != QD_REDUCE_SCATTER;
  call->from_counts = from_counts == NULL || (has_places && from_places == NULL) ? NULL : counts;
  call->from_places = from_places == NULL ? NULL : places;
  call->to_counts = to_counts == NULL || (has_places && to_places == NULL) ? NULL : counts + size;
  call->to_places = to_places == NULL ? NULL : places + size;
  if (call->collective == QD_REDUCE_SCATTER) call->to_count = counts[context->rank];
  check_call(context, call);
  if (context->nodes != NULL) {
    const int done = serve_by_nodes(context, call, of, code);
    free(counts);
    free(places);
    return done;
  }
  const int is_left = qd_leaves_devices(context, call, 1, code);
  qd_extent extent = is_left ? qd_too_long : qd_extent_of(context, call);
  if (call->collective == QD_ALLTOALL && !is_left) {
    int64_t words[2] = {extent.longest, extent.all};
    qd_error error = {""};
    if (!qd_compare_numbers(context, words, "agree about sizes of alltoallv", &error)) qd_give_up(&error);
    extent = (qd_extent){words[0], words[1]};
  }
  const qd_served* served = qd_serving_varying(context, call, extent);
  if (served == NULL) {
    atomic_fetch_add_explicit(&of->passed, 1, memory_order_relaxed);
  } else {
    const double before = context->statistics.seconds;
    *code = qd_do_varying(context, call, &extent, NULL);
    count_served(of, served, (uint64_t)(extent.all / context->size), context->statistics.seconds - before);
  }
  free(counts);
  free(places);
  return served != NULL;
}

/* --- MPI's names ------------------------------------------------------------------------------------------ */

/* Handles that are pointers are words; those that are numbers are the lower half of one. */
#if defined(OPEN_MPI) || defined(QUADRILLE_MPI_ABI)
#define QD_HANDLE(type, w) ((type)(w))
#else
#define QD_HANDLE(type, w) ((type)(int)(w))
#endif
#define QD_TYPE(w) QD_HANDLE(MPI_Datatype, w)
#define QD_COMM(w) QD_HANDLE(MPI_Comm, w)
#define QD_OP(w) QD_HANDLE(MPI_Op, w)
#define QD_INT(w) ((int)(w))

/* Whoever is behind us. `forward` has words as parameters, too. */
#define QD_DECLARE(name, types)                           \
  extern int forward_##name types __asm__("PMPI_" #name); \
  extern int take_##name types __asm__("MPI_" #name) __attribute__((visibility("default")));

/* `function` is what is served, or passed on: name, parameters, arguments, the call. `next` may be told to who wants it. */
#define QD_TAKE_BY(function, serve, note, name, parameters, arguments, types, ...)              \
  QD_HOT function parameters {                                                                  \
    static int(*volatile next) types;                                                           \
    if (chained && next == NULL) *(void* volatile*)&next = dlsym(RTLD_NEXT, "MPI_" #name);      \
    if (!disabled) {                                                                            \
      qd_call call = {__VA_ARGS__};                                                             \
      int code = MPI_SUCCESS;                                                                   \
      note;                                                                                     \
      if (serve) return code;                                                                   \
    }                                                                                           \
    const double limit = atomic_load_explicit(&limit_of_passed, memory_order_relaxed);          \
    if (limit <= 0) return chained && next != NULL ? next arguments : forward_##name arguments; \
    qd_begin_watched(limit, rank_in_world, "MPI_" #name);                                       \
    const int out = chained && next != NULL ? next arguments : forward_##name arguments;        \
    qd_end_watched();                                                                           \
    return out;                                                                                 \
  }
/* What a shortcut leads to. */
static void note_next(int collective, word next, const char* name) {
  if (atomic_load(&qd_shortcuts[collective].next) != 0) return;
  if (!chained || next == 0) next = (word)dlsym(RTLD_DEFAULT, name);
  atomic_store(&qd_shortcuts[collective].next, next);
}
/* Kind, root, count and type at the root, count and type elsewhere: what says whether the call is passed on as the last one was. */
#define QD_TAKE(kind, root, root_count, root_type, count, type, name, parameters, arguments, types, comm,  \
                ...)                                                                                       \
  QD_DECLARE(name, types)                                                                                  \
  QD_TAKE_BY(__attribute__((noinline)) static int long_way_##name,                                         \
             qd_shim_serve(&call, QD_COMM(comm), &code), note_next(kind, (word)next, "PMPI_" #name), name, \
             parameters, arguments, types, .collective = (kind), __VA_ARGS__)                              \
  QD_HOT __attribute__((aligned(64))) int take_##name parameters {                                         \
    const word next = qd_by_shortcut(&qd_shortcuts[kind], comm, root, root_count, root_type, count, type); \
    return next != 0 ? ((int(*) types)next)arguments : long_way_##name arguments;                          \
  }
#define QD_EXCHANGED                                                                                    \
  .from = (const void*)from, .from_count = QD_INT(m), .from_type = QD_TYPE(from_type), .to = (void*)to, \
  .to_count = QD_INT(n), .to_type = QD_TYPE(to_type)
#define QD_COMBINED                                                                                \
  .from = (const void*)from, .from_count = QD_INT(n), .from_type = QD_TYPE(type), .to = (void*)to, \
  .to_count = QD_INT(n), .to_type = QD_TYPE(type), .op = QD_OP(op)

QD_TAKE(QD_BROADCAST, 0, n, type, n, type, Bcast, (word to, word n, word type, word root, word comm),
        (to, n, type, root, comm), (word, word, word, word, word), comm, .to = (void*)to,
        .to_count = QD_INT(n), .to_type = QD_TYPE(type), .root = QD_INT(root))
QD_TAKE(QD_SCATTER, root, m, from_type, n, to_type, Scatter,
        (word from, word m, word from_type, word to, word n, word to_type, word root, word comm),
        (from, m, from_type, to, n, to_type, root, comm), (word, word, word, word, word, word, word, word),
        comm, QD_EXCHANGED, .root = QD_INT(root))
QD_TAKE(QD_GATHER, root, n, to_type, m, from_type, Gather,
        (word from, word m, word from_type, word to, word n, word to_type, word root, word comm),
        (from, m, from_type, to, n, to_type, root, comm), (word, word, word, word, word, word, word, word),
        comm, QD_EXCHANGED, .root = QD_INT(root))
QD_TAKE(QD_ALLGATHER, 0, n, to_type, n, to_type, Allgather,
        (word from, word m, word from_type, word to, word n, word to_type, word comm),
        (from, m, from_type, to, n, to_type, comm), (word, word, word, word, word, word, word), comm,
        QD_EXCHANGED)
QD_TAKE(QD_ALLTOALL, 0, n, to_type, n, to_type, Alltoall,
        (word from, word m, word from_type, word to, word n, word to_type, word comm),
        (from, m, from_type, to, n, to_type, comm), (word, word, word, word, word, word, word), comm,
        QD_EXCHANGED)
QD_TAKE(QD_REDUCE, 0, n, type, n, type, Reduce,
        (word from, word to, word n, word type, word op, word root, word comm),
        (from, to, n, type, op, root, comm), (word, word, word, word, word, word, word), comm, QD_COMBINED,
        .root = QD_INT(root))
QD_TAKE(QD_REDUCE_SCATTER, 0, n, type, n, type, Reduce_scatter_block,
        (word from, word to, word n, word type, word op, word comm), (from, to, n, type, op, comm),
        (word, word, word, word, word, word), comm, QD_COMBINED)
QD_TAKE(QD_ALLREDUCE, 0, n, type, n, type, Allreduce,
        (word from, word to, word n, word type, word op, word comm), (from, to, n, type, op, comm),
        (word, word, word, word, word, word), comm, QD_COMBINED)

#define QD_TAKE_VARYING(from_counts, from_places, to_counts, to_places, name, parameters, arguments, types, \
                        ...)                                                                                \
  QD_DECLARE(name, types)                                                                                   \
  QD_TAKE_BY(int take_##name,                                                                               \
             qd_shim_serve_varying(&call, (const int*)(from_counts), (const int*)(from_places),             \
                                   (const int*)(to_counts), (const int*)(to_places), QD_COMM(comm), &code), \
             , name, parameters, arguments, types, .varies = 1, .from = (const void*)from, .to = (void*)to, \
             __VA_ARGS__)

QD_TAKE_VARYING(NULL, NULL, n, at, Allgatherv,
                (word from, word m, word from_type, word to, word n, word at, word to_type, word comm),
                (from, m, from_type, to, n, at, to_type, comm),
                (word, word, word, word, word, word, word, word), .collective = QD_ALLGATHER,
                .from_count = QD_INT(m), .from_type = QD_TYPE(from_type), .to_type = QD_TYPE(to_type))
QD_TAKE_VARYING((void*)from == MPI_IN_PLACE ? 0 : m, (void*)from == MPI_IN_PLACE ? 0 : from_at, n, to_at,
                Alltoallv,
                (word from, word m, word from_at, word from_type, word to, word n, word to_at, word to_type,
                 word comm),
                (from, m, from_at, from_type, to, n, to_at, to_type, comm),
                (word, word, word, word, word, word, word, word, word), .collective = QD_ALLTOALL,
                .from_type = QD_TYPE(from_type), .to_type = QD_TYPE(to_type))
QD_TAKE_VARYING(n, NULL, NULL, NULL, Reduce_scatter,
                (word from, word to, word n, word type, word op, word comm), (from, to, n, type, op, comm),
                (word, word, word, word, word, word), .collective = QD_REDUCE_SCATTER,
                .from_type = QD_TYPE(type), .to_type = QD_TYPE(type), .op = QD_OP(op))
