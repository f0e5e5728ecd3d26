/* allgatherv, reduce_scatter, alltoallv, gatherv and scatterv: blocks of different sizes by the programs of allgather,
 * reduce_scatter_block, alltoall, gather and scatter. The schedule stays, and so does its order; a slot has the size of what is in it. Nobody but its two ends knows
 * the size of a block of alltoallv, and nobody on its way which block it is: every message has the sizes of its slots
 * in front. What came stays where it landed, and is sent on from there. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* A schedule made for equal blocks takes as long as if all were the longest: it is used as long as that is at most so
 * many times their mean. */
static const int64_t most_skew = 4;
/* MPI counts bytes with int. */
static const size_t most_counted = (size_t)1 << 30;
/* What lies behind the sizes of a message is aligned for every type. */
static const size_t alignment = 16;

/* A message: sizes of its slots, and what is in them; or a copy of one slot. Gone when the last slot has let it go. */
typedef struct {
  size_t uses;
  size_t bytes;
  _Alignas(16) char data[];
} held;

typedef struct {
  char* at;
  size_t bytes;
  held* in; /* null: in memory that stays */
} slot;

enum { AGREEING, PASSED, DIRECT, LED, RUNNING, OVER };

struct qd_varying {
  int phase;
  int is_now;         /* a blocking call */
  int is_in_order;    /* all ranks come to the choice in the order of their calls */
  qd_numbers numbers; /* longest block and all of them; with leaders what these ask for */
  uint32_t num_direct;
  slot* slots;
  size_t num_slots, slots_size;
  slot* first[QD_BUFFERS];
  held** messages; /* per request */
  uint32_t messages_size;
  uint32_t* awaited; /* receives whose messages have not been seen, in the order of the program */
  uint32_t num_awaited;
  unsigned char* has_met; /* per rank: an earlier receive from it waits */
  int* ints;              /* counts and places, for an MPI library that counts with int */
};

void qd_free_varying(struct qd_varying* varying) {
  if (varying == NULL) return;
  free(varying->slots);
  free(varying->messages);
  free(varying->awaited);
  free(varying->has_met);
  free(varying->ints);
  free(varying);
}

void qd_say_varying(const qd_operation* operation, char* text, size_t room) {
  const struct qd_varying* varying = operation->varying;
  const quadrille_context* context = operation->context;
  const char* name = qd_collective_names[operation->call.collective];
  if (varying->phase == AGREEING) {
    const int length = snprintf(text, room, "ranks agree about sizes of %sv: ", name);
    qd_say_numbers(&varying->numbers, context->rank, context->size, text + length, room - (size_t)length);
  } else if (varying->phase == DIRECT) {
    snprintf(text, room, "%sv is done block by block", name);
  } else {
    snprintf(text, room, "the MPI library does %sv", name);
  }
}

uint64_t qd_varying_is_at(const qd_operation* operation) {
  const struct qd_varying* varying = operation->varying;
  return ((uint64_t)varying->phase << 8) + (varying->phase == AGREEING ? (uint64_t)varying->numbers.step : 0);
}

int qd_is_led(const qd_operation* operation) { return operation->varies && operation->varying->phase == LED; }

int qd_is_awaited(const qd_operation* operation, uint32_t request) {
  const struct qd_varying* varying = operation->varying;
  for (uint32_t i = 0; i < varying->num_awaited; ++i)
    if (varying->awaited[i] == request) return 1;
  return 0;
}

/* --- whose call it is ------------------------------------------------------------------------------------- */

int qd_knows_extent(const qd_call* call) {
  return call->collective == QD_ALLGATHER || call->collective == QD_REDUCE_SCATTER;
}

/* gatherv and scatterv: a rank's own block, which the root may have in place. */
static qd_extent own_extent(const quadrille_context* context, const qd_call* call) {
  const int gathers = call->collective == QD_GATHER;
  const int in_place = (gathers ? call->from : call->to) == MPI_IN_PLACE;
  MPI_Count count = gathers ? call->from_count : call->to_count;
  MPI_Datatype type = gathers ? call->from_type : call->to_type;
  if (in_place) {
    count = (gathers ? call->to_counts : call->from_counts)[context->rank];
    type = gathers ? call->to_type : call->from_type;
  }
  if (count < 0) return (qd_extent){INT64_MAX, 0};
  const int64_t bytes = (int64_t)qd_bytes_of(count, type);
  return (qd_extent){bytes, bytes};
}

