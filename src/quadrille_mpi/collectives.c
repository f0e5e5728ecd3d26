/* The calls: who does them, and with which memory. */
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

QD_HOT uint64_t qd_bytes_of(MPI_Count count, MPI_Datatype type) {
  return (uint64_t)count * (uint64_t)qd_size_of(type);
}

/* Whether a message is what `from` says: else what `to` says. The other's count and type may be anything on this rank. */
static int counts_from(int rank, const qd_call* call) {
  return call->collective == QD_GATHER ? rank != call->root
                                       : call->collective == QD_SCATTER && rank == call->root;
}

QD_HOT int qd_message_bytes(const quadrille_context* context, const qd_call* call, uint64_t* bytes) {
  const int by_from = counts_from(context->rank, call);
  const MPI_Count count = by_from ? call->from_count : call->to_count;
  if (count < 0 || (by_from ? call->from_type : call->to_type) == MPI_DATATYPE_NULL) return 0;
  *bytes = qd_bytes_of(count, by_from ? call->from_type : call->to_type);
  return 1;
}

QD_HOT const qd_served* qd_serving(quadrille_context* context, const qd_call* call, uint64_t* bytes) {
  /* The MPI library knows how to refuse it. Leaders do blocking calls alone. */
  if (context->broken || context->nodes != NULL || !qd_message_bytes(context, call, bytes)) return NULL;
  const qd_served* served = qd_choose(context, call->collective, call->root, *bytes);
  if (served == NULL || qd_is_refused(context, call)) return NULL;
  if (!qd_combines(call->collective)) return served;
  return (qd_commutes(call->op) || served->head.in_order) && qd_is_combined(call->op, call->to_type) ? served
                                                                                                     : NULL;
}

/* --- the same on all ranks --------------------------------------------------------------------------------- */

/* An operator by its name: its letters are words that are compared. Elements by what is done with them: types of other names may be as good. */
enum { KIND, BYTES, ROOT, DIGEST, ELEMENTS, OPERATOR, WORDS = OPERATOR + 4 };
/* Calls whose blocks differ have numbers behind the others. */
enum { VARYING_KINDS = QD_COLLECTIVES + 1 };

/* "broadcast of 400 bytes, root 2". */
static void say_call(const int64_t* words, char* text, size_t size) {
  const int kind = (int)words[KIND];
  if (kind == VARYING_KINDS + QD_ALLTOALL) {
    snprintf(text, size, "alltoallv");
  } else if (kind == VARYING_KINDS + QD_GATHER || kind == VARYING_KINDS + QD_SCATTER) {
    snprintf(text, size, "%sv, root %" PRId64, qd_collective_names[kind - VARYING_KINDS], words[ROOT]);
  } else if (kind >= VARYING_KINDS) {
    snprintf(text, size, "%s of %" PRId64 " bytes in all, digest of counts %08" PRIx64,
             kind - VARYING_KINDS == QD_ALLGATHER ? "allgatherv" : "reduce_scatter with counts", words[BYTES],
             (uint64_t)words[DIGEST]);
  } else if (kind == QD_BARRIER_CALL) {
    snprintf(text, size, "barrier");
  } else if (qd_is_rooted(kind)) {
    snprintf(text, size, "%s of %" PRId64 " bytes, root %" PRId64, qd_collective_names[kind], words[BYTES],
             words[ROOT]);
  } else {
    snprintf(text, size, "%s of %" PRId64 " bytes", qd_collective_names[kind], words[BYTES]);
  }
  const size_t length = strlen(text);
  if (words[OPERATOR] == 0) return;
  char elements[40] = "";
  if (words[ELEMENTS] != 0) qd_say_elements(words[ELEMENTS], elements, sizeof elements);
  snprintf(text + length, size - length, ", %s%s%s", (const char*)&words[OPERATOR],
           elements[0] == 0 ? "" : " of ", elements);
}

