/* Contexts: what all ranks of a communicator agree on before the first call. */
#include "context.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Thread_local qd_error qd_last_error;

/* --- errors ----------------------------------------------------------------------------------------------- */

#ifdef QUADRILLE_SHIM
/* What stopped in the middle cannot be taken back, and a program that does not ask for errors must not go on with what it left.
 * Said here: an MPI's own way to say why it aborts may lose it where several ranks abort at once; who has nothing to say
 * lets the others speak first. */
void qd_give_up(const qd_error* error) {
  const struct timespec until_read = {0, error != NULL ? 200000000 : 500000000};
  if (error != NULL) fprintf(stderr, "%s\n", error->text);
  fflush(stderr);
  nanosleep(&until_read, NULL);
  PMPI_Abort(MPI_COMM_WORLD, 3);
}
#endif

int qd_raise(quadrille_context* context, MPI_Comm comm, const qd_error* error) {
#ifdef QUADRILLE_SHIM
  if (context != NULL && context->broken) qd_give_up(error);
#endif
  static _Atomic int known = 0;
  int code = atomic_load(&known);
  if (code == 0) {
    int class;
    if (PMPI_Add_error_class(&class) != MPI_SUCCESS || PMPI_Add_error_code(class, &code) != MPI_SUCCESS)
      code = MPI_ERR_OTHER;
    atomic_store(&known, code);
  }
  /* What is wrong with a file is said without who says so. */
  const char* who = strncmp(error->text, "quadrille", strlen("quadrille")) == 0 ? "" : "quadrille: ";
  const qd_error why = *error;
  snprintf(qd_last_error.text, sizeof qd_last_error.text, "%s%.*s", who,
           (int)(sizeof why.text - strlen(who) - 1), why.text);
  char text[MPI_MAX_ERROR_STRING];
  snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, qd_last_error.text);
  if (code != MPI_ERR_OTHER) PMPI_Add_error_string(code, text);
  if (context != NULL) comm = context->user;
  return qd_call_handler(comm, code);
}

int qd_call_handler(MPI_Comm comm, int code) {
  if (comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int qd_agree(MPI_Comm comm, int good, qd_error* error) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  int first = good ? size : rank;
  qd_allreduce(&first, 1, MPI_INT, MPI_MIN, comm);
  if (first == size) return !qd_is_late();
  qd_bcast(error->text, sizeof error->text, MPI_CHAR, first, comm);
  return 0;
}

/* --- until MPI_Finalize ----------------------------------------------------------------------------------- */

static quadrille_context* all_contexts;
static atomic_flag all_lock = ATOMIC_FLAG_INIT;
static int self_keyval = MPI_KEYVAL_INVALID;

static void lock(void) {
  while (atomic_flag_test_and_set(&all_lock)) continue;
}
static void unlock(void) { atomic_flag_clear(&all_lock); }

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, while communication still works. */
static int finalizing;
int qd_is_over(void) { return finalizing; }

static int free_all(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  finalizing = 1;
  while (all_contexts != NULL) {
    quadrille_context* next = all_contexts->next;
    qd_destroy(all_contexts);
    all_contexts = next;
  }
  return MPI_SUCCESS;
}

void qd_remember(quadrille_context* context) {
  lock();
  const int first = self_keyval == MPI_KEYVAL_INVALID;
  context->next = all_contexts;
  all_contexts = context;
  if (first) PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_all, &self_keyval, NULL);
  unlock();
  if (first) PMPI_Comm_set_attr(MPI_COMM_SELF, self_keyval, NULL);
}

void qd_forget(const quadrille_context* context) {
  lock();
  quadrille_context** at = &all_contexts;
  while (*at != NULL && *at != context) at = &(*at)->next;
  if (*at != NULL) *at = context->next;
  unlock();
}

/* A user may free a communicator before its contexts, which then call nobody's error handler. */
static int user_keyval = MPI_KEYVAL_INVALID;

static int leave_user(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)keyval, (void)value, (void)extra;
  lock();
  for (quadrille_context* each = all_contexts; each != NULL; each = each->next) {
    if (each->user != comm) continue;
    each->user = MPI_COMM_NULL;
    quadrille_context* leaders = qd_leaders_of(each);
    if (leaders != NULL) leaders->user = MPI_COMM_NULL;
  }
  unlock();
  return MPI_SUCCESS;
}

