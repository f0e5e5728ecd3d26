#include "quadrille/exporters/mpi_c_text.h"

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// --- playing a table -----------------------------------------------------------------------------------

constexpr std::string_view kPlayer = R"c(
/* The buffers of one call: all slots one behind the other, first those of the input, then of the output. */
struct call {
  char *memory;
  char *base;      /* of slot 0, as MPI addresses it */
  MPI_Aint stride; /* from slot to slot */
  MPI_Datatype slot;
  MPI_Comm comm;
  int rank;
  const int *place; /* where each rank of the table is, where one table is for all */
  MPI_Datatype type; /* of reductions: what a slot is made of */
  int elements;
  MPI_Op op;
};

static int combine(const struct call *call, unsigned to, unsigned from, unsigned count, int before);

/* Who is meant by a rank of the table, and which of the caller's blocks. */
static int rank_meant(const struct call *call, int rank) { return PLACES > 1 ? call->place[rank] : rank; }

static char *slot_at(const struct call *call, unsigned slot) {
  return call->base + (MPI_Aint)slot * call->stride;
}

/* Starts a send or receive of some runs of slots; *at is behind its kind, and in the end behind its runs. */
static int start(const struct call *call, int sends, const unsigned **at, MPI_Request *request) {
  const int peer = rank_meant(call, (int)*(*at)++);
  const int runs = (int)*(*at)++;
  char *where = call->base;
  int count = 0;
  int status = MPI_SUCCESS;
  MPI_Datatype type = call->slot;
  if (runs == 1) {
    where = slot_at(call, (*at)[0]);
    count = (int)(*at)[1];
  } else if (runs > 1) {
    int first[MOST_RUNS];
    int length[MOST_RUNS];
    for (int i = 0; i < runs; ++i) {
      first[i] = (int)(*at)[2 * i];
      length[i] = (int)(*at)[2 * i + 1];
    }
    status = MPI_Type_indexed(runs, length, first, call->slot, &type);
    if (status == MPI_SUCCESS) status = MPI_Type_commit(&type);
    if (status != MPI_SUCCESS) return status;
    count = 1;
  }
  *at += 2 * runs;
  status = sends ? MPI_Isend(where, count, type, peer, 0, call->comm, request)
                 : MPI_Irecv(where, count, type, peer, 0, call->comm, request);
  if (runs > 1) MPI_Type_free(&type);
  return status;
}

/* What the rank does, from the first word to the last. */
static int play(const struct call *call, MPI_Request *requests) {
  const unsigned *at = words + first_word[PART(call->rank)];
  int status = MPI_SUCCESS;
  while (status == MPI_SUCCESS) {
    const unsigned kind = *at++;
    if (kind == END) break;
    if (kind == SEND || kind == RECEIVE) {
      status = start(call, kind == SEND, &at, requests++);
    } else if (kind == WAIT) {
      /* How far back each request is among those that were started. */
      for (unsigned left = *at++; left > 0 && status == MPI_SUCCESS; --left)
        status = MPI_Wait(requests - *at++, MPI_STATUS_IGNORE);
    } else if (kind == BARRIER) {
      status = MPI_Barrier(call->comm);
    } else {
      if (kind == COPY)
        memcpy(call->memory + (MPI_Aint)at[0] * call->stride, call->memory + (MPI_Aint)at[1] * call->stride,
               (size_t)at[2] * (size_t)call->stride);
      else
        status = combine(call, at[0], at[1], at[2], kind == REDUCE_BEFORE);
      at += 3;
    }
  }
  return status;
}

/* A communicator of our own, so that no message of the caller's is taken for one of ours. It goes with the caller's. */
struct ours {
  MPI_Comm comm;
  int place[PLACES];
};

static int forget(MPI_Comm comm, int keyval, void *kept, void *state) {
  struct ours *ours = kept;
  (void)comm;
  (void)keyval;
  (void)state;
  MPI_Comm_free(&ours->comm);
  free(ours);
  return MPI_SUCCESS;
}

