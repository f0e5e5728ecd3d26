/* Blocks of different sizes where several ranks share a node: as in nodes.c, but nobody knows where a block begins before the ranks
 * of the node have told each other how long theirs are. Who sends how much to whom is only known to the two of them, so leaders
 * learn it from both: from what their ranks send, and from what they say they get. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "nodes_varying.h"

static qd_blocks end_of(const qd_call* call, const void* user, const MPI_Count* counts,
                        const MPI_Aint* places, MPI_Count count, MPI_Datatype type) {
  qd_blocks out = {(char*)user, counts, places, count, type, 0, 0, 0};
  MPI_Aint lower;
  PMPI_Type_get_extent(type, &lower, &out.extent);
  /* What is added up keeps the gaps that the operator may count on. */
  out.unit = qd_combines(call->collective) ? (size_t)out.extent : (size_t)qd_size_of(type);
  out.is_plain = qd_combines(call->collective) || qd_is_plain(type);
  return out;
}

int qd_gives_in_place(const quadrille_context* context, const qd_call* call) {
  if (call->collective == QD_SCATTER) return context->rank == call->root && call->to == MPI_IN_PLACE;
  if (call->collective == QD_GATHER) return context->rank == call->root && call->from == MPI_IN_PLACE;
  return call->from == MPI_IN_PLACE;
}

qd_blocks qd_given_by(const quadrille_context* context, const qd_call* call) {
  if (call->collective == QD_SCATTER && context->rank != call->root) return (qd_blocks){0};
  if (call->collective == QD_SCATTER || !qd_gives_in_place(context, call))
    return end_of(call, call->from, call->from_counts, call->from_places, call->from_count, call->from_type);
  if (call->collective == QD_REDUCE_SCATTER)
    return end_of(call, call->to, call->from_counts, NULL, 0, call->to_type);
  return end_of(call, call->to, call->to_counts, call->to_places, 0, call->to_type);
}
qd_blocks qd_got_by(const quadrille_context* context, const qd_call* call) {
  if (call->collective == QD_GATHER && context->rank != call->root) return (qd_blocks){0};
  if (call->collective == QD_SCATTER && qd_gives_in_place(context, call)) return (qd_blocks){0};
  return end_of(call, call->to, call->to_counts, call->to_places, call->to_count, call->to_type);
}

static MPI_Count count_at(const qd_blocks* of, int block) {
  return of->counts == NULL ? of->count : of->counts[block];
}

/* Bytes of an end in an area; below 0 where MPI refuses a count. */
static int64_t bytes_of_all(const qd_blocks* of, int blocks) {
  int64_t out = 0;
  for (int b = 0; b < blocks; ++b) {
    const MPI_Count count = count_at(of, b);
    if (count < 0 || (of->unit > 0 && count > INT64_MAX / 4 / (int64_t)of->unit)) return -1;
    out += (int64_t)count * (int64_t)of->unit;
    if (out > INT64_MAX / 4) return -1;
  }
  return out;
}

int64_t qd_own_bytes(const quadrille_context* context, const qd_call* call) {
  const int gathers = call->collective == QD_GATHER || call->collective == QD_ALLGATHER;
  if (gathers) {
    qd_blocks from = qd_given_by(context, call);
    if (qd_gives_in_place(context, call))
      from = (qd_blocks){.count = from.counts[context->rank], .unit = from.unit};
    return bytes_of_all(&from, 1);
  }
  if (qd_gives_in_place(context, call)) {
    const qd_blocks from = qd_given_by(context, call);
    const qd_blocks own = {.count = from.counts[context->rank], .unit = from.unit};
    return bytes_of_all(&own, 1);
  }
  const qd_blocks to = qd_got_by(context, call);
  return bytes_of_all(&to, 1);
}

/* Whole words of what anybody writes. */
static size_t padded(size_t bytes) {
  const size_t line = 64;
  return (bytes + line - 1) / line * line;
}

/* --- whose call it is ------------------------------------------------------------------------------------- */

