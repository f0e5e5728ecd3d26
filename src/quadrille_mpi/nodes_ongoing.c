/* Calls that go on where several ranks share a node: nonblocking and persistent ones. Memory that ranks share is made, and met in,
 * by all of them together, and here no rank may wait for another. So what a rank gives goes to the leader of its node as a message,
 * on a tag of the call's own; the leader adds up, exchanges by a program with the other leaders as in every call, and sends each
 * what it gets. */
#include <stdlib.h>
#include <string.h>

#include "nodes.h"

enum { QD_COLLECTING, QD_LEADING, QD_RETURNING };

struct qd_relay {
  qd_shared shared;
  int root, root_is_here; /* of a rooted call: its number within its node, and whether that is this one */
  int phase;
  qd_operation* led; /* the leaders' exchange; null at others */
  qd_call led_call;
  MPI_Request* requests;
  int num_requests;
  int code;     /* what the leader says of the exchange: 0 where it is well */
  qd_error why; /* at the leader */
  char* memory;
};

int qd_is_relayed(quadrille_context* context, const qd_call* call) {
  qd_shared shared;
  return !context->broken && !call->varies && call->collective != QD_BARRIER_CALL &&
         qd_measure_shared(context, call, &shared) && !qd_leaves_devices(context, call, 0, NULL);
}

/* --- who gives and gets what ------------------------------------------------------------------------------ */

static int goes_from_root(int collective) { return collective == QD_BROADCAST || collective == QD_SCATTER; }
static int goes_to_root(int collective) { return collective == QD_GATHER || collective == QD_REDUCE; }

static int is_root(const struct qd_relay* relay, int number) {
  return relay->root_is_here && number == relay->root;
}

static int gives(const struct qd_relay* relay, int number) {
  return !goes_from_root(relay->shared.call->collective) || is_root(relay, number);
}

static int gets(const struct qd_relay* relay, int number) {
  const int collective = relay->shared.call->collective;
  if (collective == QD_BROADCAST) return !is_root(relay, number);
  return !goes_to_root(collective) || is_root(relay, number);
}

static size_t given_bytes(const struct qd_relay* relay, int ranks) {
  const int collective = relay->shared.call->collective;
  const int has_all =
      collective == QD_SCATTER || collective == QD_ALLTOALL || collective == QD_REDUCE_SCATTER;
  return relay->shared.block * (has_all ? (size_t)ranks : 1);
}

static size_t got_bytes(const struct qd_relay* relay, int ranks) {
  const int collective = relay->shared.call->collective;
  const int has_all = collective == QD_GATHER || collective == QD_ALLGATHER || collective == QD_ALLTOALL;
  return relay->shared.block * (has_all ? (size_t)ranks : 1);
}

/* --- messages --------------------------------------------------------------------------------------------- */

/* So many rows of bytes, each so far behind the one before. */
static int rows_type(size_t rows, size_t bytes, size_t stride, MPI_Datatype* type) {
  int* lengths = malloc(rows * sizeof *lengths);
  MPI_Aint* places = malloc(rows * sizeof *places);
  int code = MPI_ERR_NO_MEM;
  if (lengths != NULL && places != NULL) {
    for (size_t r = 0; r < rows; ++r) {
      lengths[r] = (int)bytes;
      places[r] = (MPI_Aint)(r * stride);
    }
    code = PMPI_Type_create_hindexed((int)rows, lengths, places, MPI_BYTE, type);
    if (code == MPI_SUCCESS) code = PMPI_Type_commit(type);
  }
  free(lengths);
  free(places);
  return code;
}

/* A message of the leader: what a rank of its node gives goes to where qd_give() would have put it; what it gets lies where qd_get() would
 * look for it. */
static int move(qd_operation* operation, int number, int is_given) {
  struct qd_relay* relay = operation->relay;
  const struct qd_nodes* nodes = operation->context->nodes;
  const qd_shared* shared = &relay->shared;
  const int collective = shared->call->collective;
  const size_t block = shared->block, each = (size_t)nodes->each, at = (size_t)number;
  const size_t ranks = (size_t)operation->context->size;
  char* where = is_given || collective == QD_BROADCAST ? shared->out : shared->in;
  int count = (int)(is_given ? given_bytes(relay, (int)ranks) : got_bytes(relay, (int)ranks));
  MPI_Datatype type = MPI_BYTE;
  int code = MPI_SUCCESS;
  if (collective == QD_ALLTOALL) {
    where += at * block * (is_given ? each : 1);
    code = is_given ? rows_type((size_t)nodes->nodes, each * block, each * each * block, &type)
                    : rows_type(ranks, block, each * block, &type);
    count = 1;
  } else if (is_given && collective == QD_REDUCE_SCATTER) {
    where += at * ranks * block;
  } else if (is_given ? !goes_from_root(collective)
                      : collective == QD_SCATTER || collective == QD_REDUCE_SCATTER) {
    where += at * block;
  }
  if (code != MPI_SUCCESS) return code;
  MPI_Request* request = &relay->requests[relay->num_requests++];
  code = is_given ? PMPI_Irecv(where, count, type, number, operation->tag, nodes->node, request)
                  : PMPI_Isend(where, count, type, number, operation->tag, nodes->node, request);
  if (type != MPI_BYTE) PMPI_Type_free(&type);
  return code;
}