static void watch_user(MPI_Comm comm) {
  lock();
  if (user_keyval == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave_user, &user_keyval, NULL);
  unlock();
  void* value;
  int found = 0;
  PMPI_Comm_get_attr(comm, user_keyval, &value, &found);
  if (!found) PMPI_Comm_set_attr(comm, user_keyval, NULL);
}

/* --- making ----------------------------------------------------------------------------------------------- */

/* What rank 0 knows of a set, for the others. */
typedef struct {
  char topology[256];
  uint32_t ranks;
  uint32_t num_entries;
  double timeout, check;
  int online, devices;
} shared_set;

const char* qd_setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL || *text == 0 ? NULL : text;
}

int qd_read_seconds(const char* name, double* seconds, qd_error* error) {
  const char* text = qd_setting(name);
  *seconds = 0;
  if (text == NULL) return 1;
  char* end;
  *seconds = strtod(text, &end);
  return (*end == 0 && *seconds >= 0) ||
         qd_fail(error, "quadrille: %s is '%s'; allowed is a number of seconds", name, text);
}

int qd_read_switch(const char* name, int* on, qd_error* error) {
  const char* text = qd_setting(name);
  *on = text != NULL && strcmp(text, "1") == 0;
  return *on || text == NULL || strcmp(text, "0") == 0 ||
         qd_fail(error, "quadrille: %s is '%s'; allowed are 0 and 1", name, text);
}

/* The same topology and map on all ranks. */
static int agree_on_arguments(const quadrille_context* context, const char* topology, const int* node_of_rank,
                              qd_error* error) {
  char first[256] = "";
  char mine[256] = "";
  if (topology != NULL) snprintf(mine, sizeof mine, "%s", topology);
  memcpy(first, mine, sizeof first);
  qd_bcast(first, sizeof first, MPI_CHAR, 0, context->comm);
  int good = strcmp(first, mine) == 0;
  if (!good)
    qd_fail(error, "quadrille: the topology must be the same on all ranks: rank %d gives '%s', rank 0 '%s'",
            context->rank, mine, first);
  int* map = malloc(((size_t)context->size + 1) * sizeof *map);
  int has_map = node_of_rank != NULL;
  qd_bcast(&has_map, 1, MPI_INT, 0, context->comm);
  if (good && has_map != (node_of_rank != NULL))
    good = qd_fail(error,
                   "quadrille: the map of ranks must be the same on all ranks: rank %d gives %s, rank 0 %s",
                   context->rank, node_of_rank != NULL ? "one" : "none", has_map ? "one" : "none");
  if (has_map && map != NULL) {
    if (context->rank == 0) memcpy(map, node_of_rank, (size_t)context->size * sizeof *map);
    qd_bcast(map, context->size, MPI_INT, 0, context->comm);
    for (int r = 0; r < context->size && good && node_of_rank != NULL && !qd_is_late(); ++r) {
      if (map[r] != node_of_rank[r])
        good = qd_fail(
            error,
            "quadrille: the map of ranks must be the same on all ranks: rank %d puts rank %d on %d, rank 0 on %d",
            context->rank, r, node_of_rank[r], map[r]);
    }
  }
  if (!qd_is_late()) free(map);
  return qd_agree(context->comm, good, error);
}

/* rank_at[endpoint], or null where ranks sit as they are numbered. */
static int invert(const quadrille_context* context, const int* node_of_rank, int** rank_at, qd_error* error) {
  *rank_at = NULL;
  if (node_of_rank == NULL) return 1;
  int* out = malloc((size_t)context->size * sizeof *out);
  if (out == NULL) return qd_fail(error, "quadrille: no memory");
  for (int r = 0; r < context->size; ++r) out[r] = -1;
  int moved = 0;
  for (int r = 0; r < context->size; ++r) {
    const int node = node_of_rank[r];
    if (node < 0 || node >= context->size || out[node] >= 0) {
      free(out);
      return qd_fail(error,
                     "quadrille: the map of ranks puts rank %d on %d; each of the %d endpoints has one rank",
                     r, node, context->size);
    }
    out[node] = r;
    moved |= node != r;
  }
  if (!moved) {
    free(out);
    return 1;
  }
  *rank_at = out;
  return 1;
}

/* What rank 0 says of a file before its words. */
typedef struct {
  int good;
  qd_head head;
  qd_error error;
} told_of_file;