/* 0 with an error where not all ranks came. */
static int add_up_numbers(quadrille_context* context, MPI_Comm comm, int64_t* numbers, int count, MPI_Op op,
                          qd_error* error) {
  return qd_reduce_in_time(context, comm, numbers, count, op, context->timeout, "the comparison of counts",
                           error);
}

void qd_numbers_for_leaders(const quadrille_context* context, const qd_call* call, int64_t numbers[2]) {
  const int64_t most = (int64_t)qd_most_shared;
  const int is_refused = qd_is_refused(context, call);
  const qd_blocks nothing = {0};
  const qd_blocks from = is_refused ? nothing : qd_given_by(context, call),
                  to = is_refused ? nothing : qd_got_by(context, call);
  if (call->collective == QD_ALLTOALL) {
    numbers[0] = bytes_of_all(&from, context->size);
    numbers[1] = bytes_of_all(&to, context->size);
    for (int i = 0; i < 2; ++i)
      if (numbers[i] < 0 || is_refused) numbers[i] = INT64_MAX;
    return;
  }
  int64_t own = is_refused ? -1 : qd_own_bytes(context, call);
  if (context->rank == call->root && !is_refused) {
    const qd_blocks whole = call->collective == QD_GATHER ? to : from;
    if (bytes_of_all(&whole, context->size) < 0) own = -1;
  }
  numbers[0] = own < 0 ? 2 : own > most;
  numbers[1] = own < 0 || own > most ? most : own;
}

int qd_is_refused_by_numbers(const qd_call* call, const int64_t numbers[2]) {
  return call->collective == QD_ALLTOALL ? numbers[0] == INT64_MAX || numbers[1] == INT64_MAX
                                         : numbers[0] == 2;
}

int64_t qd_leaders_bytes(const quadrille_context* context, const qd_call* call, const int64_t numbers[2]) {
  const struct qd_nodes* nodes = context->nodes;
  const int64_t most = (int64_t)qd_most_shared, each = nodes->each;
  if (qd_knows_extent(call)) {
    if (qd_is_refused(context, call)) return 0;
    const int gathers = call->collective == QD_ALLGATHER;
    const qd_blocks of = gathers ? qd_got_by(context, call) : qd_given_by(context, call);
    const int64_t all = bytes_of_all(&of, context->size);
    return all < 0 || all > most / (gathers ? 2 : each + 1) ? 0 : all / nodes->nodes;
  }
  /* Of the rank that has most. */
  if (call->collective == QD_ALLTOALL)
    return numbers[0] > most / each / 2 || numbers[1] > most / each / 2
               ? 0
               : numbers[0] * each / context->size * each;
  return numbers[0] > 0 || numbers[1] > most / 2 ? 0 : numbers[1] / nodes->nodes;
}

/* The same for a blocking call; -1 with an error. */
static int64_t compared_bytes(quadrille_context* context, const qd_call* call, qd_error* error) {
  int64_t numbers[2] = {0, 0};
  if (qd_knows_extent(call)) return qd_leaders_bytes(context, call, numbers);
  qd_numbers_for_leaders(context, call, numbers);
  const int good = qd_is_rooted(call->collective)
                       ? add_up_numbers(context, context->comm, &numbers[1], 1, MPI_SUM, error) &&
                             add_up_numbers(context, context->comm, &numbers[0], 1, MPI_MAX, error)
                       : add_up_numbers(context, context->comm, numbers, 2, MPI_MAX, error);
  return good ? qd_leaders_bytes(context, call, numbers) : -1;
}

const qd_served* qd_serving_leaders(const quadrille_context* context, const qd_call* call, int64_t bytes) {
  const int root = qd_is_rooted(call->collective) ? qd_leader_of(context, call->root) : 0;
  const qd_served* served = bytes <= 0 ? NULL : qd_choose(context, call->collective, root, (uint64_t)bytes);
  return served != NULL && qd_may_combine(context, call, served) ? served : NULL;
}