/* Of a rank that does not lead: what it gives goes, and what it gets is awaited. */
static int send_and_receive(qd_operation* operation) {
  struct qd_relay* relay = operation->relay;
  const struct qd_nodes* nodes = operation->context->nodes;
  const int ranks = operation->context->size;
  const int tag = operation->tag;
  int code = MPI_SUCCESS;
  if (gives(relay, nodes->me))
    code = PMPI_Isend(relay->shared.out, (int)given_bytes(relay, ranks), MPI_BYTE, 0, tag, nodes->node,
                      &relay->requests[relay->num_requests++]);
  if (code != MPI_SUCCESS || !gets(relay, nodes->me)) return code;
  char* into = relay->shared.call->collective == QD_BROADCAST ? relay->shared.out : relay->shared.in;
  code = PMPI_Irecv(&relay->code, 1, MPI_INT, 0, tag, nodes->node, &relay->requests[relay->num_requests++]);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Irecv(into, (int)got_bytes(relay, ranks), MPI_BYTE, 0, tag, nodes->node,
                    &relay->requests[relay->num_requests++]);
}

/* --- making ----------------------------------------------------------------------------------------------- */

/* The leaders' call, whose buffers are this call's areas. */
static qd_call call_of_leaders(const quadrille_context* context, const qd_shared* shared) {
  const qd_call* call = shared->call;
  const int combines = qd_combines(call->collective);
  const int is_broadcast = call->collective == QD_BROADCAST;
  const MPI_Count times = call->collective == QD_REDUCE_SCATTER ? context->nodes->each : 1;
  const MPI_Count count = combines ? call->to_count * times : shared->leader_bytes;
  const MPI_Datatype type = combines ? call->to_type : MPI_BYTE;
  return (qd_call){.collective = call->collective,
                   .from = is_broadcast ? NULL : shared->out,
                   .from_count = is_broadcast ? 0 : count,
                   .from_type = type,
                   .to = is_broadcast ? shared->out : shared->in,
                   .to_count = count,
                   .to_type = type,
                   .op = call->op,
                   .root = qd_is_rooted(call->collective) ? qd_leader_of(context, call->root) : 0};
}

int qd_make_relay(qd_operation* operation, int is_once, qd_error* error) {
  quadrille_context* context = operation->context;
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = &operation->call;
  struct qd_relay* relay = calloc(1, sizeof *relay);
  if (relay == NULL) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  operation->relay = relay;
  operation->served = NULL;
  operation->varies = 0;
  qd_measure_shared(context, call, &relay->shared);
  relay->root = qd_is_rooted(call->collective) ? nodes->at[call->root] % nodes->each : 0;
  relay->root_is_here = qd_is_rooted(call->collective) &&
                        nodes->at[call->root] / nodes->each == nodes->at[context->rank] / nodes->each;
  relay->shared.apart = nodes->me > 0;
  if (relay->shared.apart) {
    relay->shared.given = given_bytes(relay, context->size);
    relay->shared.got = got_bytes(relay, context->size);
  }
  const size_t line = 64;
  const size_t behind = (relay->shared.given + line - 1) / line * line;
  relay->memory = malloc(behind + relay->shared.got + 1);
  relay->requests = malloc((2 * (size_t)nodes->each + 3) * sizeof *relay->requests);
  relay->led = nodes->leaders == NULL ? NULL : qd_new_operation(nodes->leaders);
  if (relay->memory == NULL || relay->requests == NULL || (nodes->leaders != NULL && relay->led == NULL)) {
    context->broken = 1;
    return qd_fail(error, "quadrille: rank %d: no memory for %zu bytes", context->rank,
                   behind + relay->shared.got);
  }
  relay->shared.out = relay->memory;
  relay->shared.in = relay->memory + behind;
  if (relay->led == NULL) return 1;
  /* Leaders come to their exchanges in any order, so each has its tag now. */
  relay->led_call = call_of_leaders(context, &relay->shared);
  relay->led->is_persistent = 1;
  relay->led->is_once = is_once;
  relay->led->tag = operation->led_tag;
  return 1;
}

void qd_free_relay(qd_operation* operation) {
  struct qd_relay* relay = operation->relay;
  if (relay == NULL) return;
  if (relay->led != NULL) {
    qd_free_pairs(relay->led);
    relay->led->is_persistent = relay->led->is_once = 0;
    qd_keep_operation(relay->led);
  }
  free(relay->requests);
  free(relay->memory);
  free(relay);
  operation->relay = NULL;
}

/* --- as far as it goes ------------------------------------------------------------------------------------ */

