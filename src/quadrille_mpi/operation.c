/* One rank's program over MPI, as a machine that can be left at every wait and taken up again. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "context.h"

/* Messages of several runs up to this size are copied together; longer ones are described to MPI. */
static const size_t most_copied = 32768;
/* MPI counts bytes with int. */
static const size_t most_counted = (size_t)1 << 30;
/* Polls without anything new after which others may have the processor. */
static const unsigned polls_before_yield = 64;
/* Messages of a program up to which a persistent call keeps a persistent request for each. */
static const uint32_t most_pairs = 65536;

double qd_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

qd_operation* qd_new_operation(quadrille_context* context) {
  qd_operation* out = context->idle;
  if (out != NULL) {
    context->idle = out->next;
    return out;
  }
  out = calloc(1, sizeof *out);
  if (out == NULL) return NULL;
  out->context = context;
  return out;
}

void qd_keep_operation(qd_operation* operation) {
  operation->next = operation->context->idle;
  operation->context->idle = operation;
}

void qd_free_pairs(qd_operation* operation) {
  if (operation->pairs == NULL) return;
  for (uint32_t i = 0; i < operation->num_requests; ++i)
    if (operation->pairs[i] != MPI_REQUEST_NULL) PMPI_Request_free(&operation->pairs[i]);
  free(operation->pairs);
  operation->pairs = NULL;
}

void qd_free_operation(qd_operation* operation) {
  qd_free_pairs(operation);
  free(operation->memory);
  free(operation->requests);
  free(operation->waiting);
  qd_free_varying(operation->varying);
  qd_free_relay(operation);
  qd_free_led(operation);
  free(operation);
}

/* --- messages --------------------------------------------------------------------------------------------- */

static char* address(const qd_operation* operation, const qd_run* run) {
  return operation->base[run->buffer] + run->first * operation->slot;
}

static int is_copied(const qd_operation* operation, const qd_action* action) {
  return action->kind == QD_RECEIVE_REDUCE ||
         (action->end - action->begin >= 2 && action->slots * operation->slot <= most_copied);
}

/* Runs as one datatype at absolute addresses, each in parts that int can count. */
static int describe(const qd_operation* operation, const qd_action* action, MPI_Datatype* type) {
  const qd_run* runs = operation->served->program.runs;
  size_t parts = 0;
  for (uint32_t r = action->begin; r < action->end; ++r)
    parts += runs[r].count * operation->slot / most_counted + 1;
  int* lengths = malloc(parts * sizeof *lengths);
  MPI_Aint* places = malloc(parts * sizeof *places);
  int code = MPI_ERR_NO_MEM;
  if (lengths != NULL && places != NULL) {
    int made = 0;
    for (uint32_t r = action->begin; r < action->end; ++r) {
      char* at = address(operation, &runs[r]);
      for (size_t left = runs[r].count * operation->slot; left > 0;) {
        const size_t now = left < most_counted ? left : most_counted;
        lengths[made] = (int)now;
        PMPI_Get_address(at, &places[made++]);
        at += now;
        left -= now;
      }
    }
    code = PMPI_Type_create_hindexed(made, lengths, places, MPI_BYTE, type);
    if (code == MPI_SUCCESS) code = PMPI_Type_commit(type);
  }
  free(lengths);
  free(places);
  return code;
}

int qd_long_type(void* at, size_t bytes, MPI_Datatype* type) {
  MPI_Aint place;
  MPI_Datatype whole;
  PMPI_Get_address(at, &place);
  int code = PMPI_Type_contiguous((int)most_counted, MPI_BYTE, &whole);
  if (code != MPI_SUCCESS) return code;
  const MPI_Datatype types[2] = {whole, MPI_BYTE};
  const int lengths[2] = {(int)(bytes / most_counted), (int)(bytes % most_counted)};
  const MPI_Aint places[2] = {place, place + (MPI_Aint)(bytes / most_counted * most_counted)};
  code = PMPI_Type_create_struct(2, lengths, places, types, type);
  PMPI_Type_free(&whole);
  return code == MPI_SUCCESS ? PMPI_Type_commit(type) : code;
}