qd_extent qd_extent_of(const quadrille_context* context, const qd_call* call) {
  if (qd_is_refused(context, call)) return qd_too_long;
  if (qd_is_rooted(call->collective)) return own_extent(context, call);
  /* Of alltoallv what this rank sends. Where that lies in place it is as much as it gets. */
  const int sends = call->collective != QD_ALLGATHER && call->from_counts != NULL;
  const MPI_Count* counts = sends ? call->from_counts : call->to_counts;
  const MPI_Datatype type =
      call->collective == QD_ALLTOALL && call->from != MPI_IN_PLACE ? call->from_type : call->to_type;
  qd_extent out = {0, 0};
  for (int r = 0; r < context->size; ++r) {
    const int64_t bytes = counts[r] < 0 ? -1 : (int64_t)qd_bytes_of(counts[r], type);
    /* The MPI library knows how to refuse it. */
    if (bytes < 0) return (qd_extent){INT64_MAX, 0};
    if (bytes > out.longest) out.longest = bytes;
    out.all += bytes;
  }
  return out;
}

const qd_served* qd_serving_varying(const quadrille_context* context, const qd_call* call, qd_extent extent) {
  const int64_t size = context->size;
  if (context->broken || context->nodes != NULL || extent.longest > INT64_MAX / size ||
      extent.longest * size > most_skew * extent.all)
    return NULL;
  const qd_served* served =
      qd_choose(context, call->collective, call->root, (uint64_t)((extent.all + size - 1) / size));
  if (served == NULL || !qd_combines(call->collective)) return served;
  return (qd_commutes(call->op) || served->head.in_order) && qd_is_combined(call->op, call->to_type) ? served
                                                                                                     : NULL;
}

/* --- slots ------------------------------------------------------------------------------------------------ */

static held* new_held(size_t bytes) {
  held* out = malloc(sizeof *out + bytes);
  if (out == NULL) return NULL;
  out->uses = 0;
  out->bytes = bytes;
  return out;
}

static void set_slot(slot* at, char* bytes, size_t size, held* in) {
  if (in != NULL) ++in->uses;
  if (at->in != NULL && --at->in->uses == 0) free(at->in);
  *at = (slot){bytes, size, in};
}

static void release(struct qd_varying* varying) {
  for (size_t s = 0; s < varying->num_slots; ++s) set_slot(&varying->slots[s], NULL, 0, NULL);
}

/* Where a block is in memory and how many elements it has: at one of the ends of a call. */
typedef struct {
  const MPI_Count* counts;
  const MPI_Aint* places;
  MPI_Aint behind; /* of those without places */
} walk;
static MPI_Aint place_of(walk* blocks, int block) {
  if (blocks->places != NULL) return blocks->places[block];
  const MPI_Aint out = blocks->behind;
  blocks->behind += (MPI_Aint)blocks->counts[block];
  return out;
}

/* Pieces of a block begin at elements. */
static size_t cut(size_t units, size_t piece, size_t pieces) {
  return units / pieces * piece + units % pieces * piece / pieces;
}

/* The input of the program: the user's memory where bytes lie there as they are sent and nothing is written to
 * them, else a copy. */