static uint32_t endpoint_of(const quadrille_context* context, int rank) {
  return context->node_of_rank == NULL ? (uint32_t)rank : (uint32_t)context->node_of_rank[rank];
}

/* Rank 0's words to all, in parts that int can count. */
static void share_words(uint32_t* words, uint64_t count, MPI_Comm comm) {
  const uint64_t most = (uint64_t)1 << 28;
  for (uint64_t at = 0; at < count; at += most)
    qd_bcast(words + at, (int)(count - at < most ? count - at : most), MPI_UINT32_T, 0, comm);
}

/* One part for all, which each rank moves to where it sits. */
static int share_one_part(const quadrille_context* context, const qd_file* file, const qd_head* head,
                          const int* rank_at, qd_program* program, qd_error* error) {
  const uint64_t ways = qd_ways_length(head);
  uint32_t length = 0;
  if (context->rank == 0) length = qd_part_length(file, 0);
  qd_bcast(&length, 1, MPI_UINT32_T, 0, context->comm);
  uint32_t* all = malloc((size_t)(ways + length) * sizeof *all);
  int* to = malloc((size_t)context->size * sizeof *to);
  int everywhere = all != NULL && to != NULL;
  qd_allreduce(&everywhere, 1, MPI_INT, MPI_MIN, context->comm);
  int good = everywhere || qd_fail(error, "quadrille: no memory for a program of %" PRIu32 " words", length);
  if (good) {
    if (context->rank == 0 && !(qd_read_words(file, (uint64_t)head->table + QD_WAYS_AT, ways, all) &&
                                qd_read_part(file, 0, length, all + ways)))
      memset(all, 0, (size_t)(ways + length) * sizeof *all); /* which makes no sense at any rank */
    share_words(all, ways + length, context->comm);
    /* The words belong to whatever may still come. */
    if (qd_is_late()) return 0;
    const uint32_t endpoint = endpoint_of(context, context->rank);
    good =
        qd_translate(all, head, endpoint, rank_at, to)
            ? qd_load_program(all + ways, length, head, 0, to, program, error)
            : qd_fail(error, "the program of endpoint %" PRIu32 " is damaged: no way leads there", endpoint);
  }
  free(all);
  free(to);
  return good;
}

/* Each rank gets what it needs of its own part, one after the other, so that rank 0 holds one part at a time. */
static int share_parts(const quadrille_context* context, const qd_file* file, const qd_head* head,
                       const int* counts, const int* rank_at, qd_program* program, qd_error* error) {
  int mine = 0, most = 0;
  mine = qd_scatter_int(counts, context->comm);
  for (int r = 0; r < context->size && context->rank == 0; ++r) most = counts[r] > most ? counts[r] : most;
  uint32_t* part = malloc(((size_t)(context->rank == 0 ? most : mine) + 1) * sizeof *part);
  /* A rank without memory still takes part. */
  int everywhere = part != NULL;
  qd_allreduce(&everywhere, 1, MPI_INT, MPI_MIN, context->comm);
  if (qd_is_late()) return 0;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int r = context->size - 1; r >= 0 && everywhere && context->rank == 0; --r) {
    if (!qd_read_part(file, endpoint_of(context, r), (uint32_t)counts[r], part))
      memset(part, 0, (size_t)counts[r] * sizeof *part); /* which makes no sense there */
    if (r > 0) PMPI_Isend(part, counts[r], MPI_UINT32_T, r, 0, context->comm, &request);
    qd_await(&request);
    if (qd_is_late()) return 0;
  }
  if (everywhere && context->rank > 0) {
    PMPI_Irecv(part, mine, MPI_UINT32_T, 0, 0, context->comm, &request);
    qd_await(&request);
    if (qd_is_late()) return 0;
  }
  const int good = everywhere ? qd_load_program(part, (uint32_t)mine, head,
                                                endpoint_of(context, context->rank), rank_at, program, error)
                              : qd_fail(error, "quadrille: no memory");
  free(part);
  return good;
}