int qd_leaders_serve(quadrille_context* context, const qd_call* call, const int64_t numbers[2]) {
  return qd_serving_leaders(context, call, qd_leaders_bytes(context, call, numbers)) != NULL &&
         !qd_leaves_devices(context, call, 0, NULL);
}

/* --- who has how much ------------------------------------------------------------------------------------- */

size_t qd_lay_out(const struct qd_nodes* nodes, int size, const qd_blocks* of, size_t* begins,
                  MPI_Count* by_leader, size_t unit_of_leader) {
  for (int r = 0; r < size; ++r) begins[nodes->at[r]] = (size_t)of->counts[r] * of->unit;
  memset(by_leader, 0, (size_t)nodes->nodes * sizeof *by_leader);
  size_t at = 0;
  for (int p = 0; p < size; ++p) {
    const size_t bytes = begins[p];
    by_leader[p / nodes->each] += (MPI_Count)(bytes / unit_of_leader);
    begins[p] = at;
    at += bytes;
  }
  return at;
}

/* What the ranks of the node tell each other, by `words` words each. Null with an error in `code`. */
static uint64_t* tell(quadrille_context* context, size_t words, int* code) {
  struct qd_nodes* nodes = context->nodes;
  const size_t bytes = qd_front + (size_t)nodes->each * words * sizeof(uint64_t);
  if (!qd_reserve_window(context, bytes, code)) return NULL;
  return (uint64_t*)(void*)(nodes->memory + qd_front);
}

void qd_lay_out_exchange(const struct qd_nodes* nodes, int size, const uint64_t* table, qd_varying_call* of) {
  const int each = nodes->each, me = nodes->me;
  size_t out = 0, in = 0;
  for (int n = 0; n < nodes->nodes; ++n) {
    const size_t out_before = out, in_before = in;
    for (int i = 0; i < each; ++i) {
      for (int j = 0; j < each; ++j) {
        /* From the i-th here to the j-th there, and from the i-th there to the j-th here. */
        const size_t there = (size_t)(n * each + j), from = (size_t)(n * each + i);
        if (i == me) of->from_begins[there] = out;
        if (j == me) of->to_begins[from] = in;
        out += table[(size_t)i * 2 * (size_t)size + there];
        in += table[((size_t)j * 2 + 1) * (size_t)size + from];
      }
    }
    of->sends[n] = (MPI_Count)(out - out_before);
    of->gets[n] = (MPI_Count)(in - in_before);
  }
  of->given = out;
  of->got = in;
}

void qd_say_exchange(const quadrille_context* context, const qd_varying_call* of, uint64_t* row) {
  for (int r = 0; r < context->size; ++r) {
    const size_t at = (size_t)context->nodes->at[r];
    row[at] = (uint64_t)of->from.counts[r] * of->from.unit;
    row[(size_t)context->size + at] = (uint64_t)of->to.counts[r] * of->to.unit;
  }
}

static int learn_exchange(quadrille_context* context, qd_varying_call* of, int* code, qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  const size_t size = (size_t)context->size;
  uint64_t* table = tell(context, 2 * size, code);
  if (table == NULL) return 0;
  qd_say_exchange(context, of, table + (size_t)nodes->me * 2 * size);
  if (!qd_meet(context, error)) return 0;
  qd_lay_out_exchange(nodes, context->size, table, of);
  return 1;
}

void qd_lay_out_rooted(const quadrille_context* context, const uint64_t* own, const uint64_t* of_root,
                       qd_varying_call* of) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = of->call;
  const int gathers = call->collective == QD_GATHER;
  size_t of_node = 0;
  for (int i = 0; i < nodes->each; ++i) {
    if (i == nodes->me) of->own = of_node;
    of_node += own[i];
  }
  size_t all = 0;
  size_t* begins = gathers ? of->to_begins : of->from_begins;
  MPI_Count* by_leader = gathers ? of->gets : of->sends;
  const int is_here = nodes->at[call->root] / nodes->each == nodes->at[context->rank] / nodes->each;
  for (int p = 0; p < context->size && is_here; ++p) {
    if (p % nodes->each == 0) by_leader[p / nodes->each] = 0;
    by_leader[p / nodes->each] += (MPI_Count)of_root[p];
    begins[p] = all;
    all += of_root[p];
  }
  of->given = gathers ? of_node : all;
  of->got = gathers ? all : of_node;
}