static int set_input(qd_operation* operation) {
  struct qd_varying* varying = operation->varying;
  const qd_call* call = &operation->call;
  const quadrille_context* context = operation->context;
  const size_t pieces = operation->served->head.pieces;
  const int combines = qd_combines(call->collective);
  const int in_place = call->from == MPI_IN_PLACE;
  const char* user = in_place ? call->to : call->from;
  const MPI_Datatype type = in_place ? call->to_type : call->from_type;
  walk blocks = {in_place && !combines ? call->to_counts : call->from_counts,
                 in_place && !combines ? call->to_places : call->from_places, 0};
  int begin = 0, end = context->size;
  const int has_one = call->collective == QD_ALLGATHER || call->collective == QD_GATHER;
  if (call->collective == QD_SCATTER && context->rank != call->root) return MPI_SUCCESS;
  if (has_one && in_place) {
    begin = context->rank;
    end = begin + 1;
    for (int b = 0; b < begin; ++b) place_of(&blocks, b);
  } else if (has_one) {
    blocks = (walk){&call->from_count, NULL, 0};
    end = 1;
  }
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  const int is_copied = combines || !qd_is_plain(type) || (in_place && call->collective == QD_ALLTOALL);
  size_t all = 0;
  for (int b = begin; b < end && is_copied; ++b)
    all += combines ? (size_t)blocks.counts[b] * (size_t)extent : qd_bytes_of(blocks.counts[b], type);
  if (!qd_reserve(operation, all + 1)) return MPI_ERR_NO_MEM;
  if (is_copied) ++operation->context->statistics.packed;
  char* copy = operation->memory;
  slot* to = varying->first[QD_INPUT];
  for (int b = begin; b < end; ++b) {
    const char* block = user + place_of(&blocks, b) * extent;
    const size_t units = combines ? (size_t)blocks.counts[b] : (size_t)qd_bytes_of(blocks.counts[b], type);
    const size_t bytes = units * operation->unit;
    char* at = is_copied ? copy : (char*)block;
    if (combines) {
      memcpy(at, block, bytes);
    } else if (is_copied) {
      const int code = qd_pack(block, blocks.counts[b], type, at, context->comm);
      if (code != MPI_SUCCESS) return code;
    }
    if (is_copied) copy += bytes;
    for (size_t p = 0; p < pieces; ++p) {
      const size_t from = cut(units, p, pieces) * operation->unit;
      set_slot(to++, at + from, cut(units, p + 1, pieces) * operation->unit - from, NULL);
    }
  }
  return MPI_SUCCESS;
}

/* What came, where the user wants it. 0 with an error. */
static int give_output(qd_operation* operation, qd_error* error) {
  const qd_call* call = &operation->call;
  const quadrille_context* context = operation->context;
  const size_t pieces = operation->served->head.pieces;
  const int combines = qd_combines(call->collective);
  const int scatters = call->collective == QD_SCATTER;
  if ((call->collective == QD_GATHER && context->rank != call->root) || call->to == MPI_IN_PLACE) return 1;
  const walk own = {&call->to_count, NULL, 0};
  walk blocks = combines || scatters ? own : (walk){call->to_counts, call->to_places, 0};
  const int num_blocks = combines || scatters ? 1 : context->size;
  const int is_plain = combines || qd_is_plain(call->to_type);
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(call->to_type, &lower, &extent);
  const slot* from = operation->varying->first[QD_OUTPUT];
  for (int b = 0; b < num_blocks; ++b, from += pieces) {
    char* to = (char*)call->to + place_of(&blocks, b) * extent;
    const size_t room = combines ? (size_t)call->to_count * (size_t)extent
                                 : (size_t)qd_bytes_of(blocks.counts[b], call->to_type);
    size_t came = 0;
    for (size_t p = 0; p < pieces; ++p) came += from[p].bytes;
    /* Leaders are numbered as their nodes are. */
    const char* who = context->leads ? "node" : "rank";
    if (came != room)
      return qd_fail(error, "quadrille: %s %d: %s %d sends %zu bytes in %s, and its counts here say %zu", who,
                     context->rank, who, scatters ? call->root : b, came,
                     qd_collective_names[call->collective], room);
    /* Several pieces side by side, for MPI to unpack. */
    char* together = is_plain ? to : pieces > 1 ? malloc(came + 1) : from->at;
    if (together == NULL && came > 0) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
    size_t done = 0;
    for (size_t p = 0; p < pieces && together != from->at; ++p) {
      if (from[p].bytes > 0) memmove(together + done, from[p].at, from[p].bytes);
      done += from[p].bytes;
    }
    const int code =
        is_plain ? MPI_SUCCESS : qd_unpack(together, to, blocks.counts[b], call->to_type, context->comm);
    if (!is_plain && pieces > 1) free(together);
    if (code != MPI_SUCCESS) return qd_fail(error, "quadrille: rank %d: MPI_Unpack failed", context->rank);
  }
  return 1;
}