/* What all ranks must say alike. */
static void describe_call(const quadrille_context* context, const qd_call* call, int64_t words[WORDS]) {
  const int by_from = counts_from(context->rank, call);
  words[KIND] = call->collective + (call->varies ? VARYING_KINDS : 0);
  words[BYTES] = 0;
  words[ROOT] = qd_is_rooted(call->collective) ? call->root : -1;
  words[DIGEST] = 0;
  words[ELEMENTS] = 0;
  memset(words + OPERATOR, 0, (WORDS - OPERATOR) * sizeof *words);
  if (qd_combines(call->collective) && call->collective != QD_BARRIER_CALL) {
    snprintf((char*)(words + OPERATOR), (WORDS - OPERATOR) * sizeof *words, "%s", qd_op_name(call->op));
    words[ELEMENTS] = qd_elements_of(call->op, call->to_type);
  }
  if (call->varies && qd_knows_extent(call)) {
    const MPI_Count* counts = call->collective == QD_ALLGATHER ? call->to_counts : call->from_counts;
    uint32_t digest = 0;
    for (int r = 0; r < context->size; ++r) {
      const uint64_t bytes = qd_bytes_of(counts[r], call->to_type);
      words[BYTES] += (int64_t)bytes;
      digest = (digest ^ (uint32_t)bytes ^ (uint32_t)(bytes >> 32)) * UINT32_C(0x9e3779b1);
      digest ^= digest >> 15;
    }
    words[DIGEST] = digest;
  } else if (!call->varies && call->collective != QD_BARRIER_CALL) {
    words[BYTES] = (int64_t)qd_bytes_of(by_from ? call->from_count : call->to_count,
                                        by_from ? call->from_type : call->to_type);
  }
}

int qd_same_call(quadrille_context* context, const qd_call* call, qd_error* error) {
  int64_t mine[WORDS];
  describe_call(context, call, mine);
  char here[160], there[160];
  say_call(mine, here, sizeof here);
  /* The largest of each, and of each turned round. */
  int64_t most[2 * WORDS];
  for (int i = 0; i < WORDS; ++i) most[2 * i] = -(most[2 * i + 1] = mine[i]);
  if (!qd_reduce_in_time(context, context->comm, most, 2 * WORDS, MPI_MAX, context->check, here, error))
    return 0;
  int same = 1;
  for (int i = 0; i < WORDS; ++i) same &= most[2 * i] == -most[2 * i + 1];
  if (same) return 1;
  /* All are here: who is the first that differs from rank 0? */
  int64_t* all = malloc(sizeof mine * (size_t)context->size);
  int good = all != NULL;
  PMPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, context->comm);
  if (good) {
    /* They have just been here, and nobody goes on. */
    PMPI_Allgather(mine, WORDS, MPI_INT64_T, all, WORDS, MPI_INT64_T, context->comm);
    int rank = 1;
    while (rank < context->size && memcmp(all, all + rank * WORDS, sizeof mine) == 0) ++rank;
    say_call(all, there, sizeof there);
    if (rank < context->size) say_call(all + rank * WORDS, here, sizeof here);
    qd_fail(error, "quadrille: a call must be the same on all ranks: rank %d calls %s, rank 0 %s", rank, here,
            there);
  } else {
    qd_fail(error, "quadrille: a call must be the same on all ranks; rank %d calls %s", context->rank, here);
  }
  free(all);
  return 0;
}

/* --- the MPI library -------------------------------------------------------------------------------------- */

/* One element that is so many of another type. */
static int whole_type(MPI_Count count, MPI_Datatype type, MPI_Datatype* whole) {
  const MPI_Count part = (MPI_Count)1 << 30;
  MPI_Aint lower, extent;
  MPI_Datatype parts, rest;
  PMPI_Type_get_extent(type, &lower, &extent);
  int code = PMPI_Type_contiguous((int)part, type, &parts);
  if (code != MPI_SUCCESS) return code;
  code = PMPI_Type_contiguous((int)(count / part), parts, whole);
  PMPI_Type_free(&parts);
  if (code != MPI_SUCCESS) return code;
  parts = *whole;
  code = PMPI_Type_contiguous((int)(count % part), type, &rest);
  if (code == MPI_SUCCESS) {
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, (MPI_Aint)(count / part * part) * extent};
    const MPI_Datatype types[2] = {parts, rest};
    code = PMPI_Type_create_struct(2, lengths, places, types, whole);
    PMPI_Type_free(&rest);
  }
  PMPI_Type_free(&parts);
  return code == MPI_SUCCESS ? PMPI_Type_commit(whole) : code;
}

/* A call of more elements than int can count, as one of an element at each such end. */
static int pass_on_whole(const qd_call* call, int rank, MPI_Comm comm, MPI_Request* request) {
  qd_call whole = *call;
  int code = MPI_SUCCESS;
  const int is_from =
      call->collective != QD_BROADCAST && call->from != MPI_IN_PLACE && call->from_count > INT_MAX;
  const int is_to = call->to != MPI_IN_PLACE && call->to_count > INT_MAX;
  if (is_from) {
    code = whole_type(call->from_count, call->from_type, &whole.from_type);
    whole.from_count = 1;
  }
  if (is_to && code == MPI_SUCCESS) {
    code = whole_type(call->to_count, call->to_type, &whole.to_type);
    whole.to_count = 1;
  }
  if (code != MPI_SUCCESS) return code;
  code = qd_pass_on(&whole, rank, comm, request);
  if (is_from) PMPI_Type_free(&whole.from_type);
  if (is_to) PMPI_Type_free(&whole.to_type);
  return code;
}