/* gatherv and scatterv: each has its own block; the root's leader has to know all. */
static int learn_of_root(quadrille_context* context, qd_varying_call* of, int* code, qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = of->call;
  const size_t each = (size_t)nodes->each;
  const size_t words = 1 + ((size_t)context->size + each - 1) / each;
  uint64_t* table = tell(context, words, code);
  if (table == NULL) return 0;
  uint64_t* of_root = table + each;
  const qd_blocks* whole = call->collective == QD_GATHER ? &of->to : &of->from;
  table[nodes->me] = (uint64_t)qd_own_bytes(context, call);
  if (context->rank == call->root)
    for (int r = 0; r < context->size; ++r) of_root[nodes->at[r]] = (uint64_t)whole->counts[r] * whole->unit;
  if (!qd_meet(context, error)) return 0;
  qd_lay_out_rooted(context, table, of_root, of);
  return 1;
}

void qd_lay_out_known(const quadrille_context* context, qd_varying_call* of) {
  const struct qd_nodes* nodes = context->nodes;
  const size_t here = (size_t)(nodes->at[context->rank] - nodes->me);
  const size_t leader = here / (size_t)nodes->each, me = (size_t)nodes->me;
  if (of->call->collective == QD_ALLGATHER) {
    of->got = qd_lay_out(nodes, context->size, &of->to, of->to_begins, of->gets, 1);
    of->own = of->to_begins[here + me] - of->to_begins[here];
    of->given = (size_t)of->gets[leader];
    return;
  }
  const size_t whole = qd_lay_out(nodes, context->size, &of->from, of->from_begins, of->sends,
                                  of->from.unit > 0 ? of->from.unit : 1);
  of->own = of->from_begins[here + me] - of->from_begins[here];
  of->given = whole * (size_t)nodes->each;
  of->got = (size_t)of->sends[leader] * of->from.unit;
}

/* 0 where the node is not together; `code` is what the call returns then, if it is not MPI_SUCCESS. */
static int learn(quadrille_context* context, qd_varying_call* of, int* code, qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = of->call;
  int good = 1;
  if (qd_knows_extent(call)) {
    qd_lay_out_known(context, of);
  } else {
    good = (call->collective == QD_ALLTOALL ? learn_exchange : learn_of_root)(context, of, code, error);
    /* All have read what is written over now. */
    good = good && qd_meet(context, error);
  }
  if (!good) return 0;
  const size_t behind = qd_front + padded(of->given);
  if (!qd_reserve_window(context, behind + of->got + 1, code)) return 0;
  of->out = nodes->memory + qd_front;
  of->in = nodes->memory + behind;
  return 1;
}

/* --- the call --------------------------------------------------------------------------------------------- */

static int copy_block(const quadrille_context* context, const qd_blocks* of, MPI_Aint place, MPI_Count count,
                      char* area, int gives) {
  char* user = of->user + place * of->extent;
  if (count == 0) return MPI_SUCCESS;
  if (!of->is_plain)
    return gives ? qd_pack(user, count, of->type, area, context->comm)
                 : qd_unpack(area, user, count, of->type, context->comm);
  const size_t bytes = (size_t)count * of->unit;
  if (gives)
    memcpy(area, user, bytes);
  else
    memcpy(user, area, bytes);
  return MPI_SUCCESS;
}

/* All blocks of an end, each where `begins` has it. */
static int copy_blocks(const quadrille_context* context, const qd_blocks* of, const size_t* begins,
                       char* area, int gives) {
  MPI_Aint behind = 0;
  int code = MPI_SUCCESS;
  for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r) {
    const MPI_Aint place = of->places == NULL ? behind : of->places[r];
    behind += (MPI_Aint)of->counts[r];
    code = copy_block(context, of, place, of->counts[r], area + begins[context->nodes->at[r]], gives);
  }
  return code;
}