/* --- messages --------------------------------------------------------------------------------------------- */

static slot* slots_of(const qd_operation* operation, const qd_run* run) {
  return operation->varying->first[run->buffer] + run->first;
}

static size_t front(uint32_t slots) {
  return (slots * sizeof(uint64_t) + alignment - 1) / alignment * alignment;
}

static int transfer(qd_operation* operation, const qd_action* action, held* message) {
  void* at = message->data;
  int count = (int)message->bytes;
  MPI_Datatype type = MPI_BYTE;
  if (message->bytes > most_counted) {
    const int code = qd_long_type(at, message->bytes, &type);
    if (code != MPI_SUCCESS) return code;
    at = MPI_BOTTOM;
    count = 1;
  }
  MPI_Request* request = &operation->requests[action->request];
  const MPI_Comm comm = operation->context->comm;
  const int code = action->kind == QD_SEND
                       ? PMPI_Isend(at, count, type, (int)action->peer, operation->tag, comm, request)
                       : PMPI_Irecv(at, count, type, (int)action->peer, operation->tag, comm, request);
  if (type != MPI_BYTE) PMPI_Type_free(&type);
  operation->varying->messages[action->request] = message;
  return code;
}

static int send(qd_operation* operation, const qd_action* action) {
  const qd_run* runs = operation->served->program.runs;
  size_t bytes = front(action->slots);
  for (uint32_t r = action->begin; r < action->end; ++r)
    for (uint32_t s = 0; s < runs[r].count; ++s) bytes += slots_of(operation, &runs[r])[s].bytes;
  held* message = new_held(bytes);
  if (message == NULL) return MPI_ERR_NO_MEM;
  uint64_t* sizes = (uint64_t*)(void*)message->data;
  char* to = message->data + front(action->slots);
  for (uint32_t r = action->begin; r < action->end; ++r) {
    const slot* from = slots_of(operation, &runs[r]);
    for (uint32_t s = 0; s < runs[r].count; ++s) {
      *sizes++ = from[s].bytes;
      if (from[s].bytes > 0) memcpy(to, from[s].at, from[s].bytes);
      to += from[s].bytes;
    }
  }
  return transfer(operation, action, message);
}

/* Receives what has come. Messages between two ranks do not overtake each other: the first is for the first that waits. */
static int look_for_messages(qd_operation* operation) {
  struct qd_varying* varying = operation->varying;
  const qd_program* program = &operation->served->program;
  uint32_t kept = 0;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; i < varying->num_awaited; ++i) {
    const uint32_t request = varying->awaited[i];
    const qd_action* action = &program->actions[program->starts[request]];
    int came = 0;
    MPI_Status status;
    if (code == MPI_SUCCESS && !varying->has_met[action->peer])
      code = PMPI_Iprobe((int)action->peer, operation->tag, operation->context->comm, &came, &status);
    if (!came || code != MPI_SUCCESS) {
      varying->has_met[action->peer] = 1;
      varying->awaited[kept++] = request;
      continue;
    }
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    held* message = new_held((size_t)bytes);
    code = message == NULL ? MPI_ERR_NO_MEM : transfer(operation, action, message);
  }
  varying->num_awaited = kept;
  for (uint32_t i = 0; i < kept; ++i)
    varying->has_met[program->actions[program->starts[varying->awaited[i]]].peer] = 0;
  return code;
}