static int own_communicator(MPI_Comm comm, struct call *call) {
  static int keyval = MPI_KEYVAL_INVALID;
  struct ours *ours = NULL;
  void *kept = NULL;
  int found = 0;
  int status = MPI_SUCCESS;
  if (keyval == MPI_KEYVAL_INVALID) status = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
  if (status == MPI_SUCCESS) status = MPI_Comm_get_attr(comm, keyval, &kept, &found);
  if (status == MPI_SUCCESS && !found) {
    ours = malloc(sizeof *ours);
    if (ours == NULL) return MPI_ERR_NO_MEM;
    find_places(ours->place, call->rank);
    kept = ours;
    status = MPI_Comm_dup(comm, &ours->comm);
    if (status == MPI_SUCCESS)
      status = MPI_Comm_set_attr(comm, keyval, ours);
    else
      free(ours);
  }
  if (status != MPI_SUCCESS) return status;
  ours = kept;
  call->comm = ours->comm;
  call->place = ours->place;
  return MPI_SUCCESS;
}

/* Whether the plan is for this communicator; if so, it is entered with slots of so many bytes behind each other. */
static int is_ours(MPI_Comm comm) {
  int inter = 0;
  int size = 0;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter) return 0;
  return MPI_Comm_size(comm, &size) == MPI_SUCCESS && size == RANKS;
}

static int enter(struct call *call, MPI_Comm comm, MPI_Aint spare, MPI_Aint begins) {
  int status = own_communicator(comm, call);
  if (status == MPI_SUCCESS) status = MPI_Type_commit(&call->slot);
  if (status != MPI_SUCCESS) return status;
  call->memory = malloc((size_t)all_slots[PART(call->rank)] * (size_t)call->stride + (size_t)spare);
  if (call->memory == NULL) return MPI_ERR_NO_MEM;
  call->base = call->memory - begins;
  return MPI_SUCCESS;
}

static int play_all(const struct call *call) {
  MPI_Request *requests = malloc((all_requests[PART(call->rank)] + 1) * sizeof(MPI_Request));
  int status = MPI_ERR_NO_MEM;
  if (requests != NULL) status = play(call, requests);
  free(requests);
  return status;
}

static void leave(struct call *call) {
  free(call->memory);
  if (call->slot != MPI_DATATYPE_NULL) MPI_Type_free(&call->slot);
}
)c";

// --- one table for all -----------------------------------------------------------------------------------

constexpr std::string_view kEachItsOwn = R"c(
/* Every rank has a table of its own. */
#define PART(rank) (rank)
static void find_places(int *place, int rank) {
  (void)rank;
  place[0] = 0;
}
)c";

constexpr std::string_view kAllAlike = R"c(
/* All ranks do the same: what rank 0 does with a rank, another does with the rank where that goes when 0 goes to it. The way
   from 0 to a rank is a way of generators, each of which says where every rank goes. */
#define PART(rank) (0)
static void find_places(int *place, int rank) {
  for (int i = 0; i < RANKS; ++i) place[i] = i;
  for (; rank != 0; rank = (int)ways[2 * rank]) {
    const unsigned *goes = generators + (size_t)ways[2 * rank + 1] * RANKS;
    for (int i = 0; i < RANKS; ++i) place[i] = (int)goes[place[i]];
  }
}
)c";

// --- blocks that are moved or copied -------------------------------------------------------------------

constexpr std::string_view kMoving = R"c(
/* Blocks lie packed in their slots, so that any types go. */
static int combine(const struct call *call, unsigned to, unsigned from, unsigned count, int before) {
  (void)call;
  (void)to;
  (void)from;
  (void)count;
  (void)before;
  return MPI_ERR_INTERN; /* no table of this file says so */
}

/* Bytes of a block; more than an int can count if it is too long for us. */
static MPI_Count bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  MPI_Type_size_x(type, &size);
  return size * count;
}

static int enter_blocks(struct call *call, MPI_Comm comm, MPI_Count bytes) {
  int status = MPI_Comm_rank(comm, &call->rank);
  call->memory = NULL;
  call->slot = MPI_DATATYPE_NULL;
  call->stride = (MPI_Aint)((bytes + PIECES - 1) / PIECES);
  if (status == MPI_SUCCESS) status = MPI_Type_contiguous((int)call->stride, MPI_BYTE, &call->slot);
  if (status == MPI_SUCCESS) status = enter(call, comm, 0, 0);
  return status;
}

/* `blocks` blocks of the caller's into the slots from `slot` on, or back. Where there is one for each rank, they lie in the
   slots as the table numbers ranks. */
