/* A call with counts that no program does, each block from its rank to its rank in a message of its own: where ranks may come to it in
 * any order, as they know only later that it is to be done so, or start it when they like. The MPI library's own nonblocking
 * collectives have to be called in one order. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* Blocks of one end, by rank. */
typedef struct {
  char* user;
  const MPI_Count* counts; /* null: each of `count` */
  const MPI_Aint* places;  /* null: one behind the other */
  MPI_Count count;
  MPI_Datatype type;
  MPI_Aint extent;
  int stays; /* the one block of this end is at the same place for all */
} blocks;

static blocks blocks_of(const void* user, const MPI_Count* counts, const MPI_Aint* places, MPI_Count count,
                        MPI_Datatype type) {
  blocks out = {(char*)user, counts, places, count, type, 0, counts == NULL};
  MPI_Aint lower;
  PMPI_Type_get_extent(type, &lower, &out.extent);
  return out;
}

static MPI_Count count_for(const blocks* of, int rank) {
  return of->counts == NULL ? of->count : of->counts[rank];
}

static char* place_for(const blocks* of, int rank) {
  if (of->stays) return of->user;
  MPI_Aint place = 0;
  if (of->places != NULL)
    place = of->places[rank];
  else
    for (int r = 0; r < rank; ++r) place += (MPI_Aint)of->counts[r];
  return of->user + place * of->extent;
}

/* Who sends to whom, besides what each does with itself. */
static int sends_to(const qd_call* call, int rank, int to) {
  if (call->collective == QD_GATHER) return to == call->root;
  return call->collective != QD_SCATTER || rank == call->root;
}

static int is_in_place(const qd_call* call, int rank) {
  if (call->collective == QD_SCATTER) return rank == call->root && call->to == MPI_IN_PLACE;
  if (call->collective == QD_GATHER) return rank == call->root && call->from == MPI_IN_PLACE;
  return call->from == MPI_IN_PLACE;
}

static blocks given_by(const qd_call* call, int rank) {
  if (!is_in_place(call, rank) || call->collective == QD_SCATTER)
    return blocks_of(call->from, call->from_counts, call->from_places, call->from_count, call->from_type);
  if (call->collective == QD_REDUCE_SCATTER)
    return blocks_of(call->to, call->from_counts, NULL, 0, call->to_type);
  if (call->collective == QD_ALLTOALL)
    return blocks_of(call->to, call->to_counts, call->to_places, 0, call->to_type);
  /* The own block among those that come. */
  const blocks all = blocks_of(call->to, call->to_counts, call->to_places, 0, call->to_type);
  return blocks_of(place_for(&all, rank), NULL, NULL, call->to_counts[rank], call->to_type);
}

static int start(qd_operation* operation, int is_sent, const char* at, MPI_Count count, MPI_Datatype type,
                 int peer, uint32_t* num_requests) {
  if (count < 0 || count > INT_MAX) return MPI_ERR_COUNT;
  MPI_Request* request = &operation->requests[(*num_requests)++];
  const MPI_Comm comm = operation->context->comm;
  return is_sent ? PMPI_Isend(at, (int)count, type, peer, operation->tag, comm, request)
                 : PMPI_Irecv((char*)at, (int)count, type, peer, operation->tag, comm, request);
}

/* What is added up: an array of each rank's, as the type has it, and a plain block behind them. */
typedef struct {
  size_t stride, packed;
  MPI_Aint lower; /* of the first byte */
} summands;

static summands summands_of(const qd_call* call) {
  MPI_Aint lower, extent, true_lower, true_extent;
  PMPI_Type_get_extent(call->to_type, &lower, &extent);
  PMPI_Type_get_true_extent(call->to_type, &true_lower, &true_extent);
  const size_t line = 64;
  const size_t bytes =
      call->to_count == 0 ? 0 : (size_t)((MPI_Aint)(call->to_count - 1) * extent + true_extent);
  return (summands){(bytes + line - 1) / line * line, (size_t)qd_bytes_of(call->to_count, call->to_type),
                    true_lower};
}

static char* landing_of(const qd_operation* operation, const summands* of, int rank) {
  return operation->memory + (size_t)rank * of->stride - of->lower;
}

