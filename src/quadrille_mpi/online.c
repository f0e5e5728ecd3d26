/* QUADRILLE_TUNE=online: who does the calls of a size is tried out in the first of them.
 *
 * The MPI library and the programs that a set has for the collective and root, whatever sizes they are for, do the blocking
 * calls in turns. Each such call begins with a barrier, so that nobody's time is another's being late, and after each round
 * all ranks agree on how long the slowest took: they decide by the same numbers, and alike. A program is taken where it is
 * clearly faster, as quadrille-mpi tune has it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "context.h"

enum { library = -1, most_cells = 64, most_candidates = 16, most_rounds = 7 };
/* Of the library's time: less than the first in the median, and less than all of it in three rounds of four; who takes more
 * than the last twice is out. */
static const double clearly = 0.95, hopeless = 2;

/* Calls of one size. */
struct qd_cell {
  int collective;
  uint32_t root;
  uint64_t bytes;
  int num;                  /* candidates; the first is the library */
  int of[most_candidates];  /* in context->served */
  int out[most_candidates]; /* no longer tried */
  int turn, round;          /* round 0 opens connections, and does not count */
  int64_t took[most_candidates];
  double ratio[most_candidates][most_rounds]; /* of the library's time in the same round */
  int is_decided, winner;
  double gain; /* what the winner takes of the library's time */
};

struct qd_online {
  double settling; /* seconds between a barrier and a call that is tried; 0: not yet measured */
  int num;
  struct qd_cell cells[most_cells];
};

static const char* const these_turns = "the turns of QUADRILLE_TUNE=online";

/* As with the other agreements: by the MPI library's blocking calls where nobody looks at the time. */
static int meet(quadrille_context* context, qd_error* error) {
  MPI_Request request;
  if (context->timeout <= 0) return PMPI_Barrier(context->comm) == MPI_SUCCESS;
  return PMPI_Ibarrier(context->comm, &request) == MPI_SUCCESS &&
         qd_wait_for_ranks(context, &request, 0, these_turns, error);
}
static int find_most(quadrille_context* context, int64_t* numbers, int count, qd_error* error) {
  if (context->timeout <= 0)
    return PMPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MAX, context->comm) == MPI_SUCCESS;
  return qd_reduce_in_time(context, context->comm, numbers, count, MPI_MAX, context->timeout, these_turns,
                           error);
}

double qd_settling_time(quadrille_context* context, qd_error* error) {
  enum { repeats = 5 };
  const int64_t most = 50000000;
  double begun = 0;
  for (int r = -1; r < repeats; ++r) {
    if (r == 0) begun = qd_now();
    if (!meet(context, error)) return -1;
  }
  int64_t out = (int64_t)(1e9 * 4 * (qd_now() - begun) / repeats);
  if (!find_most(context, &out, 1, error)) return -1;
  return 1e-9 * (double)(out < most ? out : most);
}

void qd_settle(double seconds) {
  /* To sleep less takes longer. */
  const double least = 1e-4;
  const double end = qd_now() + seconds;
  const struct timespec nap = {0, (long)(1e9 * seconds)};
  if (seconds > least) nanosleep(&nap, NULL);
  while (qd_now() < end) {
  }
}

int qd_wants_online(qd_error* error) {
  const char* text = qd_setting("QUADRILLE_TUNE");
  if (text == NULL) return 0;
  if (strcmp(text, "online") == 0) return 1;
  qd_fail(error, "quadrille: QUADRILLE_TUNE is '%s'; allowed is online", text);
  return -1;
}