/* Rank 0 reads a file, and all get their programs of it. 0 where no rank does; `good`: whether this one has its own. */
static int share_program(quadrille_context* context, const char* folder, const int* rank_at,
                         qd_served* served, int* good, qd_error* error) {
  told_of_file told = {.good = 1};
  qd_file file = {.stream = NULL};
  int* counts = calloc((size_t)context->size, sizeof *counts);
  told.good = counts != NULL;
  if (!told.good) qd_fail(&told.error, "quadrille: no memory");
  if (context->rank == 0 && told.good) {
    char path[4096 + 160];
    snprintf(path, sizeof path, "%s/%s", folder, served->is.file);
    told.good = qd_open_file(path, &file, &told.error);
    told.head = file.head;
    const qd_set_entry* is = &served->is;
    if (told.good && (told.head.digest != is->digest || told.head.collective != is->collective ||
                      told.head.root != is->root || told.head.ranks != (uint32_t)context->size ||
                      told.head.pieces != is->pieces))
      told.good = qd_fail(
          &told.error, "%s is not the program that programs.txt says: digest %016" PRIx64 ", not %016" PRIx64,
          path, told.head.digest, is->digest);
    for (int r = 0; r < context->size && told.good; ++r) {
      const uint32_t node = endpoint_of(context, r);
      const uint32_t length = qd_part_length(&file, node);
      counts[r] = (int)length;
      if (length == 0 || length > INT32_MAX)
        told.good =
            qd_fail(&told.error, "%s: damaged: the part of endpoint %" PRIu32 " makes no sense", path, node);
    }
  }
  qd_bcast(&told, sizeof told, MPI_BYTE, 0, context->comm);
  if (told.good && !qd_is_late()) {
    served->head = told.head;
    qd_error mine = {""};
    const int loaded =
        told.head.generators > 0
            ? share_one_part(context, &file, &told.head, rank_at, &served->program, &mine)
            : share_parts(context, &file, &told.head, counts, rank_at, &served->program, &mine);
    if (*good && !loaded) *error = mine;
    *good &= loaded;
    /* In the order of endpoints is not in the order of ranks. */
    if (rank_at != NULL) served->head.in_order = 0;
  } else {
    *error = told.error;
  }
  qd_close_file(&file);
  if (!qd_is_late()) free(counts);
  return told.good && !qd_is_late();
}

int qd_create(MPI_Comm comm, const char* topology, const qd_set* set, const char* folder,
              const int* node_of_rank, quadrille_context** context, qd_error* error) {
  quadrille_context* out = calloc(1, sizeof *out);
  if (out == NULL) return qd_fail(error, "quadrille: no memory");
  out->user = comm;
  /* Each rank's own: either kind of message meets the other. Simulators may have no use for persistent ones. */
  const char* pairs = getenv("QUADRILLE_PERSISTENT");
  out->keeps_pairs = pairs == NULL || strcmp(pairs, "0") != 0;
  PMPI_Comm_rank(comm, &out->rank);
  PMPI_Comm_size(comm, &out->size);
  if (!qd_split(comm, 0, out->rank, &out->comm)) {
    free(out);
    return 0;
  }
  qd_agree_on_own(out->comm);
  int* rank_at = NULL;
  int good =
      agree_on_arguments(out, topology, node_of_rank, error) && invert(out, node_of_rank, &rank_at, error);
  if (!good) goto failed;
  if (rank_at != NULL) {
    out->node_of_rank = malloc((size_t)out->size * sizeof *out->node_of_rank);
    if (out->node_of_rank != NULL)
      memcpy(out->node_of_rank, node_of_rank, (size_t)out->size * sizeof *node_of_rank);
  }
  shared_set told = {.ranks = 0};
  if (out->rank == 0) {
    memcpy(told.topology, set->topology, sizeof told.topology);
    told.ranks = set->ranks;
    told.num_entries = set->num_entries;
    if (!qd_read_seconds("QUADRILLE_TIMEOUT", &told.timeout, error) ||
        !qd_read_seconds("QUADRILLE_CHECK", &told.check, error) ||
        (told.online = qd_wants_online(error)) < 0 || !qd_read_devices(&told.devices, error))
      told.ranks = 0;
    if (told.ranks != 0 && told.ranks != (uint32_t)out->size) {
      qd_fail(error,
              "quadrille: the programs of '%s' are for %s with %" PRIu32
              " endpoints, and the communicator has %d ranks",
              folder, set->topology, told.ranks, out->size);
      told.ranks = 0;
    }
    if (told.ranks != 0 && topology != NULL && strcmp(topology, set->topology) != 0) {
      qd_fail(error, "quadrille: the programs of '%s' are for %s, not for %s", folder, set->topology,
              topology);
      told.ranks = 0;
    }
  }
  qd_bcast(&told, sizeof told, MPI_BYTE, 0, out->comm);
  if (told.ranks == 0) {
    qd_bcast(error->text, sizeof error->text, MPI_CHAR, 0, out->comm);
    goto failed;
  }
  if (qd_is_late()) goto failed;
  qd_agree_on_limit(told.timeout);
  memcpy(out->topology, told.topology, sizeof out->topology);
  out->timeout = told.timeout;
  out->check = told.check;
  out->devices = qd_agree_on_devices(out->comm, told.devices);
  out->served = calloc((size_t)told.num_entries + 1, sizeof *out->served);
  good = out->served != NULL && (!told.online || qd_begin_online(out));
  good = qd_agree(out->comm, good || qd_fail(error, "quadrille: no memory"), error);
  if (!good) goto failed;
  int mine = 1;
  for (uint32_t e = 0; e < told.num_entries && good; ++e) {
    qd_served* served = &out->served[e];
    if (out->rank == 0) served->is = set->entries[e];
    qd_bcast(&served->is, sizeof served->is, MPI_BYTE, 0, out->comm);
    good = share_program(out, folder, rank_at, served, &mine, error);
    out->num_served = e + 1;
  }
  good = good && qd_agree(out->comm, mine, error);
  if (!good) goto failed;
  qd_bound_sizes(out);
  free(rank_at);
  qd_remember(out);
  *context = out;
  return 1;

failed:
  free(rank_at);
  out->broken = qd_is_late();
  qd_destroy(out);
  return 0;
}