/* A message that is complete: where its slots are now. */
static int land(qd_operation* operation, const qd_action* action, held* message) {
  if (message->bytes < front(action->slots)) return MPI_ERR_TRUNCATE;
  const qd_run* runs = operation->served->program.runs;
  const uint64_t* sizes = (const uint64_t*)(void*)message->data;
  size_t at = front(action->slots);
  ++message->uses;
  int code = MPI_SUCCESS;
  for (uint32_t r = action->begin; r < action->end && code == MPI_SUCCESS; ++r) {
    slot* to = slots_of(operation, &runs[r]);
    for (uint32_t s = 0; s < runs[r].count && code == MPI_SUCCESS; ++s) {
      const size_t bytes = (size_t)*sizes++;
      if (bytes > message->bytes - at) {
        code = MPI_ERR_TRUNCATE;
      } else if (action->kind == QD_RECEIVE) {
        set_slot(&to[s], message->data + at, bytes, message);
      } else {
        code = bytes == to[s].bytes ? qd_combine(operation, to[s].at, message->data + at, bytes, 0)
                                    : MPI_ERR_TRUNCATE;
      }
      at += bytes;
    }
  }
  if (--message->uses == 0) free(message);
  return code;
}

static int move(qd_operation* operation, const qd_action* action) {
  const qd_run* runs = operation->served->program.runs + action->begin;
  slot* into = slots_of(operation, &runs[0]);
  const slot* from = slots_of(operation, &runs[1]);
  for (uint32_t s = 0; s < runs[0].count; ++s) {
    if (action->kind != QD_COPY) {
      if (into[s].bytes != from[s].bytes) return MPI_ERR_TRUNCATE;
      const int code =
          qd_combine(operation, into[s].at, from[s].at, from[s].bytes, action->kind == QD_REDUCE_BEFORE);
      if (code != MPI_SUCCESS) return code;
    } else if (!qd_combines(operation->call.collective)) {
      set_slot(&into[s], from[s].at, from[s].bytes, from[s].in);
    } else {
      /* What is added to one of them must not be seen in the other. */
      held* copy = new_held(from[s].bytes);
      if (copy == NULL) return MPI_ERR_NO_MEM;
      if (from[s].bytes > 0) memcpy(copy->data, from[s].at, from[s].bytes);
      set_slot(&into[s], copy->data, from[s].bytes, copy);
    }
  }
  return MPI_SUCCESS;
}

static int wait_is_over(qd_operation* operation, const qd_action* action, int* over) {
  struct qd_varying* varying = operation->varying;
  const qd_program* program = &operation->served->program;
  int code = varying->num_awaited > 0 ? look_for_messages(operation) : MPI_SUCCESS;
  *over = 1;
  for (uint32_t i = action->begin; i < action->end && code == MPI_SUCCESS; ++i) {
    const uint32_t request = program->waited[i];
    int is_complete = 0;
    if (!qd_is_awaited(operation, request))
      code = PMPI_Test(&operation->requests[request], &is_complete, MPI_STATUS_IGNORE);
    *over &= is_complete;
  }
  for (uint32_t i = action->begin; i < action->end && code == MPI_SUCCESS && *over; ++i) {
    const uint32_t request = program->waited[i];
    const qd_action* started = &program->actions[program->starts[request]];
    held* message = varying->messages[request];
    varying->messages[request] = NULL;
    if (started->kind == QD_SEND)
      free(message);
    else
      code = land(operation, started, message);
  }
  return code;
}

/* --- the MPI library -------------------------------------------------------------------------------------- */

static int to_int(int64_t value, int* out) {
  *out = (int)value;
  return value >= INT_MIN && value <= INT_MAX;
}

/* Counts and places as int, in memory that stays until the call is over. */
static int make_ints(const quadrille_context* context, const MPI_Count* counts, const MPI_Aint* places,
                     int* out) {
  walk blocks = {counts, places, 0};
  int fits = 1;
  for (int r = 0; r < context->size && counts != NULL; ++r) {
    fits &= to_int((int64_t)place_of(&blocks, r), &out[context->size + r]);
    fits &= to_int((int64_t)counts[r], &out[r]);
  }
  return fits;
}

/* What is sent in place, from a copy: after MPI_Ialltoallv in place in which a rank has nothing to send, Open MPI 4.1's ranks
 * take different tags for the same call, and the next nonblocking collective hangs. */