int qd_read_set_to_try(const char* folder, qd_set* set, qd_error* error) {
  if (!qd_read_set(folder, set, error)) return 0;
  qd_error ignored = {""};
  char path[4096];
  if (qd_wants_online(&ignored) != 1 ||
      (size_t)snprintf(path, sizeof path, "%s/candidates.txt", folder) >= sizeof path ||
      access(path, F_OK) != 0)
    return 1;
  qd_set more;
  if (!qd_read_index(folder, "candidates.txt", &more, error)) {
    qd_free_set(set);
    return 0;
  }
  qd_set_entry* all = realloc(set->entries, ((size_t)set->num_entries + more.num_entries + 1) * sizeof *all);
  if (all != NULL) {
    set->entries = all;
    for (uint32_t i = 0; i < more.num_entries && more.ranks == set->ranks; ++i) {
      qd_set_entry* is = &more.entries[i];
      int is_there = 0;
      for (uint32_t e = 0; e < set->num_entries && !is_there; ++e)
        is_there = all[e].digest == is->digest && all[e].root == is->root;
      if (is_there) continue;
      /* For no size, but to be tried. */
      is->from = UINT64_MAX;
      is->to = 0;
      all[set->num_entries++] = *is;
    }
  }
  qd_free_set(&more);
  return all != NULL || qd_fail(error, "quadrille: no memory");
}

int qd_begin_online(quadrille_context* context) {
  context->online = calloc(1, sizeof *context->online);
  return context->online != NULL;
}

static struct qd_cell* find_cell(const quadrille_context* context, int collective, int root, uint64_t bytes,
                                 uint32_t* endpoint) {
  *endpoint = QD_NO_ROOT;
  if (qd_is_rooted(collective)) {
    if (root < 0 || root >= context->size) return NULL;
    *endpoint = context->node_of_rank == NULL ? (uint32_t)root : (uint32_t)context->node_of_rank[root];
  }
  for (int i = 0; i < context->online->num; ++i) {
    struct qd_cell* cell = &context->online->cells[i];
    if (cell->collective == collective && cell->root == *endpoint && cell->bytes == bytes) return cell;
  }
  return NULL;
}

/* Null where there is nothing to be tried, or no room. */
static struct qd_cell* cell_of(const quadrille_context* context, const qd_call* call, uint64_t bytes) {
  struct qd_online* online = context->online;
  uint32_t endpoint;
  struct qd_cell* found = find_cell(context, call->collective, call->root, bytes, &endpoint);
  if (found != NULL || online->num == most_cells ||
      qd_is_rooted(call->collective) != (endpoint != QD_NO_ROOT))
    return found;
  struct qd_cell* cell = &online->cells[online->num];
  *cell = (struct qd_cell){
      .collective = call->collective, .root = endpoint, .bytes = bytes, .num = 1, .of = {library}};
  for (uint32_t i = 0; i < context->num_served && cell->num < most_candidates; ++i) {
    const qd_set_entry* is = &context->served[i].is;
    if (is->collective == (uint32_t)call->collective && is->root == endpoint) cell->of[cell->num++] = (int)i;
  }
  if (cell->num == 1) return NULL;
  ++online->num;
  return cell;
}