/* A reduction of more elements than int can count, part by part. */
static int pass_on_in_parts(const qd_call* call, int rank, MPI_Comm comm) {
  const MPI_Count most = (MPI_Count)1 << 30;
  MPI_Aint lower, extent;
  int code = MPI_SUCCESS;
  PMPI_Type_get_extent(call->to_type, &lower, &extent);
  for (MPI_Count at = 0; at < call->to_count && code == MPI_SUCCESS; at += most) {
    qd_call part = *call;
    part.from_count = part.to_count = call->to_count - at < most ? call->to_count - at : most;
    if (call->from != MPI_IN_PLACE && call->from != NULL)
      part.from = (const char*)call->from + (MPI_Aint)at * extent;
    if (call->to != MPI_IN_PLACE && call->to != NULL) part.to = (char*)call->to + (MPI_Aint)at * extent;
    code = qd_pass_on(&part, rank, comm, NULL);
  }
  return code;
}

/* On our own communicator: it has the same ranks, and the user's may be gone. */
int qd_pass_on(const qd_call* call, int rank, MPI_Comm comm, MPI_Request* request) {
  if ((counts_from(rank, call) ? call->from_count : call->to_count) > INT_MAX) {
    if (!qd_combines(call->collective)) return pass_on_whole(call, rank, comm, request);
    if (call->collective == QD_REDUCE_SCATTER || request != NULL) return MPI_ERR_COUNT;
    return pass_on_in_parts(call, rank, comm);
  }
  const int m = (int)call->from_count;
  const int n = (int)call->to_count;
  switch (call->collective) {
    case QD_BROADCAST:
      return request ? PMPI_Ibcast(call->to, n, call->to_type, call->root, comm, request)
                     : PMPI_Bcast(call->to, n, call->to_type, call->root, comm);
    case QD_SCATTER:
      return request
                 ? PMPI_Iscatter(call->from, m, call->from_type, call->to, n, call->to_type, call->root, comm,
                                 request)
                 : PMPI_Scatter(call->from, m, call->from_type, call->to, n, call->to_type, call->root, comm);
    case QD_GATHER:
      return request
                 ? PMPI_Igather(call->from, m, call->from_type, call->to, n, call->to_type, call->root, comm,
                                request)
                 : PMPI_Gather(call->from, m, call->from_type, call->to, n, call->to_type, call->root, comm);
    case QD_ALLGATHER:
      return request
                 ? PMPI_Iallgather(call->from, m, call->from_type, call->to, n, call->to_type, comm, request)
                 : PMPI_Allgather(call->from, m, call->from_type, call->to, n, call->to_type, comm);
    case QD_ALLTOALL:
      return request
                 ? PMPI_Ialltoall(call->from, m, call->from_type, call->to, n, call->to_type, comm, request)
                 : PMPI_Alltoall(call->from, m, call->from_type, call->to, n, call->to_type, comm);
    case QD_REDUCE:
      return request
                 ? PMPI_Ireduce(call->from, call->to, n, call->to_type, call->op, call->root, comm, request)
                 : PMPI_Reduce(call->from, call->to, n, call->to_type, call->op, call->root, comm);
    case QD_REDUCE_SCATTER:
      return request
                 ? PMPI_Ireduce_scatter_block(call->from, call->to, n, call->to_type, call->op, comm, request)
                 : PMPI_Reduce_scatter_block(call->from, call->to, n, call->to_type, call->op, comm);
    case QD_ALLREDUCE:
      return request ? PMPI_Iallreduce(call->from, call->to, n, call->to_type, call->op, comm, request)
                     : PMPI_Allreduce(call->from, call->to, n, call->to_type, call->op, comm);
    default:
      return request ? PMPI_Ibarrier(comm, request) : PMPI_Barrier(comm);
  }
}

/* --- a program -------------------------------------------------------------------------------------------- */

static qd_end end_at(const void* user, MPI_Count count, MPI_Datatype type, int blocks) {
  return (qd_end){.user = (char*)user, .count = count, .type = type, .blocks = (uint32_t)blocks};
}

/* The block of a rank within its own output. */
static char* own_block(const quadrille_context* context, const qd_call* call) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(call->to_type, &lower, &extent);
  return (char*)call->to + (MPI_Aint)context->rank * (MPI_Aint)call->to_count * extent;
}