static int copy_in_place(qd_operation* operation, int* bytes) {
  const quadrille_context* context = operation->context;
  qd_call* call = &operation->call;
  size_t all = 0;
  int fits = 1;
  for (int r = 0; r < context->size; ++r) {
    const size_t size = (size_t)qd_bytes_of(call->to_counts[r], call->to_type);
    fits &= to_int((int64_t)size, &bytes[r]) & to_int((int64_t)all, &bytes[context->size + r]);
    all += size;
  }
  if (!fits) return MPI_ERR_COUNT;
  if (!qd_reserve(operation, all + 1)) return MPI_ERR_NO_MEM;
  walk blocks = {call->to_counts, call->to_places, 0};
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(call->to_type, &lower, &extent);
  int code = MPI_SUCCESS;
  for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r)
    code = qd_pack((const char*)call->to + place_of(&blocks, r) * extent, call->to_counts[r], call->to_type,
                   operation->memory + bytes[context->size + r], context->comm);
  return code;
}

static int pass_on(qd_operation* operation) {
  quadrille_context* context = operation->context;
  const qd_call* call = &operation->call;
  const MPI_Comm comm = context->comm;
  const size_t size = (size_t)context->size;
  MPI_Request* request = &operation->passed;
  ++context->statistics.passed;
  free(operation->varying->ints);
  int* ints = operation->varying->ints = malloc(4 * size * sizeof *ints);
  if (ints == NULL) return MPI_ERR_NO_MEM;
  int *sent = ints, *got = ints + 2 * size, count = 0;
  const int is_now = operation->varying->is_now;
  if (!make_ints(context, call->from_counts, call->from_places, sent) ||
      !make_ints(context, call->to_counts, call->to_places, got) ||
      !to_int(call->collective == QD_SCATTER ? call->to_count : call->from_count, &count))
    return MPI_ERR_COUNT;
  if (call->collective == QD_GATHER)
    return is_now ? PMPI_Gatherv(call->from, count, call->from_type, call->to, got, got + size, call->to_type,
                                 call->root, comm)
                  : PMPI_Igatherv(call->from, count, call->from_type, call->to, got, got + size,
                                  call->to_type, call->root, comm, request);
  if (call->collective == QD_SCATTER)
    return is_now ? PMPI_Scatterv(call->from, sent, sent + size, call->from_type, call->to, count,
                                  call->to_type, call->root, comm)
                  : PMPI_Iscatterv(call->from, sent, sent + size, call->from_type, call->to, count,
                                   call->to_type, call->root, comm, request);
  if (call->collective == QD_ALLGATHER)
    return is_now ? PMPI_Allgatherv(call->from, count, call->from_type, call->to, got, got + size,
                                    call->to_type, comm)
                  : PMPI_Iallgatherv(call->from, count, call->from_type, call->to, got, got + size,
                                     call->to_type, comm, request);
  if (call->collective == QD_REDUCE_SCATTER)
    return is_now ? PMPI_Reduce_scatter(call->from, call->to, sent, call->to_type, call->op, comm)
                  : PMPI_Ireduce_scatter(call->from, call->to, sent, call->to_type, call->op, comm, request);
  if (is_now)
    return PMPI_Alltoallv(call->from, sent, sent + size, call->from_type, call->to, got, got + size,
                          call->to_type, comm);
  if (call->from != MPI_IN_PLACE)
    return PMPI_Ialltoallv(call->from, sent, sent + size, call->from_type, call->to, got, got + size,
                           call->to_type, comm, request);
  const int code = copy_in_place(operation, sent);
  return code != MPI_SUCCESS ? code
                             : PMPI_Ialltoallv(operation->memory, sent, sent + size, MPI_PACKED, call->to,
                                               got, got + size, call->to_type, comm, request);
}

/* --- the machine ------------------------------------------------------------------------------------------ */

static void* grown(void* memory, size_t bytes) {
  free(memory);
  return calloc(1, bytes + 1);
}