static int start(qd_operation* operation, const qd_action* action) {
  const qd_run* runs = operation->served->program.runs + action->begin;
  const size_t bytes = action->slots * operation->slot;
  const uint32_t num_runs = action->end - action->begin;
  MPI_Request* request = &operation->requests[action->request];
  void* at = NULL;
  int count = (int)bytes;
  MPI_Datatype type = MPI_BYTE;
  MPI_Request* pair = operation->pairs == NULL ? NULL : &operation->pairs[action->request];
  if (is_copied(operation, action)) {
    char* copy = operation->landing + action->place * operation->slot;
    at = copy;
    for (uint32_t r = 0; r < num_runs && action->kind == QD_SEND; ++r) {
      const size_t size = runs[r].count * operation->slot;
      memcpy(copy, address(operation, &runs[r]), size);
      copy += size;
    }
  } else if (num_runs == 1) {
    at = address(operation, runs);
  }
  int code = MPI_SUCCESS;
  if (pair != NULL && *pair != MPI_REQUEST_NULL) {
    *request = *pair;
    return PMPI_Start(request);
  }
  if (num_runs > 0 && (bytes > most_counted || (num_runs > 1 && !is_copied(operation, action)))) {
    /* A landing place may be of more than int can count. */
    code = is_copied(operation, action) ? qd_long_type(at, bytes, &type) : describe(operation, action, &type);
    if (code != MPI_SUCCESS) return code;
    at = MPI_BOTTOM;
    count = 1;
  }
  const MPI_Comm comm = operation->context->comm;
  const int peer = (int)action->peer;
  if (pair != NULL) {
    code = action->kind == QD_SEND ? PMPI_Send_init(at, count, type, peer, operation->tag, comm, pair)
                                   : PMPI_Recv_init(at, count, type, peer, operation->tag, comm, pair);
    if (code == MPI_SUCCESS) {
      *request = *pair;
      code = PMPI_Start(request);
    }
  } else {
    code = action->kind == QD_SEND ? PMPI_Isend(at, count, type, peer, operation->tag, comm, request)
                                   : PMPI_Irecv(at, count, type, peer, operation->tag, comm, request);
  }
  if (type != MPI_BYTE) PMPI_Type_free(&type);
  return code;
}

/* --- combining -------------------------------------------------------------------------------------------- */

/* into = into op from, or from op into. */
int qd_combine(const qd_operation* operation, char* into, const char* from, size_t bytes, int before) {
  size_t elements = bytes / operation->unit;
  while (elements > 0) {
    const size_t now = elements < most_counted ? elements : most_counted;
    const size_t size = now * operation->unit;
    int code;
    if (operation->commutes || before) {
      code = PMPI_Reduce_local((char*)from, into, (int)now, operation->type, operation->op);
    } else {
      /* MPI puts the first argument on the left; here the second belongs there. */
      char* right = malloc(size);
      if (right == NULL) return MPI_ERR_NO_MEM;
      memcpy(right, from, size);
      code = PMPI_Reduce_local(into, right, (int)now, operation->type, operation->op);
      memcpy(into, right, size);
      free(right);
    }
    if (code != MPI_SUCCESS) return code;
    into += size;
    from += size;
    elements -= now;
  }
  return MPI_SUCCESS;
}

/* What came apart goes where it belongs. */
static int land(qd_operation* operation, const qd_action* action) {
  if (action->kind == QD_SEND || !is_copied(operation, action)) return MPI_SUCCESS;
  const char* from = operation->landing + action->place * operation->slot;
  for (uint32_t r = action->begin; r < action->end; ++r) {
    const qd_run* run = &operation->served->program.runs[r];
    const size_t size = run->count * operation->slot;
    if (action->kind == QD_RECEIVE) {
      memcpy(address(operation, run), from, size);
    } else {
      const int code = qd_combine(operation, address(operation, run), from, size, 0);
      if (code != MPI_SUCCESS) return code;
    }
    from += size;
  }
  return MPI_SUCCESS;
}

static int move(qd_operation* operation, const qd_action* action) {
  const qd_run* runs = operation->served->program.runs + action->begin;
  char* into = address(operation, &runs[0]);
  const char* from = address(operation, &runs[1]);
  if (action->kind != QD_COPY)
    return qd_combine(operation, into, from, runs[0].count * operation->slot,
                      action->kind == QD_REDUCE_BEFORE);
  /* In place a block may be where it belongs. */
  if (into != from) memcpy(into, from, runs[0].count * operation->slot);
  return MPI_SUCCESS;
}