void qd_destroy(quadrille_context* context) {
  while (context->idle != NULL) {
    qd_operation* next = context->idle->next;
    qd_free_operation(context->idle);
    context->idle = next;
  }
  qd_free_online(context);
  for (uint32_t i = 0; i < context->num_served; ++i) qd_free_program(&context->served[i].program);
  free(context->served);
  free(context->node_of_rank);
  qd_free_nodes(context->nodes, context->broken);
  /* Where ranks are missing messages may be under way, and nothing is done together. */
  if (!context->broken) PMPI_Comm_free(&context->comm);
  free(context);
}

void qd_bound_sizes(quadrille_context* context) {
  for (int c = 0; c < QD_COLLECTIVES; ++c) {
    context->sizes[c].least = UINT64_MAX;
    context->sizes[c].most = 0;
  }
  for (uint32_t i = 0; i < context->num_served; ++i) {
    const qd_set_entry* is = &context->served[i].is;
    if (is->from < context->sizes[is->collective].least) context->sizes[is->collective].least = is->from;
    if (is->to > context->sizes[is->collective].most) context->sizes[is->collective].most = is->to;
  }
}

QD_HOT const qd_served* qd_choose(const quadrille_context* context, int collective, int root,
                                  uint64_t bytes) {
  uint32_t endpoint = QD_NO_ROOT;
  if (bytes < context->sizes[collective].least || bytes > context->sizes[collective].most) return NULL;
  if (qd_is_rooted(collective)) {
    if (root < 0 || root >= context->size) return NULL;
    endpoint = context->node_of_rank == NULL ? (uint32_t)root : (uint32_t)context->node_of_rank[root];
  }
  for (uint32_t i = 0; i < context->num_served; ++i) {
    const qd_set_entry* is = &context->served[i].is;
    if (is->collective == (uint32_t)collective && is->root == endpoint && is->from <= bytes &&
        bytes <= is->to)
      return &context->served[i];
  }
  return NULL;
}

/* --- for users -------------------------------------------------------------------------------------------- */