static int make_room(qd_operation* operation) {
  struct qd_varying* varying = operation->varying;
  const qd_program* program = &operation->served->program;
  const size_t slots =
      (size_t)program->slots[QD_INPUT] + program->slots[QD_OUTPUT] + program->slots[QD_SCRATCH];
  if (slots > varying->slots_size || varying->slots == NULL) {
    varying->slots = grown(varying->slots, slots * sizeof *varying->slots);
    varying->slots_size = varying->slots == NULL ? 0 : slots;
  }
  if (program->num_requests > varying->messages_size || varying->messages == NULL) {
    varying->messages = grown(varying->messages, program->num_requests * sizeof *varying->messages);
    varying->awaited = grown(varying->awaited, program->num_requests * sizeof *varying->awaited);
    varying->messages_size = varying->messages == NULL ? 0 : program->num_requests;
  }
  if (varying->has_met == NULL) varying->has_met = grown(NULL, (size_t)operation->context->size);
  if (varying->slots == NULL || varying->messages == NULL || varying->awaited == NULL ||
      varying->has_met == NULL)
    return 0;
  varying->num_slots = slots;
  varying->num_awaited = 0;
  varying->first[QD_INPUT] = varying->slots;
  varying->first[QD_OUTPUT] = varying->slots + program->slots[QD_INPUT];
  varying->first[QD_SCRATCH] = varying->first[QD_OUTPUT] + program->slots[QD_OUTPUT];
  return qd_reserve_requests(operation, program->num_requests);
}

/* The call is ours: its first action comes next. 0 with an error. */
static int begin_program(qd_operation* operation, qd_extent extent, qd_error* error) {
  quadrille_context* context = operation->context;
  const qd_call* call = &operation->call;
  ++context->statistics.served;
  context->statistics.bytes += (long long)((extent.all + context->size - 1) / context->size);
  operation->unit = 1;
  operation->commutes = 1;
  if (qd_combines(call->collective)) {
    MPI_Aint lower, element;
    PMPI_Type_get_extent(call->to_type, &lower, &element);
    operation->unit = (size_t)element;
    operation->type = call->to_type;
    operation->op = call->op;
    operation->commutes = qd_commutes(call->op);
  }
  operation->at = 0;
  if (!make_room(operation)) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  const int code = set_input(operation);
  if (code != MPI_SUCCESS) {
    context->broken = 1;
    return qd_fail(error, "quadrille: rank %d: %s", context->rank,
                   code == MPI_ERR_NO_MEM ? "no memory" : "MPI_Pack failed");
  }
  operation->varying->phase = RUNNING;
  return 1;
}

/* Leaders do the call, where they can: 1; below 0 with an error. */
static int begin_leading(qd_operation* operation, const int64_t* numbers, qd_error* error) {
  quadrille_context* context = operation->context;
  if (context->nodes == NULL || context->broken || operation->varying->is_now ||
      !qd_leaders_serve(context, &operation->call, numbers))
    return 0;
  operation->varying->phase = LED;
  return qd_begin_led(operation, error) ? 1 : -1;
}

/* All ranks know how long blocks are. 0 with an error. */
static int choose(qd_operation* operation, qd_extent extent, const int64_t* numbers, qd_error* error) {
  quadrille_context* context = operation->context;
  struct qd_varying* varying = operation->varying;
  const int is_led = extent.longest == INT64_MAX ? 0 : begin_leading(operation, numbers, error);
  if (is_led != 0) return is_led > 0;
  operation->served = qd_serving_varying(context, &operation->call, extent);
  if (operation->served != NULL) return begin_program(operation, extent, error);
  operation->passed = MPI_REQUEST_NULL;
  int code;
  /* The MPI library knows how to refuse what is too long. */
  if (varying->is_in_order || extent.longest == INT64_MAX) {
    varying->phase = PASSED;
    if (varying->is_now &&
        !qd_meet_before_blocking(context, qd_collective_names[operation->call.collective], error))
      return 0;
    if (qd_is_miscounted(context, &operation->call, error)) return 0;
    if (varying->is_now)
      qd_begin_watched(context->timeout, context->rank, qd_collective_names[operation->call.collective]);
    code = pass_on(operation);
    if (varying->is_now) qd_end_watched();
  } else {
    varying->phase = DIRECT;
    ++context->statistics.passed;
    code = qd_begin_direct(operation, &varying->num_direct);
  }
  if (code == MPI_SUCCESS) return 1;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return qd_fail(error, "quadrille: rank %d: the MPI library refuses the call: %.*s", context->rank, length,
                 text);
}