/* Both ends of a call. What is combined or exchanged in place is copied first: an input is never written. */
static void set_ends(qd_operation* operation, const qd_call* call) {
  const quadrille_context* context = operation->context;
  const int size = context->size;
  const int root = !qd_is_rooted(call->collective) || context->rank == call->root;
  const int by_rank = call->collective == QD_ALLTOALL || call->collective == QD_SCATTER ||
                      call->collective == QD_REDUCE_SCATTER;
  qd_end in = end_at(call->from, call->from_count, call->from_type, by_rank ? size : 1);
  qd_end out = end_at(
      call->to, call->to_count, call->to_type,
      call->collective == QD_ALLTOALL || call->collective == QD_GATHER || call->collective == QD_ALLGATHER
          ? size
          : 1);
  switch (call->collective) {
    case QD_BROADCAST:
      in = out;
      if (!root) in.blocks = 0;
      break;
    case QD_SCATTER:
      if (!root) in.blocks = 0;
      if (call->to == MPI_IN_PLACE) {
        out = (qd_end){.type = call->from_type, .is_staged = 1};
      }
      break;
    case QD_GATHER:
    case QD_ALLGATHER:
      if (call->from == MPI_IN_PLACE) in = end_at(own_block(context, call), call->to_count, call->to_type, 1);
      if (!root) out.blocks = 0;
      break;
    default:
      if (call->from == MPI_IN_PLACE) {
        in = end_at(call->to, call->to_count, call->to_type, by_rank ? size : 1);
        in.is_staged = 1;
      }
      if (!root) out.blocks = 0;
      break;
  }
  operation->in = in;
  operation->out = out;
}

/* Elements, slots, and who works on a copy. */
static void set_sizes(qd_operation* operation, const qd_call* call, uint64_t bytes) {
  const size_t pieces = operation->served->head.pieces;
  size_t units = (size_t)bytes;
  operation->unit = 1;
  operation->commutes = 1;
  if (qd_combines(call->collective)) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(call->to_type, &lower, &extent);
    operation->unit = (size_t)extent;
    operation->type = call->to_type;
    operation->op = call->op;
    operation->commutes = qd_commutes(call->op);
    units = (size_t)call->to_count;
  }
  operation->block = units * operation->unit;
  operation->slot = (units + pieces - 1) / pieces * operation->unit;
  const int padded = units % pieces != 0;
  for (int e = 0; e < 2; ++e) {
    qd_end* end = e == 0 ? &operation->in : &operation->out;
    end->is_plain = qd_combines(call->collective) || (end->blocks > 0 && qd_is_plain(end->type));
    if (end->blocks > 0 && (padded || !end->is_plain)) end->is_staged = 1;
    if (end->is_staged) ++operation->context->statistics.packed;
    operation->base[e == 0 ? QD_INPUT : QD_OUTPUT] = end->user;
  }
  /* The root of a broadcast has what it gets. */
  if (call->collective == QD_BROADCAST && operation->in.blocks > 0 && operation->out.is_staged)
    operation->out.blocks = 0;
}

static int next_tag(quadrille_context* context, int is_often) {
  return (int)(is_often ? 0x4000U + context->next_fixed_tag++ % 0x3fffU : context->next_tag++ & 0x3fffU);
}

void qd_take_tags(qd_operation* operation, int is_often) {
  quadrille_context* leaders = qd_leaders_of(operation->context);
  operation->tag = next_tag(operation->context, is_often);
  if (leaders != NULL) operation->led_tag = next_tag(leaders, is_often);
}

/* Makes an operation ready for its first action. */
static int prepare(qd_operation* operation, const qd_call* call, uint64_t bytes, qd_error* error) {
  quadrille_context* context = operation->context;
  ++context->statistics.served;
  context->statistics.bytes += (long long)bytes;
  /* Operations that are under way together are told apart; what is started often keeps its tag. */
  if (!operation->is_persistent) operation->tag = (int)(context->next_tag++ & 0x3fffU);
  set_ends(operation, call);
  set_sizes(operation, call, bytes);
  return qd_begin(operation, error);
}