int quadrille_context_create(MPI_Comm communicator, const char* topology, const char* programs,
                             const int* node_of_rank, quadrille_context** context) {
  qd_error error = {""};
  int rank, inter;
  *context = NULL;
  if (communicator == MPI_COMM_NULL) {
    qd_fail(&error, "quadrille: a context needs a communicator, and this is MPI_COMM_NULL");
    return qd_raise(NULL, MPI_COMM_WORLD, &error);
  }
  PMPI_Comm_test_inter(communicator, &inter);
  if (inter) {
    qd_fail(&error,
            "quadrille: a context needs a communicator of one group, and this is an intercommunicator");
    return qd_raise(NULL, communicator, &error);
  }
  PMPI_Comm_rank(communicator, &rank);
  qd_set set = {.ranks = 0};
  qd_begin_agreements();
  int good = qd_together(communicator);
  if (rank == 0 && good) {
    if (programs == NULL) programs = qd_setting("QUADRILLE_PROGRAMS");
    good = programs == NULL
               ? qd_fail(&error,
                         "quadrille: no programs: neither the argument nor QUADRILLE_PROGRAMS names a folder")
               : qd_read_set_to_try(programs, &set, &error);
  }
  good = qd_agree(communicator, good, &error);
  int* found = NULL;
  if (good) {
    /* A rank for each endpoint, or as many on each. */
    int size;
    uint32_t endpoints = set.ranks;
    PMPI_Comm_size(communicator, &size);
    qd_bcast(&endpoints, 1, MPI_UINT32_T, 0, communicator);
    qd_bcast(set.topology, sizeof set.topology, MPI_CHAR, 0, communicator);
    found = malloc((size_t)size * sizeof *found);
    int all[2] = {found != NULL, node_of_rank == NULL};
    qd_allreduce(all, 2, MPI_INT, MPI_MIN, communicator);
    if (all[0] && all[1] && qd_find_places(communicator, set.topology, programs, size, found))
      node_of_rank = found;
    const int by_nodes = endpoints > 0 && (uint32_t)size > endpoints && (uint32_t)size % endpoints == 0;
    good = (by_nodes ? qd_create_by_nodes : qd_create)(communicator, topology, &set, programs, node_of_rank,
                                                       context, &error);
    if (good && by_nodes) qd_remember(*context);
  }
  if (!qd_is_late()) free(found);
  good = qd_end_agreements(communicator, &error) && good;
  qd_free_set(&set);
  if (good) watch_user(communicator);
  return good ? MPI_SUCCESS : qd_raise(NULL, communicator, &error);
}

int quadrille_context_free(quadrille_context** context) {
  if (*context == NULL) return MPI_SUCCESS;
  if ((*context)->requests > 0) {
    qd_error error;
    qd_fail(&error, "quadrille: rank %d: a context is freed that has %d requests", (*context)->rank,
            (*context)->requests);
    return qd_raise(*context, MPI_COMM_NULL, &error);
  }
  qd_forget(*context);
  qd_destroy(*context);
  *context = NULL;
  return MPI_SUCCESS;
}

int quadrille_context_places(const quadrille_context* context, int* node_of_rank) {
  for (int r = 0; r < context->size; ++r) {
    const int place = context->nodes == NULL ? r : qd_leader_of(context, r);
    node_of_rank[r] = context->node_of_rank == NULL ? place : context->node_of_rank[place];
  }
  return MPI_SUCCESS;
}

int quadrille_context_explain(const quadrille_context* context, const char* collective, MPI_Count bytes,
                              int root, char* text, size_t size) {
  const size_t length = strlen(collective);
  const int varies = strcmp(collective, "allgatherv") == 0 || strcmp(collective, "alltoallv") == 0 ||
                     strcmp(collective, "gatherv") == 0 || strcmp(collective, "scatterv") == 0;
  const int kind = qd_collective_called(collective, length - (size_t)varies);
  const int by_nodes = context->nodes != NULL;
  if (!varies && qd_explain_online(context, kind, root, (uint64_t)bytes, text, size)) return MPI_SUCCESS;
  if (by_nodes && kind >= 0) bytes = qd_bytes_of_leaders(context, kind, bytes);
  const qd_served* served = kind < 0 ? NULL : qd_choose(context, kind, root, (uint64_t)bytes);
  char between[100] = "";
  if (by_nodes) qd_explain_nodes(context, between, sizeof between);
  if (served == NULL) {
    snprintf(text, size, "the MPI library: the programs for %s have none for %s of %lld bytes",
             context->topology, collective, (long long)bytes);
  } else {
    snprintf(text, size, "%s in %" PRIu32 " piece%s (%s)%s%s", served->is.algorithm, served->is.pieces,
             served->is.pieces == 1 ? "" : "s", served->is.file, between,
             varies ? ", sizes of blocks in front of each message" : "");
  }
  return MPI_SUCCESS;
}

int quadrille_context_statistics(const quadrille_context* context, quadrille_statistics* statistics) {
  *statistics = context->statistics;
  return MPI_SUCCESS;
}