QD_HOT const qd_served* qd_serving_online(quadrille_context* context, const qd_call* call,
                                          const qd_served* served, uint64_t* bytes, struct qd_cell** tried) {
  uint64_t size;
  *tried = NULL;
  if (context->online == NULL || context->broken || call->varies || call->collective >= QD_COLLECTIVES ||
      !qd_message_bytes(context, call, &size) || size == 0 || qd_is_refused(context, call))
    return served;
  if (qd_combines(call->collective) && (!qd_commutes(call->op) || !qd_is_combined(call->op, call->to_type)))
    return served;
  struct qd_cell* cell = cell_of(context, call, size);
  if (cell == NULL) return served;
  *bytes = size;
  if (!cell->is_decided) *tried = cell;
  const int of = cell->of[cell->is_decided ? cell->winner : cell->turn];
  return of == library ? NULL : &context->served[of];
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void decide(struct qd_cell* cell) {
  cell->is_decided = 1;
  cell->gain = 1;
  for (int c = 1; c < cell->num; ++c) {
    if (cell->out[c]) continue;
    double sorted[most_rounds];
    memcpy(sorted, cell->ratio[c], sizeof sorted);
    qsort(sorted, most_rounds, sizeof *sorted, by_value);
    const double median = sorted[most_rounds / 2], upper = sorted[most_rounds * 3 / 4];
    if (median >= clearly || upper >= 1 || median >= cell->gain) continue;
    cell->winner = c;
    cell->gain = median;
  }
}

/* All ranks have been round. */
static int end_round(quadrille_context* context, struct qd_cell* cell, qd_error* error) {
  if (!find_most(context, cell->took, cell->num, error)) return 0;
  cell->turn = 0;
  const int round = cell->round++;
  int left = 0;
  for (int c = 1; c < cell->num && round > 0; ++c) {
    if (cell->out[c]) continue;
    double* ratio = cell->ratio[c];
    ratio[round - 1] = (double)cell->took[c] / (double)(cell->took[0] > 0 ? cell->took[0] : 1);
    cell->out[c] = round > 1 && ratio[round - 1] > hopeless && ratio[round - 2] > hopeless;
    left += !cell->out[c];
  }
  if (round > 0 && (left == 0 || round == most_rounds)) decide(cell);
  return 1;
}

static int fail_in_turns(quadrille_context* context, qd_error* error) {
  if (error->text[0] == 0)
    qd_fail(error, "quadrille: rank %d: the MPI library failed in %s", context->rank, these_turns);
  return qd_raise(context, MPI_COMM_NULL, error);
}

/* All have just met. */
static int let_library(quadrille_context* context, const qd_call* call) {
  ++context->statistics.passed;
  qd_begin_watched(context->timeout, context->rank, qd_collective_names[call->collective]);
  const int code = qd_pass_on(call, context->rank, context->comm, NULL);
  qd_end_watched();
  return code == MPI_SUCCESS ? code : qd_call_handler(context->user, code);
}

int qd_try(quadrille_context* context, const qd_served* served, const qd_call* call, uint64_t bytes,
           struct qd_cell* cell) {
  qd_error error = {""};
  int good =
      !context->has_had_requests || qd_meet_all(context, "take turns of QUADRILLE_TUNE=online", &error);
  if (good && context->online->settling == 0) {
    context->online->settling = qd_settling_time(context, &error);
    good = context->online->settling >= 0;
  }
  if (!good || !meet(context, &error)) return fail_in_turns(context, &error);
  qd_settle(context->online->settling);
  const double begun = qd_now();
  const int code = served != NULL ? qd_do(context, served, call, bytes, NULL) : let_library(context, call);
  if (code != MPI_SUCCESS || context->broken) return code;
  cell->took[cell->turn++] = (int64_t)(1e9 * (qd_now() - begun));
  while (cell->turn < cell->num && cell->out[cell->turn]) ++cell->turn;
  if (cell->turn == cell->num && !end_round(context, cell, &error)) return fail_in_turns(context, &error);
  return MPI_SUCCESS;
}

static void say_cell(const quadrille_context* context, const struct qd_cell* cell, char* text, size_t size) {
  if (!cell->is_decided) {
    snprintf(text, size, "being tried: the MPI library and %d programs take turns, round %d of %d",
             cell->num - 1, cell->round, most_rounds);
  } else if (cell->winner == 0) {
    snprintf(text, size, "the MPI library: tried, and no program was clearly faster");
  } else {
    const qd_set_entry* is = &context->served[cell->of[cell->winner]].is;
    snprintf(text, size, "%s in %" PRIu32 " piece%s (%s): tried, %.2f of the MPI library's time",
             is->algorithm, is->pieces, is->pieces == 1 ? "" : "s", is->file, cell->gain);
  }
}

int qd_explain_online(const quadrille_context* context, int collective, int root, uint64_t bytes, char* text,
                      size_t size) {
  uint32_t endpoint;
  if (context->online == NULL || collective < 0 || collective >= QD_COLLECTIVES) return 0;
  const struct qd_cell* cell = find_cell(context, collective, root, bytes, &endpoint);
  if (cell != NULL) say_cell(context, cell, text, size);
  return cell != NULL;
}

void qd_free_online(quadrille_context* context) {
  qd_error ignored;
  int says = 0;
  if (context->online != NULL && context->rank == 0) qd_read_switch("QUADRILLE_STATS", &says, &ignored);
  for (int i = 0; says && i < context->online->num; ++i) {
    const struct qd_cell* cell = &context->online->cells[i];
    char text[512];
    say_cell(context, cell, text, sizeof text);
    fprintf(stderr, "quadrille: rank 0: %s of %" PRIu64 " bytes: %s\n", qd_collective_names[cell->collective],
            cell->bytes, text);
  }
  free(context->online);
  context->online = NULL;
}