/* Starts an operation, and waits for it or not. What fails in the middle keeps its memory: messages may still come. */
static int launch(qd_operation* operation, const qd_served* served, const qd_call* call, uint64_t bytes,
                  int is_now) {
  quadrille_context* context = operation->context;
  qd_error error = {""};
  operation->varies = 0;
  operation->served = served;
  operation->passed = MPI_REQUEST_NULL;
  operation->begun = qd_now();
  operation->host.from = operation->host.to = NULL;
  if (served != NULL) call = qd_on_host(context, call, &operation->host, &error);
  if (call == NULL) return qd_raise(context, MPI_COMM_NULL, &error);
  if (served == NULL) {
    ++context->statistics.passed;
    const int code = qd_pass_on(call, context->rank, context->comm, &operation->passed);
    return code == MPI_SUCCESS ? code : qd_call_handler(context->user, code);
  }
  if (!prepare(operation, call, bytes, &error)) return qd_raise(context, MPI_COMM_NULL, &error);
  const int state = is_now ? qd_finish(operation, &error) : qd_advance(operation, &error);
  return state == QD_FAILED ? qd_raise(context, MPI_COMM_NULL, &error) : MPI_SUCCESS;
}

/* The same where blocks differ: who does it may be known only later. */
static int launch_varying(qd_operation* operation, const qd_call* call, const qd_extent* extent, int is_now) {
  quadrille_context* context = operation->context;
  qd_error error = {""};
  operation->begun = qd_now();
  call = qd_on_host(context, call, &operation->host, &error);
  const int good = call != NULL && qd_begin_varying(operation, call, extent, is_now, &error);
  const int state = !good ? QD_FAILED : is_now ? qd_finish(operation, &error) : qd_advance(operation, &error);
  return state == QD_FAILED ? qd_raise(context, MPI_COMM_NULL, &error) : MPI_SUCCESS;
}

static int is_one_for_all(const qd_call* call) { return call->varies && qd_knows_extent(call); }

int qd_prepare_led(qd_operation* operation, const qd_call* call, qd_error* error) {
  quadrille_context* context = operation->context;
  uint64_t bytes;
  operation->host.from = operation->host.to = NULL;
  if (call->varies) {
    const qd_extent extent = is_one_for_all(call) ? qd_extent_of(context, call) : qd_too_long;
    return qd_begin_varying(operation, call, is_one_for_all(call) ? &extent : NULL, 0, error);
  }
  operation->varies = 0;
  operation->served = qd_serving(context, call, &bytes);
  operation->passed = MPI_REQUEST_NULL;
  if (operation->served != NULL) return prepare(operation, call, bytes, error);
  return qd_pass_on(call, context->rank, context->comm, &operation->passed) == MPI_SUCCESS ||
         qd_fail(error, "quadrille: rank %d: the MPI library failed in a call of leaders", context->rank);
}

/* The same where leaders do it. */
static int launch_relay(qd_operation* operation) {
  quadrille_context* context = operation->context;
  qd_error error = {""};
  operation->begun = qd_now();
  const qd_call* call = qd_on_host(context, &operation->call, &operation->host, &error);
  const int good = call != NULL && qd_begin_relay(operation, call, &error);
  const int state = good ? qd_advance(operation, &error) : QD_FAILED;
  return state == QD_FAILED ? qd_raise(context, MPI_COMM_NULL, &error) : MPI_SUCCESS;
}

static qd_operation* new_operation(quadrille_context* context, int* code) {
  qd_operation* out = qd_new_operation(context);
  if (out == NULL) {
    qd_error error;
    qd_fail(&error, "quadrille: rank %d: no memory", context->rank);
    *code = qd_raise(context, MPI_COMM_NULL, &error);
  }
  return out;
}

/* A request, or an operation that is over. */
static int hand_over(qd_operation* operation, int code, quadrille_request* request) {
  if (request != NULL) {
    *request = operation;
    ++operation->context->requests;
    qd_enlist(operation);
  } else if (code == MPI_SUCCESS) {
    code = qd_back_to_device(operation->context, &operation->host, code);
    if (operation->served != NULL) operation->context->statistics.seconds += qd_now() - operation->begun;
    qd_keep_operation(operation);
  }
  return code;
}

int qd_do(quadrille_context* context, const qd_served* served, const qd_call* call, uint64_t bytes,
          quadrille_request* request) {
  int code = MPI_SUCCESS;
  if (request == NULL && served == NULL) {
    qd_error error;
    const int is_barrier = call->collective == QD_BARRIER_CALL;
    const char* name = is_barrier ? "barrier" : qd_collective_names[call->collective];
    ++context->statistics.passed;
    if (!context->broken && !qd_meet_before_blocking(context, name, &error))
      return qd_raise(context, MPI_COMM_NULL, &error);
    qd_begin_watched(context->timeout, context->rank, name);
    code = qd_pass_on(call, context->rank, context->comm, NULL);
    qd_end_watched();
    return code == MPI_SUCCESS ? code : qd_call_handler(context->user, code);
  }
  qd_operation* operation = new_operation(context, &code);
  if (operation == NULL) return code;
  code = launch(operation, served, call, bytes, request == NULL);
  return hand_over(operation, code, request);
}