static int move_blocks(const struct call *call, unsigned slot, char *caller, unsigned blocks, int count,
                       MPI_Datatype type, int into_slots) {
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  const int bytes = (int)bytes_of(count, type);
  int status = MPI_Type_get_extent(type, &begin, &extent);
  for (unsigned i = 0; i < blocks && status == MPI_SUCCESS; ++i) {
    const MPI_Aint block = blocks == RANKS ? rank_meant(call, (int)i) : (int)i;
    char *theirs = caller + block * count * extent;
    char *ours = slot_at(call, slot + i * PIECES);
    int at = 0;
    status = into_slots ? MPI_Pack(theirs, count, type, ours, bytes, &at, call->comm)
                        : MPI_Unpack(ours, bytes, &at, theirs, count, type, call->comm);
  }
  return status;
}

static int pack(const struct call *call, unsigned slot, const void *from, unsigned blocks, int count, MPI_Datatype type) {
  return move_blocks(call, slot, (char *)from, blocks, count, type, 1); /* which is read alone */
}

static int unpack(const struct call *call, unsigned slot, void *to, unsigned blocks, int count, MPI_Datatype type) {
  return move_blocks(call, slot, to, blocks, count, type, 0);
}
)c";

// --- blocks that are combined --------------------------------------------------------------------------

constexpr std::string_view kAnyOrder = R"c(
static int combine(const struct call *call, unsigned to, unsigned from, unsigned count, int before) {
  int status = MPI_SUCCESS;
  (void)before; /* the operator commutes */
  for (unsigned i = 0; i < count && status == MPI_SUCCESS; ++i)
    status = MPI_Reduce_local(slot_at(call, from + i), slot_at(call, to + i), call->elements, call->type, call->op);
  return status;
}

static int op_is_served(MPI_Op op) {
  int commutes = 0;
  return MPI_Op_commutative(op, &commutes) == MPI_SUCCESS && commutes;
}
)c";

constexpr std::string_view kRankOrder = R"c(
/* In the order of ranks: what is on the left comes first. The last slot of a rank is for this. */
static int combine(const struct call *call, unsigned to, unsigned from, unsigned count, int before) {
  int status = MPI_SUCCESS;
  const unsigned aside = all_slots[PART(call->rank)] - 1;
  const size_t bytes = (size_t)call->stride;
  for (unsigned i = 0; i < count && status == MPI_SUCCESS; ++i) {
    char *left = call->memory + (MPI_Aint)(to + i) * call->stride;
    char *right = call->memory + (MPI_Aint)aside * call->stride;
    if (before) {
      status = MPI_Reduce_local(slot_at(call, from + i), slot_at(call, to + i), call->elements, call->type, call->op);
      continue;
    }
    memcpy(right, call->memory + (MPI_Aint)(from + i) * call->stride, bytes);
    status = MPI_Reduce_local(slot_at(call, to + i), slot_at(call, aside), call->elements, call->type, call->op);
    memcpy(left, right, bytes);
  }
  return status;
}

static int op_is_served(MPI_Op op) {
  (void)op;
  return 1;
}
)c";

constexpr std::string_view kCombining = R"c(
static int enter_sums(struct call *call, MPI_Comm comm, int count, MPI_Datatype type, MPI_Op op) {
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_begin = 0;
  MPI_Aint true_extent = 0;
  int status = MPI_Comm_rank(comm, &call->rank);
  call->memory = NULL;
  call->slot = MPI_DATATYPE_NULL;
  call->type = type;
  call->op = op;
  call->elements = count / PIECES + (count % PIECES > 0);
  if (status == MPI_SUCCESS) status = MPI_Type_get_extent(type, &begin, &extent);
  if (status == MPI_SUCCESS) status = MPI_Type_get_true_extent(type, &true_begin, &true_extent);
  call->stride = call->elements * extent;
  if (status == MPI_SUCCESS) status = MPI_Type_contiguous(call->elements, type, &call->slot);
  if (status == MPI_SUCCESS) status = enter(call, comm, true_extent > extent ? true_extent - extent : 0, true_begin);
  return status;
}

/* Vectors of the caller's into the slots from `slot` on. What their last slot has too much is filled with their last
   element, so that the operator sees no value that nobody gave. */