static int start_receives(qd_operation* operation, uint32_t* num_requests) {
  const qd_call* call = &operation->call;
  const int size = operation->context->size, me = operation->context->rank;
  const int adds = call->collective == QD_REDUCE_SCATTER;
  const int has_own = !is_in_place(call, me) || adds || call->collective == QD_ALLTOALL;
  int code = MPI_SUCCESS;
  if ((call->collective == QD_GATHER && me != call->root) || call->to == MPI_IN_PLACE) return code;
  const blocks to = call->collective == QD_SCATTER || adds
                        ? blocks_of(call->to, NULL, NULL, call->to_count, call->to_type)
                        : blocks_of(call->to, call->to_counts, call->to_places, 0, call->to_type);
  const summands added = adds ? summands_of(call) : (summands){0, 0, 0};
  for (int r = 0; r < size && code == MPI_SUCCESS; ++r) {
    const MPI_Count count = count_for(&to, r);
    if (!sends_to(call, r, me) || qd_bytes_of(count, to.type) == 0 || (r == me && !has_own)) continue;
    code = start(operation, 0, adds ? landing_of(operation, &added, r) : place_for(&to, r), count, to.type, r,
                 num_requests);
  }
  return code;
}

static int start_sends(qd_operation* operation, uint32_t* num_requests) {
  const qd_call* call = &operation->call;
  const int size = operation->context->size, me = operation->context->rank;
  const int in_place = is_in_place(call, me);
  int code = MPI_SUCCESS;
  if (call->collective == QD_SCATTER && me != call->root) return code;
  const blocks from = given_by(call, me);
  /* What is exchanged in place is overwritten while it is sent. */
  const int is_copied = in_place && call->collective == QD_ALLTOALL;
  char* copy = operation->memory;
  for (int r = 0; r < size && code == MPI_SUCCESS; ++r) {
    const MPI_Count count = count_for(&from, r);
    const size_t bytes = (size_t)qd_bytes_of(count, from.type);
    if (!sends_to(call, me, r) || bytes == 0 ||
        (r == me && in_place && call->collective != QD_REDUCE_SCATTER && !is_copied))
      continue;
    if (!is_copied) {
      code = start(operation, 1, place_for(&from, r), count, from.type, r, num_requests);
      continue;
    }
    code = qd_pack(place_for(&from, r), count, from.type, copy, operation->context->comm);
    if (code == MPI_SUCCESS) code = start(operation, 1, copy, (MPI_Count)bytes, MPI_PACKED, r, num_requests);
    copy += bytes;
  }
  return code;
}

int qd_begin_direct(qd_operation* operation, uint32_t* num_requests) {
  const quadrille_context* context = operation->context;
  const qd_call* call = &operation->call;
  size_t bytes = 0;
  *num_requests = 0;
  if (call->collective == QD_REDUCE_SCATTER) {
    const summands added = summands_of(call);
    bytes = (size_t)context->size * added.stride + added.packed;
  } else if (call->collective == QD_ALLTOALL && call->from == MPI_IN_PLACE) {
    for (int r = 0; r < context->size; ++r) bytes += (size_t)qd_bytes_of(call->to_counts[r], call->to_type);
  }
  if (!qd_reserve(operation, bytes + 1) || !qd_reserve_requests(operation, 2 * (uint32_t)context->size))
    return MPI_ERR_NO_MEM;
  int code = MPI_SUCCESS;
  /* Packed before anything comes. */
  const int sends_first = call->collective == QD_ALLTOALL && call->from == MPI_IN_PLACE;
  for (int turn = 0; turn < 2 && code == MPI_SUCCESS; ++turn)
    code = (turn == 0) == sends_first ? start_sends(operation, num_requests)
                                      : start_receives(operation, num_requests);
  return code;
}

int qd_end_direct(qd_operation* operation) {
  const qd_call* call = &operation->call;
  if (call->collective != QD_REDUCE_SCATTER || call->to_count == 0) return MPI_SUCCESS;
  const MPI_Comm comm = operation->context->comm;
  const summands added = summands_of(call);
  const int last = operation->context->size - 1;
  int code = MPI_SUCCESS;
  char *sum = landing_of(operation, &added, last),
       *plain = operation->memory + (size_t)(last + 1) * added.stride;
  /* What is read comes in front of what it is added to: in the order of ranks that begins with the last. */
  for (int r = last - 1; r >= 0 && code == MPI_SUCCESS; --r)
    code = PMPI_Reduce_local(landing_of(operation, &added, r), sum, (int)call->to_count, call->to_type,
                             call->op);
  if (code == MPI_SUCCESS) code = qd_pack(sum, call->to_count, call->to_type, plain, comm);
  return code == MPI_SUCCESS ? qd_unpack(plain, call->to, call->to_count, call->to_type, comm) : code;
}