int qd_begin_relay(qd_operation* operation, const qd_call* call, qd_error* error) {
  struct qd_relay* relay = operation->relay;
  quadrille_context* context = operation->context;
  const struct qd_nodes* nodes = context->nodes;
  ++context->statistics.served;
  context->statistics.bytes += (long long)relay->shared.block;
  relay->shared.call = call;
  relay->phase = QD_COLLECTING;
  relay->num_requests = 0;
  relay->code = MPI_SUCCESS;
  int code = gives(relay, nodes->me) ? qd_give(context, &relay->shared) : MPI_SUCCESS;
  if (code == MPI_SUCCESS && nodes->me > 0) code = send_and_receive(operation);
  for (int i = 1; nodes->me == 0 && i < nodes->each && code == MPI_SUCCESS; ++i)
    if (gives(relay, i)) code = move(operation, i, 1);
  if (code == MPI_SUCCESS) return 1;
  context->broken = 1;
  return qd_fail(error, "quadrille: rank %d: the MPI library failed within a node", context->rank);
}

/* All have given. */
static int begin_leading(qd_operation* operation, qd_error* error) {
  struct qd_relay* relay = operation->relay;
  const struct qd_nodes* nodes = operation->context->nodes;
  const qd_call* call = relay->shared.call;
  if (qd_combines(call->collective)) {
    const int64_t units =
        (int64_t)call->to_count * (call->collective == QD_REDUCE_SCATTER ? operation->context->size : 1);
    const size_t unit = relay->shared.given / (size_t)nodes->each / (size_t)units;
    if (qd_add_part(nodes, call, relay->shared.out, units, unit, 0, units) != MPI_SUCCESS)
      return qd_fail(error, "quadrille: rank %d: MPI_Reduce_local failed", operation->context->rank);
  }
  return qd_prepare_led(relay->led, &relay->led_call, error);
}

/* The exchange is over, well or not: those who wait hear of it. */
static int begin_returning(qd_operation* operation) {
  struct qd_relay* relay = operation->relay;
  const struct qd_nodes* nodes = operation->context->nodes;
  int code = MPI_SUCCESS;
  relay->num_requests = 0;
  for (int i = 1; i < nodes->each && code == MPI_SUCCESS; ++i) {
    if (!gets(relay, i)) continue;
    code = PMPI_Isend(&relay->code, 1, MPI_INT, i, operation->tag, nodes->node,
                      &relay->requests[relay->num_requests++]);
    if (code == MPI_SUCCESS) code = move(operation, i, 0);
  }
  if (code == MPI_SUCCESS && relay->code == MPI_SUCCESS && gets(relay, 0))
    code = qd_get(operation->context, &relay->shared);
  return code;
}

int qd_advance_relay(qd_operation* operation, qd_error* error) {
  struct qd_relay* relay = operation->relay;
  quadrille_context* context = operation->context;
  const int leads = context->nodes->me == 0;
  for (;;) {
    int code = MPI_SUCCESS;
    if (relay->phase == QD_LEADING) {
      const int state = relay->code == MPI_SUCCESS ? qd_advance(relay->led, &relay->why) : QD_FAILED;
      operation->at = (uint32_t)QD_LEADING << 28 | relay->led->at;
      if (state == QD_UNDER_WAY) return state;
      if (state == QD_FAILED) relay->code = MPI_ERR_OTHER;
      code = begin_returning(operation);
      relay->phase = QD_RETURNING;
    } else {
      int over = 0;
      code = PMPI_Testall(relay->num_requests, relay->requests, &over, MPI_STATUSES_IGNORE);
      operation->at = (uint32_t)relay->phase << 28;
      if (code == MPI_SUCCESS && !over) return QD_UNDER_WAY;
      if (code == MPI_SUCCESS && (!leads || relay->phase == QD_RETURNING)) break;
      if (code == MPI_SUCCESS && !begin_leading(operation, &relay->why)) relay->code = MPI_ERR_OTHER;
      relay->phase = QD_LEADING;
    }
    if (code != MPI_SUCCESS) {
      context->broken = 1;
      qd_fail(error, "quadrille: rank %d: the MPI library failed within a node", context->rank);
      return QD_FAILED;
    }
  }
  if (relay->code == MPI_SUCCESS) {
    if (leads || !gets(relay, context->nodes->me)) return QD_DONE;
    if (qd_get(context, &relay->shared) == MPI_SUCCESS) return QD_DONE;
    qd_fail(error, "quadrille: rank %d: MPI_Unpack failed", context->rank);
    return QD_FAILED;
  }
  context->broken = 1;
  if (leads)
    *error = relay->why;
  else
    qd_fail(error, "quadrille: rank %d: the leader of its node says what is wrong", context->rank);
  return QD_FAILED;
}

qd_operation* qd_led_by(const qd_operation* operation) {
  return operation->relay->phase == QD_LEADING ? operation->relay->led : NULL;
}