static int take(const struct call *call, unsigned slot, const void *from, unsigned vectors, int count) {
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  int status = MPI_Type_get_extent(call->type, &begin, &extent);
  for (unsigned i = 0; i < vectors && status == MPI_SUCCESS; ++i) {
    char *to = slot_at(call, slot + i * PIECES);
    status = MPI_Sendrecv((const char *)from + (MPI_Aint)i * count * extent, count, call->type, call->rank, 0, to, count,
                          call->type, call->rank, 0, call->comm, MPI_STATUS_IGNORE);
    for (MPI_Aint k = count; k < (MPI_Aint)PIECES * call->elements && status == MPI_SUCCESS; ++k)
      status = MPI_Sendrecv(to + (count - 1) * extent, 1, call->type, call->rank, 0, to + k * extent, 1, call->type,
                            call->rank, 0, call->comm, MPI_STATUS_IGNORE);
  }
  return status;
}

static int give(const struct call *call, unsigned slot, void *to, int count) {
  return MPI_Sendrecv(slot_at(call, slot), count, call->type, call->rank, 0, to, count, call->type, call->rank, 0,
                      call->comm, MPI_STATUS_IGNORE);
}
)c";

// --- the functions -------------------------------------------------------------------------------------

// Of what each rank gives: a block for each, or one, which in place lies where it is wanted.
constexpr std::string_view kAllToAll = R"c(
int QUADRILLE_NAME(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  struct call call;
  const int in_place = sendbuf == MPI_IN_PLACE;
  const MPI_Count bytes = bytes_of(recvcount, recvtype);
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  int status;
  if (!is_ours(comm) || bytes > INT_MAX)
    return SERVED_OTHERWISE(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  if (bytes == 0) return MPI_SUCCESS;
  status = enter_blocks(&call, comm, bytes);
  if (status == MPI_SUCCESS) status = MPI_Type_get_extent(recvtype, &begin, &extent);
  if (status == MPI_SUCCESS)
    status = !in_place         ? pack(&call, 0, sendbuf, GIVEN, sendcount, sendtype)
             : GIVEN > 1       ? pack(&call, 0, recvbuf, GIVEN, recvcount, recvtype)
                               : pack(&call, 0, (char *)recvbuf + (MPI_Aint)call.rank * recvcount * extent, GIVEN,
                                      recvcount, recvtype);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS) status = unpack(&call, input_slots[PART(call.rank)], recvbuf, RANKS, recvcount, recvtype);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kGivenByAll = R"c(
#define SERVED_OTHERWISE MPI_Alltoall
#define GIVEN RANKS
)c";
constexpr std::string_view kGivenToAll = R"c(
#define SERVED_OTHERWISE MPI_Allgather
#define GIVEN 1
)c";

constexpr std::string_view kBcast = R"c(
int QUADRILLE_NAME(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  struct call call;
  const MPI_Count bytes = bytes_of(count, type);
  int status;
  if (!is_ours(comm) || root != ROOT || bytes > INT_MAX) return MPI_Bcast(buffer, count, type, root, comm);
  if (bytes == 0) return MPI_SUCCESS;
  status = enter_blocks(&call, comm, bytes);
  if (status == MPI_SUCCESS && call.rank == ROOT) status = pack(&call, 0, buffer, 1, count, type);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS && call.rank != ROOT)
    status = unpack(&call, input_slots[PART(call.rank)], buffer, 1, count, type);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kScatter = R"c(
int QUADRILLE_NAME(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
  struct call call;
  const int in_place = recvbuf == MPI_IN_PLACE;
  MPI_Count bytes;
  int rank = 0;
  int status;
  if (!is_ours(comm) || root != ROOT)
    return MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  status = MPI_Comm_rank(comm, &rank);
  if (status != MPI_SUCCESS) return status;
  bytes = rank == ROOT ? bytes_of(sendcount, sendtype) : bytes_of(recvcount, recvtype);
  if (bytes > INT_MAX) return MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  if (bytes == 0) return MPI_SUCCESS;
  status = enter_blocks(&call, comm, bytes);
  if (status == MPI_SUCCESS && rank == ROOT) status = pack(&call, 0, sendbuf, RANKS, sendcount, sendtype);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS && !in_place) status = unpack(&call, input_slots[PART(rank)], recvbuf, 1, recvcount, recvtype);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kGather = R"c(