int qd_do_varying(quadrille_context* context, const qd_call* call, const qd_extent* extent,
                  quadrille_request* request) {
  int code = MPI_SUCCESS;
  qd_operation* operation = new_operation(context, &code);
  if (operation == NULL) return code;
  code = launch_varying(operation, call, extent, request == NULL);
  return hand_over(operation, code, request);
}

/* --- for users -------------------------------------------------------------------------------------------- */

enum { QD_NOW, QD_LATER, QD_OFTEN };

static const qd_served* who_serves(quadrille_context* context, const qd_call* call, uint64_t* bytes) {
  *bytes = 1;
  return call->collective == QD_BARRIER_CALL ? NULL : qd_serving(context, call, bytes);
}

static void note_requests(quadrille_context* context) {
  quadrille_context* leaders = qd_leaders_of(context);
  context->has_had_requests = 1;
  if (leaders != NULL) leaders->has_had_requests = 1;
}

static int refuse_context(quadrille_request* request) {
  qd_error error;
  if (request != NULL) *request = QUADRILLE_REQUEST_NULL;
  qd_fail(&error, "quadrille: no context is given");
  return qd_raise(NULL, MPI_COMM_WORLD, &error);
}

static int do_call(quadrille_context* context, const qd_call* call, quadrille_request* request, int when) {
  qd_error error = {""};
  if (when != QD_NOW && request == NULL) {
    qd_fail(&error, "quadrille: rank %d: no place for a request is given", context->rank);
    return qd_raise(context, MPI_COMM_NULL, &error);
  }
  if (request != NULL) *request = QUADRILLE_REQUEST_NULL;
  /* Of calls with counts others hear first that one is refused, where they agree on them. */
  if (qd_is_misplaced(context, call, &error) || (!call->varies && qd_is_miscounted(context, call, &error)))
    return qd_raise(context, MPI_COMM_NULL, &error);
  if (when != QD_NOW) note_requests(context);
  const int is_relayed = context->nodes != NULL && when != QD_NOW && qd_is_relayed(context, call);
  if (when == QD_OFTEN || is_relayed) {
    int code = MPI_SUCCESS;
    qd_operation* operation = new_operation(context, &code);
    if (operation == NULL) return code;
    operation->call = *call;
    operation->is_persistent = when == QD_OFTEN;
    operation->is_active = 0;
    qd_take_tags(operation, when == QD_OFTEN);
    *request = operation;
    ++context->requests;
    if (is_relayed && !qd_make_relay(operation, when == QD_LATER, &error))
      return qd_raise(context, MPI_COMM_NULL, &error);
    if (when == QD_OFTEN) return MPI_SUCCESS;
    qd_enlist(operation);
    return launch_relay(operation);
  }
  uint64_t bytes;
  if (context->check > 0 && when == QD_NOW && !context->broken && !qd_same_call(context, call, &error))
    return qd_raise(context, MPI_COMM_NULL, &error);
  int done;
  if (context->nodes != NULL && when == QD_NOW && qd_done_by_nodes(context, call, &done)) return done;
  if (call->varies) {
    const int is_left = qd_leaves_devices(context, call, when == QD_NOW, &done);
    if (is_left < 0) return done;
    const qd_extent extent = is_left ? qd_too_long : qd_extent_of(context, call);
    return qd_do_varying(context, call, is_left || qd_knows_extent(call) ? &extent : NULL,
                         when == QD_NOW ? NULL : request);
  }
  const qd_served* served = who_serves(context, call, &bytes);
  /* Nothing to send, on any rank. */
  if (served != NULL && bytes == 0) {
    ++context->statistics.served;
    return MPI_SUCCESS;
  }
  struct qd_cell* tried = NULL;
  if (when == QD_NOW) served = qd_serving_online(context, call, served, &bytes, &tried);
  if (served != NULL || tried != NULL) {
    const int is_left = qd_leaves_devices(context, call, when == QD_NOW, &done);
    if (is_left < 0) return done;
    if (is_left) served = NULL;
    if (is_left) tried = NULL;
  }
  if (when == QD_NOW) {
    if (tried != NULL) return qd_try(context, served, call, bytes, tried);
  }
  return qd_do(context, served, call, bytes, when == QD_NOW ? NULL : request);
}

int qd_call_now(quadrille_context* context, const qd_call* call) {
  return do_call(context, call, NULL, QD_NOW);
}