int64_t qd_surplus(const quadrille_context* context, const qd_varying_call* of, qd_error* error) {
  if (of->call->collective != QD_ALLGATHER || qd_gives_in_place(context, of->call)) return 0;
  const int64_t sent = qd_own_bytes(context, of->call);
  const int64_t told = (int64_t)((size_t)of->to.counts[context->rank] * of->to.unit);
  if (sent != told)
    qd_fail(error,
            "quadrille: rank %d: rank %d sends %" PRId64
            " bytes in allgather, and its counts here say %" PRId64,
            context->rank, context->rank, sent, told);
  return sent - told;
}

int qd_give_varying(const quadrille_context* context, const qd_varying_call* of) {
  const struct qd_nodes* nodes = context->nodes;
  const size_t me = of->apart ? 0 : (size_t)nodes->me, each = of->apart ? 1 : (size_t)nodes->each;
  switch (of->call->collective) {
    case QD_ALLTOALL:
      return copy_blocks(context, &of->from, of->from_begins, of->out, 1);
    case QD_SCATTER:
      return context->rank == of->call->root ? copy_blocks(context, &of->from, of->from_begins, of->out, 1)
                                             : MPI_SUCCESS;
    case QD_REDUCE_SCATTER:
      return copy_blocks(context, &of->from, of->from_begins, of->out + of->given / each * me, 1);
    default:
      break;
  }
  char* own = of->out + (of->apart ? 0 : of->own);
  if (!qd_gives_in_place(context, of->call)) return copy_block(context, &of->from, 0, of->from.count, own, 1);
  MPI_Aint place = 0;
  for (int r = 0; r < context->rank; ++r) place += (MPI_Aint)of->from.counts[r];
  if (of->from.places != NULL) place = of->from.places[context->rank];
  return copy_block(context, &of->from, place, of->from.counts[context->rank], own, 1);
}

int qd_get_varying(const quadrille_context* context, const qd_varying_call* of) {
  switch (of->call->collective) {
    case QD_ALLGATHER:
    case QD_ALLTOALL:
      return copy_blocks(context, &of->to, of->to_begins, of->in, 0);
    case QD_GATHER:
      return context->rank == of->call->root ? copy_blocks(context, &of->to, of->to_begins, of->in, 0)
                                             : MPI_SUCCESS;
    default:
      return qd_gives_in_place(context, of->call) && of->call->collective == QD_SCATTER
                 ? MPI_SUCCESS
                 : copy_block(context, &of->to, 0, of->to.count, of->in + (of->apart ? 0 : of->own), 0);
  }
}

static int give(const quadrille_context* context, const void* call, qd_error* error) {
  const qd_varying_call* of = call;
  /* A rank that sends more than others are told would write into their part. */
  const int64_t surplus = qd_surplus(context, of, error);
  if (surplus == 0) return qd_give_varying(context, of);
  /* The leader sends as much too much or too little, so that all hear of it: of the first, as two might make up for each other. */
  int64_t none = 0;
  atomic_compare_exchange_strong(&((qd_state*)(void*)context->nodes->memory)->surplus, &none, surplus);
  return MPI_ERR_TRUNCATE;
}

static int get(const quadrille_context* context, const void* call) { return qd_get_varying(context, call); }

/* What the ranks of the node say they send is not what all are told: nothing of it is of use, and everybody is to know. */
static int lead_wrong(const quadrille_context* context, const qd_varying_call* of, int64_t surplus) {
  const int64_t most = (int64_t)qd_most_shared, wanted = (int64_t)of->given + surplus;
  const int64_t bytes = wanted < 0 ? 0 : wanted > most ? most : wanted;
  char* nothing = calloc(1, (size_t)bytes + 1);
  if (nothing == NULL) return MPI_ERR_NO_MEM;
  const int code = quadrille_allgatherv(nothing, bytes, MPI_BYTE, of->in, of->gets, NULL, MPI_BYTE,
                                        context->nodes->leaders);
  free(nothing);
  return code;
}