int qd_begin_varying(qd_operation* operation, const qd_call* call, const qd_extent* extent, int is_now,
                     qd_error* error) {
  quadrille_context* context = operation->context;
  if (operation->varying == NULL) operation->varying = calloc(1, sizeof *operation->varying);
  struct qd_varying* varying = operation->varying;
  if (varying == NULL) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  varying->is_now = is_now;
  varying->is_in_order = is_now || (extent != NULL && !operation->is_persistent);
  operation->call = *call;
  operation->varies = 1;
  operation->served = NULL;
  operation->passed = MPI_REQUEST_NULL;
  if (!operation->is_persistent) qd_take_tags(operation, 0);
  if (extent != NULL) return choose(operation, *extent, NULL, error);
  /* The largest of both over all ranks; with a root all are what the ranks have together. */
  varying->phase = AGREEING;
  if (context->nodes != NULL && !is_now) {
    int64_t both[2];
    qd_numbers_for_leaders(context, call, both);
    qd_begin_numbers(&varying->numbers, both[0], both[1], qd_is_rooted(call->collective));
  } else {
    const qd_extent here = qd_extent_of(context, call);
    qd_begin_numbers(&varying->numbers, here.longest, here.all, qd_is_rooted(call->collective));
  }
  return 1;
}

/* What the ranks have agreed on. */
static qd_extent agreed_extent(const qd_operation* operation) {
  const qd_numbers* numbers = &operation->varying->numbers;
  if (operation->context->nodes == NULL || operation->varying->is_now)
    return (qd_extent){numbers->mine[0], numbers->mine[1]};
  return qd_is_refused_by_numbers(&operation->call, numbers->mine) ? qd_too_long : (qd_extent){0, 0};
}

/* Before the call is known to be ours, or where it is not. */
static int advance_others(qd_operation* operation, qd_error* error) {
  struct qd_varying* varying = operation->varying;
  const quadrille_context* context = operation->context;
  int over = 0, code;
  if (varying->phase == AGREEING)
    code = qd_advance_numbers(&varying->numbers, context->comm, operation->tag, context->rank, context->size,
                              operation->waits, &over);
  else if (varying->phase == DIRECT)
    code = qd_test_all((int)varying->num_direct, operation->requests, operation->waits, &over);
  else
    code = PMPI_Test(&operation->passed, &over, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS && !over) return QD_UNDER_WAY;
  if (code == MPI_SUCCESS && varying->phase == DIRECT) {
    code = qd_end_direct(operation);
    varying->phase = OVER;
  }
  if (code == MPI_SUCCESS) return QD_DONE;
  qd_fail(error, "quadrille: the MPI library failed in a call that was passed on to it");
  return QD_FAILED;
}

int qd_advance_varying(qd_operation* operation, qd_error* error) {
  struct qd_varying* varying = operation->varying;
  if (varying->phase == OVER) return QD_DONE;
  if (varying->phase == LED) return qd_advance_led(operation, error);
  if (varying->phase != RUNNING) {
    const int was_agreeing = varying->phase == AGREEING;
    const int state = advance_others(operation, error);
    if (state != QD_DONE || !was_agreeing) return state;
    if (!choose(operation, agreed_extent(operation), varying->numbers.mine, error)) return QD_FAILED;
    if (varying->phase != RUNNING) return QD_UNDER_WAY;
  }
  const qd_program* program = &operation->served->program;
  for (; operation->at < program->num_actions; ++operation->at) {
    const qd_action* action = &program->actions[operation->at];
    int code = MPI_SUCCESS;
    if (action->kind == QD_SEND) {
      code = send(operation, action);
    } else if (action->kind <= QD_RECEIVE_REDUCE) {
      varying->awaited[varying->num_awaited++] = action->request;
    } else if (action->kind == QD_WAIT) {
      int over = 0;
      code = wait_is_over(operation, action, &over);
      if (code == MPI_SUCCESS && !over) return QD_UNDER_WAY;
    } else {
      code = move(operation, action);
    }
    if (code != MPI_SUCCESS) return qd_stop(operation, code, error);
  }
  const int good = give_output(operation, error);
  release(varying);
  varying->phase = OVER;
  return good ? QD_DONE : QD_FAILED;
}