static void begin_again(qd_operation* operation) {
  operation->is_active = 1;
  qd_enlist(operation);
}

int quadrille_start(quadrille_request* request) {
  qd_operation* operation = *request;
  if (operation == NULL || !operation->is_persistent || operation->is_active) return MPI_ERR_REQUEST;
  if (operation->relay != NULL) {
    begin_again(operation);
    return launch_relay(operation);
  }
  if (operation->call.varies) {
    const qd_call call = operation->call;
    const int is_left = qd_leaves_devices(operation->context, &call, 0, NULL);
    const qd_extent extent = is_left ? qd_too_long : qd_extent_of(operation->context, &call);
    begin_again(operation);
    return launch_varying(operation, &call, is_left || qd_knows_extent(&call) ? &extent : NULL, 0);
  }
  uint64_t bytes;
  const qd_served* served = who_serves(operation->context, &operation->call, &bytes);
  if (served != NULL && bytes == 0) return MPI_SUCCESS;
  if (served != NULL && qd_leaves_devices(operation->context, &operation->call, 0, NULL)) served = NULL;
  begin_again(operation);
  return launch(operation, served, &operation->call, bytes, 0);
}

int quadrille_request_free(quadrille_request* request) {
  const int code = quadrille_wait(request);
  if (code != MPI_SUCCESS || *request == QUADRILLE_REQUEST_NULL) return code;
  (*request)->is_persistent = 0;
  --(*request)->context->requests;
  qd_free_pairs(*request);
  qd_free_relay(*request);
  qd_free_led(*request);
  qd_keep_operation(*request);
  *request = QUADRILLE_REQUEST_NULL;
  return MPI_SUCCESS;
}

static int is_idle(const qd_operation* operation) {
  return operation == NULL || (operation->is_persistent && !operation->is_active);
}

static int end_operation(quadrille_request* request) {
  qd_operation* operation = *request;
  const int code = qd_back_to_device(operation->context, &operation->host, MPI_SUCCESS);
  if (operation->served != NULL || operation->relay != NULL || operation->led != NULL)
    operation->context->statistics.seconds += qd_now() - operation->begun;
  qd_strike_off(operation);
  operation->is_active = 0;
  if (operation->is_persistent) return code;
  --operation->context->requests;
  qd_free_relay(operation);
  qd_free_led(operation);
  qd_keep_operation(operation);
  *request = QUADRILLE_REQUEST_NULL;
  return code;
}

/* What has become of it, at once or when it is over. */
static int outcome_of(qd_operation* operation, int waits) {
  if (operation->outcome == QD_UNDER_WAY)
    operation->outcome = waits ? qd_finish(operation, &operation->why) : qd_look(operation, &operation->why);
  return operation->outcome;
}

int quadrille_test(quadrille_request* request, int* done) {
  *done = 1;
  if (is_idle(*request)) return MPI_SUCCESS;
  const int state = outcome_of(*request, 0);
  *done = state != QD_UNDER_WAY;
  if (state == QD_FAILED) return qd_raise((*request)->context, MPI_COMM_NULL, &(*request)->why);
  return state == QD_DONE ? end_operation(request) : MPI_SUCCESS;
}

int quadrille_wait(quadrille_request* request) {
  if (is_idle(*request)) return MPI_SUCCESS;
  if (outcome_of(*request, 1) == QD_FAILED)
    return qd_raise((*request)->context, MPI_COMM_NULL, &(*request)->why);
  return end_operation(request);
}

int quadrille_waitall(int count, quadrille_request* requests) {
  /* All move on, whichever is waited for. */
  for (int left = 2; left > 1;) {
    left = 0;
    for (int i = 0; i < count; ++i) {
      int done;
      const int code = quadrille_test(&requests[i], &done);
      if (code != MPI_SUCCESS) return code;
      left += !done;
    }
  }
  for (int i = 0; i < count; ++i) {
    const int code = quadrille_wait(&requests[i]);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

/* Each collective three times: NAME, its parameters, and what the call is. */
#define QD_THREE(name, parameters, ...)                                                                    \
  int quadrille_##name(QD_PARAMETERS parameters quadrille_context* context) {                              \
    if (context == NULL) return refuse_context(NULL);                                                      \
    const qd_call call = {__VA_ARGS__};                                                                    \
    return do_call(context, &call, NULL, QD_NOW);                                                          \
  }                                                                                                        \
  int quadrille_i##name(QD_PARAMETERS parameters quadrille_context* context, quadrille_request* request) { \
    if (context == NULL) return refuse_context(request);                                                   \
    const qd_call call = {__VA_ARGS__};                                                                    \
    return do_call(context, &call, request, QD_LATER);                                                     \
  }                                                                                                        \
  int quadrille_##name##_init(QD_PARAMETERS parameters quadrille_context* context, MPI_Info info,          \
                              quadrille_request* request) {                                                \
    (void)info;                                                                                            \
    if (context == NULL) return refuse_context(request);                                                   \
    const qd_call call = {__VA_ARGS__};                                                                    \
    return do_call(context, &call, request, QD_OFTEN);                                                     \
  }