qd_call qd_leaders_call(const quadrille_context* context, const qd_varying_call* of) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = of->call;
  const int here = nodes->at[context->rank] / nodes->each;
  qd_call out = {.collective = call->collective,
                 .varies = 1,
                 .from = of->out,
                 .from_type = MPI_BYTE,
                 .to = of->in,
                 .to_type = MPI_BYTE,
                 .op = call->op,
                 .root = qd_is_rooted(call->collective) ? qd_leader_of(context, call->root) : 0};
  if (call->collective == QD_ALLGATHER || call->collective == QD_GATHER) {
    out.from_count = (MPI_Count)of->given;
    if (call->collective == QD_ALLGATHER || here == out.root) out.to_counts = of->gets;
  } else if (call->collective == QD_ALLTOALL) {
    out.from_counts = of->sends;
    out.to_counts = of->gets;
  } else if (call->collective == QD_SCATTER) {
    if (here == out.root) out.from_counts = of->sends;
    out.to_count = (MPI_Count)of->got;
  } else {
    out.from_counts = of->sends;
    out.to_count = of->sends[here];
    out.from_type = out.to_type = call->to_type;
  }
  return out;
}

static int lead(const quadrille_context* context, const void* shared) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_varying_call* of = shared;
  const int64_t surplus = atomic_exchange(&((qd_state*)(void*)nodes->memory)->surplus, 0);
  if (surplus != 0) return lead_wrong(context, of, surplus);
  const qd_call call = qd_leaders_call(context, of);
  return qd_call_now(nodes->leaders, &call);
}

static int add_up(const quadrille_context* context, const void* call) {
  const qd_varying_call* of = call;
  const size_t unit = of->from.unit;
  const int64_t units = (int64_t)(of->given / (size_t)context->nodes->each / (unit > 0 ? unit : 1));
  return qd_add_up(context->nodes, of->call, of->out, units, unit);
}

int qd_varying_by_nodes(quadrille_context* context, const qd_call* call, int* code) {
  const struct qd_nodes* nodes = context->nodes;
  if (context->broken) return 0;
  const double begun = qd_now();
  qd_error why = {""};
  const int64_t bytes = compared_bytes(context, call, &why);
  if (bytes < 0) {
    context->broken = 1;
    *code = qd_raise(context, MPI_COMM_NULL, &why);
    return 1;
  }
  const int is_left =
      qd_serving_leaders(context, call, bytes) == NULL ? 1 : qd_leaves_devices(context, call, 1, code);
  if (is_left != 0) return is_left < 0;
  qd_host_copy host;
  const qd_call* here = qd_on_host(context, call, &host, &why);
  const int is_there = here != NULL;
  if (!is_there) here = call;
  const size_t size = (size_t)context->size;
  qd_varying_call of = {.call = here,
                        .from = qd_given_by(context, here),
                        .to = qd_got_by(context, here),
                        .from_begins = nodes->begins,
                        .to_begins = nodes->begins + size,
                        .sends = nodes->counts,
                        .gets = nodes->counts + size};
  *code = MPI_SUCCESS;
  int mine = is_there ? MPI_SUCCESS : MPI_ERR_OTHER;
  int met = learn(context, &of, code, &why);
  if (*code != MPI_SUCCESS) {
    *code = qd_back_to_device(context, &host, *code);
    return 1;
  }
  const qd_parts parts = {give, call->collective == QD_REDUCE_SCATTER ? add_up : NULL, lead, get};
  met = met && qd_exchange(context, &parts, &of, &mine, &why);
  ++context->statistics.served;
  context->statistics.bytes += (long long)(of.given / (size_t)nodes->each);
  context->statistics.seconds += qd_now() - begun;
  mine = qd_back_to_device(context, &host, met ? mine : MPI_ERR_OTHER);
  *code = why.text[0] == 0 ? mine : qd_raise(context, MPI_COMM_NULL, &why);
  return 1;
}