int QUADRILLE_NAME(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
  struct call call;
  const int in_place = sendbuf == MPI_IN_PLACE;
  MPI_Count bytes;
  int rank = 0;
  int status;
  if (!is_ours(comm) || root != ROOT)
    return MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  status = MPI_Comm_rank(comm, &rank);
  if (status != MPI_SUCCESS) return status;
  bytes = rank == ROOT ? bytes_of(recvcount, recvtype) : bytes_of(sendcount, sendtype);
  if (bytes > INT_MAX) return MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  if (bytes == 0) return MPI_SUCCESS;
  status = enter_blocks(&call, comm, bytes);
  if (status == MPI_SUCCESS && in_place) {
    MPI_Aint begin = 0;
    MPI_Aint extent = 0;
    status = MPI_Type_get_extent(recvtype, &begin, &extent);
    if (status == MPI_SUCCESS)
      status = pack(&call, 0, (char *)recvbuf + (MPI_Aint)rank * recvcount * extent, 1, recvcount, recvtype);
  } else if (status == MPI_SUCCESS) {
    status = pack(&call, 0, sendbuf, 1, sendcount, sendtype);
  }
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS && rank == ROOT)
    status = unpack(&call, input_slots[PART(rank)], recvbuf, RANKS, recvcount, recvtype);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kAllreduce = R"c(
int QUADRILLE_NAME(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct call call;
  int status;
  if (!is_ours(comm) || !op_is_served(op)) return MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
  if (count == 0) return MPI_SUCCESS;
  status = enter_sums(&call, comm, count, type, op);
  if (status == MPI_SUCCESS) status = take(&call, 0, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, 1, count);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS) status = give(&call, input_slots[PART(call.rank)], recvbuf, count);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kReduce = R"c(
int QUADRILLE_NAME(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  struct call call;
  int status;
  if (!is_ours(comm) || root != ROOT || !op_is_served(op))
    return MPI_Reduce(sendbuf, recvbuf, count, type, op, root, comm);
  if (count == 0) return MPI_SUCCESS;
  status = enter_sums(&call, comm, count, type, op);
  if (status == MPI_SUCCESS) status = take(&call, 0, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, 1, count);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS && call.rank == ROOT) status = give(&call, input_slots[PART(call.rank)], recvbuf, count);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kReduceScatter = R"c(
int QUADRILLE_NAME(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct call call;
  int status;
  if (!is_ours(comm) || !op_is_served(op))
    return MPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, type, op, comm);
  if (recvcount == 0) return MPI_SUCCESS;
  status = enter_sums(&call, comm, recvcount, type, op);
  if (status == MPI_SUCCESS) status = take(&call, 0, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, RANKS, recvcount);
  if (status == MPI_SUCCESS) status = play_all(&call);
  if (status == MPI_SUCCESS) status = give(&call, input_slots[PART(call.rank)], recvbuf, recvcount);
  leave(&call);
  return status;
}
)c";

constexpr std::string_view kInOrder[] = {kAnyOrder, kRankOrder};

}  // namespace

std::string_view mpi_name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kBroadcast:
      return "bcast";
    case CollectiveKind::kScatter:
      return "scatter";
    case CollectiveKind::kGather:
      return "gather";
    case CollectiveKind::kAllgather:
      return "allgather";
    case CollectiveKind::kAlltoall:
      return "alltoall";
    case CollectiveKind::kReduce:
      return "reduce";
    case CollectiveKind::kReduceScatter:
      return "reduce_scatter_block";
    case CollectiveKind::kAllreduce:
      return "allreduce";
    case CollectiveKind::kAlltoallv:
      break;
  }
  return "";
}

std::string_view mpi_c_player() { return kPlayer; }
std::string_view mpi_c_places(bool all_alike) { return all_alike ? kAllAlike : kEachItsOwn; }
std::string_view mpi_c_moving() { return kMoving; }
std::string_view mpi_c_order(bool in_order) { return kInOrder[in_order ? 1 : 0]; }
std::string_view mpi_c_combining() { return kCombining; }

std::string mpi_c_function(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kBroadcast:
      return std::string(kBcast);
    case CollectiveKind::kScatter:
      return std::string(kScatter);
    case CollectiveKind::kGather:
      return std::string(kGather);
    case CollectiveKind::kAllgather:
      return std::string(kGivenToAll) + std::string(kAllToAll);
    case CollectiveKind::kAlltoall:
      return std::string(kGivenByAll) + std::string(kAllToAll);
    case CollectiveKind::kReduce:
      return std::string(kReduce);
    case CollectiveKind::kReduceScatter:
      return std::string(kReduceScatter);
    case CollectiveKind::kAllreduce:
      return std::string(kAllreduce);
    case CollectiveKind::kAlltoallv:
      break;
  }
  QUADRILLE_CHECK(false, "a collective that MPI has not");
  return {};
}

}  // namespace quadrille