#define QD_PARAMETERS(...) __VA_ARGS__
#define QD_EXCHANGE                                                                             \
  const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count, \
      MPI_Datatype to_type,
#define QD_COMBINE const void *from, void *to, MPI_Count count, MPI_Datatype type, MPI_Op op,
#define QD_EXCHANGED(kind)                                                                        \
  .collective = (kind), .from = from, .from_count = from_count, .from_type = from_type, .to = to, \
  .to_count = to_count, .to_type = to_type
#define QD_COMBINED(kind)                                                                                  \
  .collective = (kind), .from = from, .from_count = count, .from_type = type, .to = to, .to_count = count, \
  .to_type = type, .op = op

QD_THREE(barrier, (), .collective = QD_BARRIER_CALL)
QD_THREE(bcast, (void* buffer, MPI_Count count, MPI_Datatype type, int root, ), .collective = QD_BROADCAST,
         .to = buffer, .to_count = count, .to_type = type, .root = root)
QD_THREE(scatter, (QD_EXCHANGE int root, ), QD_EXCHANGED(QD_SCATTER), .root = root)
QD_THREE(gather, (QD_EXCHANGE int root, ), QD_EXCHANGED(QD_GATHER), .root = root)
QD_THREE(allgather, (QD_EXCHANGE), QD_EXCHANGED(QD_ALLGATHER))
QD_THREE(alltoall, (QD_EXCHANGE), QD_EXCHANGED(QD_ALLTOALL))
QD_THREE(reduce, (QD_COMBINE int root, ), QD_COMBINED(QD_REDUCE), .root = root)
QD_THREE(reduce_scatter_block, (QD_COMBINE), QD_COMBINED(QD_REDUCE_SCATTER))
QD_THREE(allreduce, (QD_COMBINE), QD_COMBINED(QD_ALLREDUCE))

/* Blocks of different sizes. What is sent in place has neither counts nor a type of its own. */
#define QD_VARIED(kind) .collective = (kind), .varies = 1, .from = from, .to = to
#define QD_UNLESS_IN_PLACE(what) (from == MPI_IN_PLACE ? NULL : (what))

QD_THREE(allgatherv,
         (const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
          const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type, ),
         QD_VARIED(QD_ALLGATHER), .from_count = from_count, .from_type = from_type, .to_counts = to_counts,
         .to_places = to_places, .to_type = to_type)
QD_THREE(alltoallv,
         (const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places, MPI_Datatype from_type,
          void* to, const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type, ),
         QD_VARIED(QD_ALLTOALL), .from_counts = QD_UNLESS_IN_PLACE(from_counts),
         .from_places = QD_UNLESS_IN_PLACE(from_places), .from_type = from_type, .to_counts = to_counts,
         .to_places = to_places, .to_type = to_type)
/* Counts and places mean something at the root alone. */
QD_THREE(gatherv,
         (const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
          const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type, int root, ),
         QD_VARIED(QD_GATHER), .from_count = from == MPI_IN_PLACE ? 0 : from_count, .from_type = from_type,
         .to_counts = context->rank == root ? to_counts : NULL,
         .to_places = context->rank == root ? to_places : NULL, .to_type = to_type, .root = root)
QD_THREE(scatterv,
         (const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places, MPI_Datatype from_type,
          void* to, MPI_Count to_count, MPI_Datatype to_type, int root, ),
         QD_VARIED(QD_SCATTER), .from_counts = context->rank == root ? from_counts : NULL,
         .from_places = context->rank == root ? from_places : NULL, .from_type = from_type,
         .to_count = to == MPI_IN_PLACE ? 0 : to_count, .to_type = to_type, .root = root)
QD_THREE(reduce_scatter,
         (const void* from, void* to, const MPI_Count* counts, MPI_Datatype type, MPI_Op op, ),
         QD_VARIED(QD_REDUCE_SCATTER), .from_counts = counts, .from_type = type,
         .to_count = counts == NULL ? 0 : counts[context->rank], .to_type = type, .op = op)