/* --- the machine ------------------------------------------------------------------------------------------ */

int qd_test_all(int count, MPI_Request* requests, int waits, int* over) {
  if (!waits) return PMPI_Testall(count, requests, over, MPI_STATUSES_IGNORE);
  *over = 1;
  return PMPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* Whether all that a wait lists is complete; then it has landed. */
static int wait_is_over(qd_operation* operation, const qd_action* action, int* over) {
  const qd_program* program = &operation->served->program;
  const uint32_t count = action->end - action->begin;
  const uint32_t* listed = program->waited + action->begin;
  MPI_Request* requests = operation->requests;
  const int side_by_side = count > 0 && listed[count - 1] - listed[0] == count - 1;
  MPI_Request* all = side_by_side ? requests + listed[0] : operation->waiting;
  int in_order = side_by_side;
  for (uint32_t i = 0; i < count && in_order; ++i) in_order = listed[i] == listed[0] + i;
  if (!in_order) {
    all = operation->waiting;
    for (uint32_t i = 0; i < count; ++i) all[i] = requests[listed[i]];
  }
  int code = qd_test_all((int)count, all, operation->waits, over);
  if (code != MPI_SUCCESS || !*over) return code;
  for (uint32_t i = 0; i < count; ++i) {
    requests[listed[i]] = MPI_REQUEST_NULL;
    code = land(operation, &program->actions[program->starts[listed[i]]]);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int qd_stop(qd_operation* operation, int code, qd_error* error) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  PMPI_Error_string(code, text, &length);
  operation->context->broken = 1;
  qd_fail(error, "quadrille: rank %d: %s in the middle of %s: %.*s", operation->context->rank,
          "the MPI library failed", operation->served->is.algorithm, length, text);
  return QD_FAILED;
}

void qd_enlist(qd_operation* operation) {
  quadrille_context* context = operation->context;
  operation->outcome = QD_UNDER_WAY;
  operation->looked = 0;
  operation->why.text[0] = 0;
  operation->next_under_way = context->under_way;
  context->under_way = operation;
}

void qd_strike_off(const qd_operation* operation) {
  qd_operation** at = &operation->context->under_way;
  while (*at != NULL && *at != operation) at = &(*at)->next_under_way;
  if (*at != NULL) *at = operation->next_under_way;
}

void qd_advance_all(const quadrille_context* context, const qd_operation* but) {
  for (qd_operation* other = context->under_way; other != NULL; other = other->next_under_way)
    if (other != but && other->outcome == QD_UNDER_WAY) other->outcome = qd_advance(other, &other->why);
  if (context->led_for != NULL) qd_advance_all(context->led_for, but);
}

int qd_compare_numbers(quadrille_context* context, int64_t numbers[2], const char* what, qd_error* error) {
  /* What may still come when nobody waits any more keeps its memory. */
  qd_numbers* all = malloc(sizeof *all);
  const int tag = (int)(context->next_tag++ & 0x3fffU);
  if (all == NULL) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  qd_begin_numbers(all, numbers[0], numbers[1], 0);
  double since = 0;
  int step = 0, over = 0;
  for (unsigned polls = 1; !over; ++polls) {
    if (qd_advance_numbers(all, context->comm, tag, context->rank, context->size, 0, &over) != MPI_SUCCESS) {
      context->broken = 1;
      return qd_fail(error, "quadrille: rank %d: the MPI library failed where ranks %s", context->rank, what);
    }
    if (over) break;
    qd_advance_all(context, NULL);
    if (polls % polls_before_yield != 0) continue;
    sched_yield();
    if (context->timeout <= 0) continue;
    if (since == 0 || step != all->step) since = qd_now();
    step = all->step;
    if (qd_now() - since < context->timeout) continue;
    char waits[80], missing[200];
    context->broken = 1;
    qd_say_numbers(all, context->rank, context->size, waits, sizeof waits);
    qd_call_roll(context, context->timeout, missing, sizeof missing);
    return qd_fail(error, "quadrille: rank %d: nothing moves for %g s while ranks %s: %s%s", context->rank,
                   context->timeout, what, waits, missing);
  }
  memcpy(numbers, all->mine, sizeof all->mine);
  free(all);
  return 1;
}

int qd_meet_all(quadrille_context* context, const char* what, qd_error* error) {
  int64_t nothing[2] = {0, 0};
  return qd_compare_numbers(context, nothing, what, error);
}

int qd_meet_before_blocking(quadrille_context* context, const char* what, qd_error* error) {
  char text[100];
  if (!context->has_had_requests && context->timeout <= 0) return 1;
  snprintf(text, sizeof text, "meet before the MPI library does %s", what);
  return qd_meet_all(context, text, error);
}

int qd_advance(qd_operation* operation, qd_error* error) {
  if (operation->relay != NULL) return qd_advance_relay(operation, error);
  if (operation->varies) return qd_advance_varying(operation, error);
  if (operation->passed != MPI_REQUEST_NULL || operation->served == NULL) {
    int over = 0;
    const int code = PMPI_Test(&operation->passed, &over, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) {
      qd_fail(error, "quadrille: the MPI library failed in a call that was passed on to it");
      return QD_FAILED;
    }
    return over ? QD_DONE : QD_UNDER_WAY;
  }
  const qd_program* program = &operation->served->program;
  for (; operation->at < program->num_actions; ++operation->at) {
    const qd_action* action = &program->actions[operation->at];
    int code;
    if (action->kind <= QD_RECEIVE_REDUCE) {
      code = start(operation, action);
    } else if (action->kind == QD_WAIT) {
      int over = 0;
      code = wait_is_over(operation, action, &over);
      if (code == MPI_SUCCESS && !over) return QD_UNDER_WAY;
    } else {
      code = move(operation, action);
    }
    if (code != MPI_SUCCESS) return qd_stop(operation, code, error);
  }
  if (operation->out.is_staged) {
    const int code =
        qd_scatter_blocks(operation, &operation->out, operation->base[QD_OUTPUT], operation->context->comm);
    operation->out.is_staged = 0; /* once */
    if (code != MPI_SUCCESS) return qd_stop(operation, code, error);
  }
  return QD_DONE;
}

static int wait_for_ranks(quadrille_context* context, MPI_Request* request, double seconds, double beyond,
                          const char* what, qd_error* error) {
  const double begun = qd_now();
  for (unsigned polls = 1;; ++polls) {
    int over = 0;
    if (PMPI_Test(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      context->broken = 1;
      return qd_fail(error, "quadrille: rank %d: the MPI library failed in %s", context->rank, what);
    }
    if (over) return 1;
    qd_advance_all(context, NULL);
    if (polls % polls_before_yield == 0) sched_yield();
    if (seconds <= 0 || polls % 1024 != 0 || qd_now() - begun < seconds + beyond) continue;
    char missing[200];
    context->broken = 1;
    qd_call_roll(context, seconds, missing, sizeof missing);
    return qd_fail(error, "quadrille: rank %d: not all ranks came to %s within %g s%s", context->rank, what,
                   seconds, missing);
  }
}

int qd_wait_for_ranks(quadrille_context* context, MPI_Request* request, double beyond, const char* what,
                      qd_error* error) {
  return wait_for_ranks(context, request, context->timeout, beyond, what, error);
}

int qd_reduce_in_time(quadrille_context* context, MPI_Comm comm, int64_t* numbers, int count, MPI_Op op,
                      double seconds, const char* what, qd_error* error) {
  /* As above: who gives it up leaves it to MPI. */
  int64_t* all = malloc(2 * (size_t)count * sizeof *all);
  MPI_Request request;
  if (all == NULL) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  memcpy(all, numbers, (size_t)count * sizeof *all);
  if (PMPI_Iallreduce(all, all + count, count, MPI_INT64_T, op, comm, &request) != MPI_SUCCESS) {
    free(all);
    return qd_fail(error, "quadrille: rank %d: the MPI library failed in %s", context->rank, what);
  }
  if (!wait_for_ranks(context, &request, seconds, 0, what, error)) return 0;
  memcpy(numbers, all + count, (size_t)count * sizeof *all);
  free(all);
  return 1;
}

static int explain_late(qd_operation* operation, const char* missing, qd_error* error);

/* What is missing, for whoever waits too long. */
static int too_late(qd_operation* operation, qd_error* error) {
  char missing[200];
  operation->context->broken = 1;
  qd_call_roll(operation->context, operation->context->timeout, missing, sizeof missing);
  return explain_late(operation, missing, error);
}

static int explain_late(qd_operation* operation, const char* missing, qd_error* error) {
  operation->context->broken = 1;
  const int is_led = operation->relay == NULL && qd_is_led(operation);
  if (operation->relay != NULL || is_led) {
    qd_operation* led = is_led ? qd_led_with_counts(operation) : qd_led_by(operation);
    if (led != NULL) return explain_late(led, missing, error);
    qd_fail(error, "quadrille: rank %d: nothing moves for %g s among the ranks of its node, in %s%s",
            operation->context->rank, operation->context->timeout,
            qd_collective_names[operation->call.collective], missing);
    return QD_FAILED;
  }
  if (operation->served == NULL) {
    char text[160] = "the MPI library does a call that was passed on to it";
    if (operation->varies) qd_say_varying(operation, text, sizeof text);
    qd_fail(error, "quadrille: rank %d: nothing moves for %g s while %s%s", operation->context->rank,
            operation->context->timeout, text, missing);
    return QD_FAILED;
  }
  const qd_program* program = &operation->served->program;
  const qd_action* wait = &program->actions[operation->at];
  const qd_action* awaited = NULL;
  unsigned outstanding = 0;
  size_t bytes = 0;
  for (uint32_t i = wait->begin; i < wait->end; ++i) {
    int over = 1;
    MPI_Request* request = &operation->requests[program->waited[i]];
    const qd_action* action = &program->actions[program->starts[program->waited[i]]];
    if (operation->varies && qd_is_awaited(operation, program->waited[i]))
      over = 0;
    else if (*request != MPI_REQUEST_NULL)
      PMPI_Request_get_status(*request, &over, MPI_STATUS_IGNORE);
    if (over) continue;
    if (awaited == NULL || (awaited->kind == QD_SEND && action->kind != QD_SEND)) awaited = action;
    ++outstanding;
    bytes += action->slots * operation->slot;
  }
  const char* who = operation->context->leads ? "the leader of node" : "rank";
  char size[40] = "";
  if (!operation->varies) snprintf(size, sizeof size, " of %zu bytes", bytes);
  qd_fail(
      error,
      "quadrille: %s %d: nothing moves for %g s in %s (%s), step %u: %s %s %u and %u messages%s are outstanding%s",
      who, operation->context->rank, operation->context->timeout,
      qd_collective_names[operation->served->is.collective], operation->served->is.algorithm, wait->step + 1,
      awaited == NULL            ? "all has come, but"
      : awaited->kind == QD_SEND ? "a send to"
                                 : "a message from",
      who, awaited == NULL ? 0 : awaited->peer, outstanding, size, missing);
  return QD_FAILED;
}

/* Another number whenever something has moved. */
static uint64_t is_at(const qd_operation* operation) {
  const qd_operation* led = operation->relay != NULL ? qd_led_by(operation)
                            : qd_is_led(operation)   ? qd_led_with_counts(operation)
                                                     : NULL;
  if (led != NULL) return is_at(led) + 1;
  return operation->at + (operation->varies ? qd_varying_is_at(operation) << 32 : 0);
}

int qd_look(qd_operation* operation, qd_error* error) {
  const double timeout = operation->context->timeout;
  const int state = qd_advance(operation, error);
  if (timeout <= 0 || state != QD_UNDER_WAY) return state;
  /* Whoever computes between two looks moves nothing on, and has not waited. */
  const double now = qd_now(), most = timeout / 8, since = now - operation->looked;
  const uint64_t at = is_at(operation);
  const int has_moved = operation->looked == 0 || operation->looked_at != at;
  operation->looked_for = has_moved ? 0 : operation->looked_for + (since < most ? since : most);
  operation->looked_at = at;
  operation->looked = now;
  return operation->looked_for > timeout ? too_late(operation, error) : state;
}

int qd_finish(qd_operation* operation, qd_error* error) {
  const double timeout = operation->context->timeout;
  double since = 0;
  uint64_t at = is_at(operation);
#ifdef QUADRILLE_SIMULATED
  /* Where time is simulated each look lets some pass. */
  operation->waits = timeout <= 0;
#endif
  for (unsigned polls = 1;; ++polls) {
    const int state = qd_advance(operation, error);
    if (state != QD_UNDER_WAY) return state;
    qd_advance_all(operation->context, operation);
    if (polls % polls_before_yield == 0) sched_yield();
    if (timeout <= 0) continue;
    if (since == 0 || at != is_at(operation)) {
      since = qd_now();
      at = is_at(operation);
    } else if (polls % 1024 == 0 && qd_now() - since > timeout) {
      return too_late(operation, error);
    }
  }
}

/* --- beginning -------------------------------------------------------------------------------------------- */

int qd_reserve(qd_operation* operation, size_t bytes) {
  if (bytes <= operation->memory_size) return 1;
  free(operation->memory);
  operation->memory = malloc(bytes);
  operation->memory_size = operation->memory == NULL ? 0 : bytes;
  return operation->memory != NULL;
}

/* A program that this operation will run again and again, with the same memory. */
static int make_pairs(qd_operation* operation) {
  const uint32_t count = operation->served->program.num_requests;
  if (!operation->is_persistent || operation->is_once || !operation->context->keeps_pairs ||
      operation->pairs != NULL || qd_has_copies(&operation->host) || count > most_pairs)
    return 1;
  /* As many as there are requests, which other calls may have made more. */
  operation->pairs = malloc((operation->num_requests + 1) * sizeof *operation->pairs);
  if (operation->pairs == NULL) return 0;
  for (uint32_t i = 0; i < operation->num_requests; ++i) operation->pairs[i] = MPI_REQUEST_NULL;
  return 1;
}

int qd_reserve_requests(qd_operation* operation, uint32_t count) {
  if (operation->requests != NULL && count <= operation->num_requests) return 1;
  free(operation->requests);
  free(operation->waiting);
  operation->num_requests = 0;
  operation->requests = malloc((count + 1) * sizeof(MPI_Request));
  operation->waiting = malloc((count + 1) * sizeof(MPI_Request));
  if (operation->requests == NULL || operation->waiting == NULL) return 0;
  operation->num_requests = count;
  return 1;
}

int qd_begin(qd_operation* operation, qd_error* error) {
  const qd_program* program = &operation->served->program;
  const size_t slot = operation->slot;
  const size_t in = operation->in.is_staged ? program->slots[QD_INPUT] * slot : 0;
  const size_t out = operation->out.is_staged ? program->slots[QD_OUTPUT] * slot : 0;
  const size_t scratch = program->slots[QD_SCRATCH] * slot;
  /* Each part where any type may lie. */
  const size_t line = 64;
  const size_t places[5] = {0, (in + line - 1) / line * line, (out + line - 1) / line * line,
                            (scratch + line - 1) / line * line, program->landing_slots * slot};
  if (!qd_reserve(operation, places[1] + places[2] + places[3] + places[4] + 1) ||
      !qd_reserve_requests(operation, program->num_requests) || !make_pairs(operation))
    return qd_fail(error, "quadrille: rank %d: no memory for %zu bytes", operation->context->rank,
                   places[1] + places[2] + places[3] + places[4]);
  char* memory = operation->memory;
  if (operation->in.is_staged) operation->base[QD_INPUT] = memory;
  if (operation->out.is_staged) operation->base[QD_OUTPUT] = memory + places[1];
  operation->base[QD_SCRATCH] = memory + places[1] + places[2];
  operation->landing = memory + places[1] + places[2] + places[3];
  operation->at = 0;
  operation->passed = MPI_REQUEST_NULL;
  if (operation->in.is_staged && qd_gather_blocks(operation, &operation->in, operation->base[QD_INPUT],
                                                  operation->context->comm) != MPI_SUCCESS)
    return qd_fail(error, "quadrille: rank %d: MPI_Pack failed", operation->context->rank);
  return 1;
}
