/* Several ranks a node: a set of programs for a network of nodes, and as many ranks on each. What ranks of a node have for
 * others lies side by side in memory that they share; one of them, the leader, exchanges it with the other leaders by a program,
 * and each takes its own out of what came. So every block crosses the network once, in messages that are as many times longer. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"

/* --- who sits where --------------------------------------------------------------------------------------- */

/* The lowest rank that shares memory with this one, of each rank. */
static int lowest_beside(MPI_Comm comm, int* lowest) {
  MPI_Comm beside;
  int rank, first;
  PMPI_Comm_rank(comm, &rank);
  if (!qd_together(comm) ||
      PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &beside) != MPI_SUCCESS)
    return 0;
  first = rank;
  qd_allreduce(&first, 1, MPI_INT, MPI_MIN, beside);
  if (!qd_is_late()) PMPI_Comm_free(&beside);
  qd_allgather_int(first, lowest, comm);
  return !qd_is_late();
}

/* The node of each rank, from 0 on by their lowest ranks; how many there are. */
static int number_nodes(const int* lowest, int size, int* node) {
  int nodes = 0;
  for (int r = 0; r < size; ++r) node[r] = lowest[r] == r ? nodes++ : node[lowest[r]];
  return nodes;
}

static int by_number(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

int qd_read_ranks_per_node(int* each, qd_error* error) {
  const char* text = qd_setting("QUADRILLE_RANKS_PER_NODE");
  *each = 0;
  if (text == NULL) return 1;
  char* end;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (*end != 0 || errno != 0 || number < 1 || number > INT32_MAX)
    return qd_fail(error, "quadrille: QUADRILLE_RANKS_PER_NODE is '%s'; allowed is a number of ranks", text);
  *each = (int)number;
  return 1;
}

int qd_nodes_in_world(MPI_Comm comm, int* node) {
  int rank, size, each = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  int* numbers = malloc(2 * (size_t)size * sizeof *numbers);
  int good = numbers != NULL;
  qd_allreduce(&good, 1, MPI_INT, MPI_MIN, comm);
  qd_error ignored;
  if (rank == 0) qd_read_ranks_per_node(&each, &ignored);
  qd_bcast(&each, 1, MPI_INT, 0, comm);
  int nodes = 0;
  if (good && qd_together(comm)) {
    int* mark = numbers + size;
    MPI_Group group, world;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int r = 0; r < size; ++r) mark[r] = r;
    PMPI_Group_translate_ranks(group, size, mark, world, numbers);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    if (each > 0) {
      for (int r = 0; r < size; ++r) mark[r] = numbers[r] / each;
    } else {
      MPI_Comm beside;
      int first = numbers[rank];
      PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &beside);
      qd_allreduce(&first, 1, MPI_INT, MPI_MIN, beside);
      if (!qd_is_late()) PMPI_Comm_free(&beside);
      qd_allgather_int(first, mark, comm);
    }
    memcpy(numbers, mark, (size_t)size * sizeof *mark);
    qsort(numbers, (size_t)size, sizeof *numbers, by_number);
    for (int i = 0; i < size; ++i)
      if (i == 0 || numbers[i] != numbers[i - 1]) numbers[nodes++] = numbers[i];
    for (int r = 0; r < size; ++r)
      node[r] = (int)((int*)bsearch(&mark[r], numbers, (size_t)nodes, sizeof *numbers, by_number) - numbers);
  }
  free(numbers);
  return nodes;
}

/* Where the ranks of `comm` sit: given, by QUADRILLE_RANKS_PER_NODE at rank 0, or by which memory they share. */
static int find_nodes(MPI_Comm comm, const qd_set* set, const char* folder, const int* node_of_rank,
                      int* node, qd_error* error) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  const int endpoints = (int)set->ranks;
  struct {
    int has_map, each;
  } told = {node_of_rank != NULL, 0};
  if (rank == 0 && !qd_read_ranks_per_node(&told.each, error)) told.each = -1;
  qd_bcast(&told, sizeof told, MPI_BYTE, 0, comm);
  if (qd_is_late()) return 0;
  if (told.each < 0) return qd_agree(comm, rank != 0, error);
  int nodes = endpoints;
  if (told.has_map) {
    const int has = node_of_rank != NULL;
    if (rank == 0) memcpy(node, node_of_rank, (size_t)size * sizeof *node);
    qd_bcast(node, size, MPI_INT, 0, comm);
    const int same = has && memcmp(node, node_of_rank, (size_t)size * sizeof *node) == 0;
    if (!same)
      qd_fail(error, "quadrille: the map of ranks must be the same on all ranks: rank %d's is not rank 0's",
              rank);
    if (!qd_agree(comm, same, error)) return 0;
  } else if (told.each > 0) {
    for (int r = 0; r < size; ++r) node[r] = r / told.each;
    nodes = (size + told.each - 1) / told.each;
  } else {
    int* lowest = malloc((size_t)size * sizeof *lowest);
    const int good = lowest != NULL;
    if (!qd_agree(comm, good || qd_fail(error, "quadrille: no memory"), error)) {
      free(lowest);
      return 0;
    }
    nodes = lowest_beside(comm, lowest) ? number_nodes(lowest, size, node) : 0;
    free(lowest);
  }
  /* As many on each. */
  int good = nodes == endpoints;
  for (int n = 0; n < endpoints && good; ++n) {
    int count = 0;
    for (int r = 0; r < size; ++r) count += node[r] == n;
    good = count * endpoints == size;
  }
  return good ||
         qd_fail(error,
                 "quadrille: the programs of '%s' are for %s with %d endpoints, and the communicator has %d "
                 "ranks on %d node%s: a rank for each endpoint or as many on each is needed",
                 folder, set->topology, endpoints, size, nodes, nodes == 1 ? "" : "s");
}

/* --- making ----------------------------------------------------------------------------------------------- */

/* What the leader knows of the set, for the ranks that only choose. */
static int share_entries(quadrille_context* out) {
  const struct qd_nodes* nodes = out->nodes;
  uint32_t count = nodes->leaders == NULL ? 0 : nodes->leaders->num_served;
  qd_bcast(&count, 1, MPI_UINT32_T, 0, nodes->node);
  out->served = calloc((size_t)count + 1, sizeof *out->served);
  int good = out->served != NULL;
  qd_allreduce(&good, 1, MPI_INT, MPI_MIN, nodes->node);
  for (uint32_t i = 0; i < count && good && !qd_is_late(); ++i) {
    if (nodes->leaders != NULL) {
      out->served[i].is = nodes->leaders->served[i].is;
      out->served[i].head.in_order = nodes->leaders->served[i].head.in_order;
    }
    qd_bcast(&out->served[i].is, sizeof out->served[i].is, MPI_BYTE, 0, nodes->node);
    qd_bcast(&out->served[i].head.in_order, 1, MPI_INT, 0, nodes->node);
  }
  good = good && !qd_is_late();
  if (good) out->num_served = count;
  qd_bound_sizes(out);
  if (nodes->leaders != NULL) memcpy(out->topology, nodes->leaders->topology, sizeof out->topology);
  qd_bcast(out->topology, sizeof out->topology, MPI_CHAR, 0, nodes->node);
  return good;
}

int qd_create_by_nodes(MPI_Comm comm, const char* topology, const qd_set* set, const char* folder,
                       const int* node_of_rank, quadrille_context** context, qd_error* error) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  quadrille_context* out = calloc(1, sizeof *out);
  struct qd_nodes* nodes = calloc(1, sizeof *nodes);
  int* node = calloc((size_t)size, sizeof *node);
  int* at = calloc((size_t)size, sizeof *at);
  size_t* begins = calloc(2 * (size_t)size, sizeof *begins);
  MPI_Count* counts = calloc(2 * (size_t)size, sizeof *counts);
  const int has_memory =
      out != NULL && nodes != NULL && node != NULL && at != NULL && begins != NULL && counts != NULL;
  qd_set known = *set; /* at all ranks: what it is for */
  qd_bcast(&known.ranks, 1, MPI_UINT32_T, 0, comm);
  qd_bcast(known.topology, sizeof known.topology, MPI_CHAR, 0, comm);
  char name[400];
  snprintf(name, sizeof name, "%s", rank == 0 ? folder : "");
  qd_bcast(name, sizeof name, MPI_CHAR, 0, comm);
  int good = qd_agree(comm, has_memory || qd_fail(error, "quadrille: no memory"), error) &&
             find_nodes(comm, &known, name, node_of_rank, node, error);
  if (!good && qd_is_late()) return 0;
  if (!good) {
    free(out);
    free(nodes);
    free(node);
    free(at);
    free(begins);
    free(counts);
    return 0;
  }
  out->user = comm;
  out->rank = rank;
  out->size = size;
  out->nodes = nodes;
  nodes->at = at;
  nodes->begins = begins;
  nodes->counts = counts;
  nodes->nodes = (int)known.ranks;
  nodes->each = size / nodes->nodes;
  nodes->window = MPI_WIN_NULL;
  /* Leaders are numbered as their ranks are, so that rank 0, which has the set, is the first. */
  int* endpoint = malloc((size_t)size * sizeof *endpoint);
  int* leader_at = malloc((size_t)size * sizeof *leader_at);
  good = qd_agree(comm, (endpoint != NULL && leader_at != NULL) || qd_fail(error, "quadrille: no memory"),
                  error);
  int found = 0;
  for (int r = 0; r < size && good; ++r) {
    int before = 0, first = r;
    for (int other = r - 1; other >= 0; --other) {
      if (node[other] != node[r]) continue;
      ++before;
      first = other;
    }
    if (before == 0) {
      leader_at[r] = found;
      endpoint[found++] = node[r];
    }
    at[r] = leader_at[first] * nodes->each + before;
  }
  free(leader_at);
  nodes->in_order = 1;
  for (int r = 0; r < size; ++r) nodes->in_order &= at[r] == r;
  out->node_of_rank = endpoint; /* of leaders */
  nodes->me = at[rank] % nodes->each;
  MPI_Comm leaders;
  /* What failed here keeps its memory: messages may be under way. */
  if (!qd_split(comm, 0, rank, &out->comm)) return 0;
  qd_agree_on_own(out->comm);
  if (!qd_split(comm, at[rank] / nodes->each, rank, &nodes->node) ||
      !qd_split(comm, good && nodes->me == 0 ? 0 : MPI_UNDEFINED, rank, &leaders))
    return 0;
  free(node);
  struct {
    int devices;
    double check, timeout;
  } told = {0, 0, 0};
  qd_error ignored; /* the leaders' context says it */
  if (rank == 0) qd_read_devices(&told.devices, &ignored);
  if (rank == 0) qd_read_seconds("QUADRILLE_CHECK", &told.check, &ignored);
  if (rank == 0) qd_read_seconds("QUADRILLE_TIMEOUT", &told.timeout, &ignored);
  qd_bcast(&told, sizeof told, MPI_BYTE, 0, out->comm);
  if (!qd_is_late()) qd_agree_on_limit(told.timeout);
  out->check = told.check;
  out->timeout = told.timeout;
  out->devices = qd_agree_on_devices(out->comm, told.devices);
  if (leaders != MPI_COMM_NULL) {
    good = qd_create(leaders, topology, rank == 0 ? set : &known, folder, endpoint, &nodes->leaders, error);
    if (good) {
      qd_forget(nodes->leaders);
      nodes->leaders->leads = 1;
      nodes->leaders->led_for = out;
      nodes->leaders->check = 0;    /* all ranks compare */
      nodes->leaders->devices = -1; /* what they send lies in shared memory */
      nodes->leaders->user = comm;
    }
    if (!qd_is_late()) PMPI_Comm_free(&leaders);
  }
  good = good && endpoint != NULL;
  good = qd_agree(out->comm, good, error) &&
         qd_agree(out->comm, share_entries(out) || qd_fail(error, "quadrille: no memory"), error);
  if (!good) {
    out->broken = qd_is_late();
    qd_destroy(out);
    return 0;
  }
  *context = out;
  return 1;
}

void qd_free_nodes(struct qd_nodes* nodes, int is_broken) {
  if (nodes == NULL) return;
  if (nodes->window != MPI_WIN_NULL && !is_broken) {
    PMPI_Win_unlock_all(nodes->window);
    PMPI_Win_free(&nodes->window);
  }
  if (nodes->leaders != NULL) qd_destroy(nodes->leaders);
  if (!is_broken) PMPI_Comm_free(&nodes->node);
  free(nodes->at);
  free(nodes->begins);
  free(nodes->counts);
  free(nodes);
}

/* --- the memory that they share --------------------------------------------------------------------------- */

static int meet_in_node(quadrille_context* context, qd_error* error) {
  /* Leaders know better who is missing, if they are there to say it. */
  const double beyond = 1;
  MPI_Request request;
  return PMPI_Ibarrier(context->nodes->node, &request) == MPI_SUCCESS &&
         qd_wait_for_ranks(context, &request, beyond, "a call that its node does together", error);
}

static int make_window(struct qd_nodes* nodes, size_t bytes) {
  if (nodes->window != MPI_WIN_NULL) {
    PMPI_Win_unlock_all(nodes->window);
    PMPI_Win_free(&nodes->window);
  }
  void* own;
  int code = PMPI_Win_allocate_shared(nodes->me == 0 ? (MPI_Aint)bytes : 0, 1, MPI_INFO_NULL, nodes->node,
                                      &own, &nodes->window);
  if (code != MPI_SUCCESS) {
    nodes->window = MPI_WIN_NULL;
    return code;
  }
  MPI_Aint size;
  int unit;
  code = PMPI_Win_shared_query(nodes->window, 0, &size, &unit, &nodes->memory);
  if (code == MPI_SUCCESS) code = PMPI_Win_lock_all(MPI_MODE_NOCHECK, nodes->window);
  nodes->size = bytes;
  if (code != MPI_SUCCESS) return code;
  if (nodes->me == 0) memset(nodes->memory, 0, qd_front);
  PMPI_Win_sync(nodes->window);
  code = PMPI_Barrier(nodes->node);
  PMPI_Win_sync(nodes->window);
  return code;
}

int qd_reserve_window(quadrille_context* context, size_t bytes, int* code) {
  struct qd_nodes* nodes = context->nodes;
  if (nodes->window != MPI_WIN_NULL && nodes->size >= bytes) return 1;
  qd_error error;
  /* Nobody looks at the time where it is made. */
  int good = context->timeout <= 0 || meet_in_node(context, &error);
  if (good && make_window(nodes, bytes) != MPI_SUCCESS)
    good = qd_fail(&error, "quadrille: rank %d: no shared memory for %zu bytes", context->rank, bytes);
  if (good) return 1;
  context->broken = 1;
  *code = qd_raise(context, MPI_COMM_NULL, &error);
  return 0;
}

int qd_meet(quadrille_context* context, qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  int good = 1;
  PMPI_Win_sync(nodes->window);
  if (context->timeout > 0 || context->has_had_requests)
    good = meet_in_node(context, error);
  else
    PMPI_Barrier(nodes->node);
  PMPI_Win_sync(nodes->window);
  return good;
}

void qd_tell(const struct qd_nodes* nodes, int code) {
  qd_state* state = (qd_state*)(void*)nodes->memory;
  state->code = code;
  state->broken = nodes->leaders != NULL && nodes->leaders->broken;
}

int qd_told(quadrille_context* context, qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_state* state = (const qd_state*)(const void*)nodes->memory;
  if (state->code == MPI_SUCCESS) return MPI_SUCCESS;
  /* Where messages are over, as they are of wrong lengths, the next call is as good as ever. */
  context->broken = state->broken;
  if (nodes->leaders != NULL) return state->code;
  if (error->text[0] == 0)
    qd_fail(error, "quadrille: rank %d: the leader of its node says what is wrong", context->rank);
  return MPI_ERR_OTHER;
}

int qd_exchange(quadrille_context* context, const qd_parts* parts, const void* call, int* mine,
                qd_error* error) {
  const struct qd_nodes* nodes = context->nodes;
  if (*mine == MPI_SUCCESS) *mine = parts->give(context, call, error);
  if (!qd_meet(context, error)) return 0;
  if (parts->add_up != NULL) {
    if (*mine == MPI_SUCCESS) *mine = parts->add_up(context, call);
    if (!qd_meet(context, error)) return 0;
  }
  if (nodes->leaders != NULL) qd_tell(nodes, parts->lead(context, call));
  if (!qd_meet(context, error)) return 0;
  const int told = qd_told(context, error);
  if (told != MPI_SUCCESS)
    *mine = told;
  else if (*mine == MPI_SUCCESS)
    *mine = parts->get(context, call);
  /* Nobody writes before all have read. */
  return qd_meet(context, error);
}

/* --- the calls -------------------------------------------------------------------------------------------- */

int qd_may_combine(const quadrille_context* context, const qd_call* call, const qd_served* served) {
  if (!qd_combines(call->collective)) return 1;
  return (qd_commutes(call->op) || (context->nodes->in_order && served->head.in_order)) &&
         qd_is_combined(call->op, call->to_type);
}

int qd_measure_shared(const quadrille_context* context, const qd_call* call, qd_shared* shared) {
  const struct qd_nodes* nodes = context->nodes;
  uint64_t bytes;
  if (!qd_message_bytes(context, call, &bytes) || bytes == 0) return 0;
  const uint64_t each = (uint64_t)nodes->each;
  const uint64_t all = (uint64_t)context->size;
  uint64_t block = bytes;
  if (qd_combines(call->collective)) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(call->to_type, &lower, &extent);
    block = (uint64_t)call->to_count * (uint64_t)extent;
  }
  if (block > qd_most_shared || bytes > qd_most_shared) return 0;
  uint64_t leader = bytes, given = block, got = block;
  switch (call->collective) {
    case QD_ALLTOALL:
      leader = each * each * bytes;
      given = got = each * all * block;
      break;
    case QD_ALLGATHER:
    case QD_GATHER:
      leader = each * bytes;
      given = each * block;
      got = all * block;
      break;
    case QD_SCATTER:
      leader = each * bytes;
      given = all * block;
      got = each * block;
      break;
    case QD_REDUCE_SCATTER:
      leader = each * bytes;
      given = each * all * block;
      got = each * block;
      break;
    case QD_BROADCAST:
      got = 0;
      break;
    default:
      given = each * block;
  }
  if (given + got > qd_most_shared) return 0;
  if (!qd_has_root(context, call)) return 0;
  const int root = qd_is_rooted(call->collective) ? nodes->at[call->root] / nodes->each : 0;
  const qd_served* served = qd_choose(context, call->collective, root, leader);
  if (served == NULL || !qd_may_combine(context, call, served) || qd_is_refused(context, call)) return 0;
  shared->call = call;
  shared->apart = 0;
  shared->block = (size_t)block;
  shared->given = (size_t)given;
  shared->got = (size_t)got;
  shared->leader_bytes = (MPI_Count)leader;
  return 1;
}

static int put(const qd_shared* shared, const void* user, MPI_Count first, MPI_Count count, MPI_Datatype type,
               char* to, MPI_Comm comm) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  const char* from = (const char*)user + (MPI_Aint)first * extent;
  if (!qd_combines(shared->call->collective) && !qd_is_plain(type))
    return qd_pack(from, count, type, to, comm);
  memcpy(to, from, shared->block);
  return MPI_SUCCESS;
}

static int take(const qd_shared* shared, void* user, MPI_Count first, MPI_Count count, MPI_Datatype type,
                const char* from, MPI_Comm comm) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  char* to = (char*)user + (MPI_Aint)first * extent;
  if (!qd_combines(shared->call->collective) && !qd_is_plain(type))
    return qd_unpack(from, to, count, type, comm);
  memcpy(to, from, shared->block);
  return MPI_SUCCESS;
}

/* Where this rank's block for another position lies of what it gives. */
static size_t given_at(const struct qd_nodes* nodes, const qd_shared* shared, size_t to) {
  const size_t each = (size_t)nodes->each, me = (size_t)nodes->me;
  const size_t all = each * (size_t)nodes->nodes;
  if (shared->apart) return to;
  return shared->call->collective == QD_ALLTOALL ? (to / each * each + me) * each + to % each : me * all + to;
}

int qd_give(const quadrille_context* context, const qd_shared* shared) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = shared->call;
  const size_t block = shared->block;
  const size_t me = shared->apart ? 0 : (size_t)nodes->me;
  const MPI_Comm comm = context->comm;
  const int is_root = context->rank == call->root;
  const int in_place = call->from == MPI_IN_PLACE;
  const void* from = in_place ? call->to : call->from;
  const MPI_Count count = in_place ? call->to_count : call->from_count;
  const MPI_Datatype type = in_place ? call->to_type : call->from_type;
  int code = MPI_SUCCESS;
  switch (call->collective) {
    case QD_BROADCAST:
      return is_root ? put(shared, call->to, 0, call->to_count, call->to_type, shared->out, comm) : code;
    case QD_SCATTER:
      for (int r = 0; r < context->size && is_root && code == MPI_SUCCESS; ++r)
        code = put(shared, call->from, r * call->from_count, call->from_count, call->from_type,
                   shared->out + (size_t)nodes->at[r] * block, comm);
      return code;
    case QD_GATHER:
    case QD_ALLGATHER:
      return put(shared, from, in_place ? context->rank * count : 0, count, type, shared->out + me * block,
                 comm);
    case QD_ALLTOALL:
      for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r)
        code = put(shared, from, r * count, count, type,
                   shared->out + given_at(nodes, shared, (size_t)nodes->at[r]) * block, comm);
      return code;
    case QD_REDUCE_SCATTER:
      for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r)
        code = put(shared, from, r * call->to_count, call->to_count, call->to_type,
                   shared->out + given_at(nodes, shared, (size_t)nodes->at[r]) * block, comm);
      return code;
    default:
      return put(shared, from, 0, call->to_count, call->to_type, shared->out + me * block, comm);
  }
}

int qd_add_part(const struct qd_nodes* nodes, const qd_call* call, char* first, int64_t units, size_t unit,
                int64_t at, int64_t end) {
  const size_t whole = (size_t)units * unit;
  const int last = nodes->each - 1;
  const int commutes = qd_commutes(call->op);
  while (at < end) {
    const int now = (int)(end - at < (1 << 20) ? end - at : 1 << 20);
    char* into = first + (size_t)at * unit;
    char* behind = into + (size_t)last * whole;
    for (int i = 1; i <= last; ++i) {
      /* What is read comes in front of what it is added to: in the order of ranks that begins with the last. */
      const int code =
          commutes
              ? PMPI_Reduce_local(into + (size_t)i * whole, into, now, call->to_type, call->op)
              : PMPI_Reduce_local(into + (size_t)(last - i) * whole, behind, now, call->to_type, call->op);
      if (code != MPI_SUCCESS) return code;
    }
    if (!commutes && last > 0) memcpy(into, behind, (size_t)now * unit);
    at += now;
  }
  return MPI_SUCCESS;
}

int qd_add_up(const struct qd_nodes* nodes, const qd_call* call, char* first, int64_t units, size_t unit) {
  return qd_add_part(nodes, call, first, units, unit, units * nodes->me / nodes->each,
                     units * (nodes->me + 1) / nodes->each);
}

static int add_up(const quadrille_context* context, const void* of) {
  const qd_shared* shared = of;
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = shared->call;
  const int64_t units = (int64_t)call->to_count * (call->collective == QD_REDUCE_SCATTER ? context->size : 1);
  const size_t whole = shared->given / (size_t)nodes->each;
  return qd_add_up(nodes, call, shared->out, units, whole / (size_t)units);
}

static int lead(const quadrille_context* context, const void* of) {
  const qd_shared* shared = of;
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = shared->call;
  quadrille_context* leaders = nodes->leaders;
  const MPI_Count bytes = shared->leader_bytes;
  const int root = qd_is_rooted(call->collective) ? nodes->at[call->root] / nodes->each : 0;
  char *out = shared->out, *in = shared->in;
  switch (call->collective) {
    case QD_BROADCAST:
      return quadrille_bcast(out, bytes, MPI_BYTE, root, leaders);
    case QD_SCATTER:
      return quadrille_scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, leaders);
    case QD_GATHER:
      return quadrille_gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, leaders);
    case QD_ALLGATHER:
      return quadrille_allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, leaders);
    case QD_ALLTOALL:
      return quadrille_alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, leaders);
    case QD_REDUCE:
      return quadrille_reduce(out, in, call->to_count, call->to_type, call->op, root, leaders);
    case QD_REDUCE_SCATTER:
      return quadrille_reduce_scatter_block(out, in, call->to_count * nodes->each, call->to_type, call->op,
                                            leaders);
    default:
      return quadrille_allreduce(out, in, call->to_count, call->to_type, call->op, leaders);
  }
}

int qd_get(const quadrille_context* context, const qd_shared* shared) {
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = shared->call;
  const size_t block = shared->block;
  /* Which of so many blocks side by side, one for each rank of the node, is this rank's. */
  const size_t each = shared->apart ? 1 : (size_t)nodes->each, me = shared->apart ? 0 : (size_t)nodes->me;
  const MPI_Comm comm = context->comm;
  const int is_root = context->rank == call->root;
  const MPI_Count count = call->to_count;
  const MPI_Datatype type = call->to_type;
  int code = MPI_SUCCESS;
  switch (call->collective) {
    case QD_BROADCAST:
      return is_root ? code : take(shared, call->to, 0, count, type, shared->out, comm);
    case QD_SCATTER:
      return call->to == MPI_IN_PLACE ? code
                                      : take(shared, call->to, 0, count, type, shared->in + me * block, comm);
    case QD_GATHER:
      if (!is_root) return code;
      /* fall through */
    case QD_ALLGATHER:
      for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r)
        code =
            take(shared, call->to, r * count, count, type, shared->in + (size_t)nodes->at[r] * block, comm);
      return code;
    case QD_ALLTOALL:
      for (int r = 0; r < context->size && code == MPI_SUCCESS; ++r)
        code = take(shared, call->to, r * count, count, type,
                    shared->in + ((size_t)nodes->at[r] * each + me) * block, comm);
      return code;
    case QD_REDUCE_SCATTER:
      return take(shared, call->to, 0, count, type, shared->in + me * block, comm);
    case QD_REDUCE:
      return is_root ? take(shared, call->to, 0, count, type, shared->in, comm) : code;
    default:
      return take(shared, call->to, 0, count, type, shared->in, comm);
  }
}

static int give(const quadrille_context* context, const void* of, qd_error* error) {
  (void)error;
  return qd_give(context, of);
}
static int get(const quadrille_context* context, const void* of) { return qd_get(context, of); }

int qd_done_by_nodes(quadrille_context* context, const qd_call* call, int* code) {
  struct qd_nodes* nodes = context->nodes;
  qd_shared shared;
  if (call->varies) return qd_varying_by_nodes(context, call, code);
  if (context->broken || call->collective == QD_BARRIER_CALL || !qd_measure_shared(context, call, &shared))
    return 0;
  const int is_left = qd_leaves_devices(context, call, 1, code);
  if (is_left != 0) return is_left < 0;
  const double begun = qd_now();
  qd_host_copy host;
  qd_error why = {""};
  shared.call = qd_on_host(context, call, &host, &why);
  const int is_there = shared.call != NULL;
  if (!is_there) shared.call = call;
  const size_t line = 64;
  const size_t behind = qd_front + (shared.given + line - 1) / line * line;
  if (!qd_reserve_window(context, behind + shared.got + 1, code)) {
    *code = qd_back_to_device(context, &host, *code);
    return 1;
  }
  shared.out = nodes->memory + qd_front;
  shared.in = nodes->memory + behind;
  int mine = is_there ? MPI_SUCCESS : MPI_ERR_OTHER;
  const qd_parts parts = {give, qd_combines(call->collective) ? add_up : NULL, lead, get};
  const int met = qd_exchange(context, &parts, &shared, &mine, &why);
  ++context->statistics.served;
  context->statistics.bytes += (long long)shared.block;
  context->statistics.seconds += qd_now() - begun;
  mine = qd_back_to_device(context, &host, met ? mine : MPI_ERR_OTHER);
  *code = why.text[0] == 0 ? mine : qd_raise(context, MPI_COMM_NULL, &why);
  return 1;
}

void qd_explain_nodes(const quadrille_context* context, char* text, size_t size) {
  snprintf(text, size, " between the leaders of %d nodes of %d ranks", context->nodes->nodes,
           context->nodes->each);
}

quadrille_context* qd_leaders_of(const quadrille_context* context) {
  return context->nodes == NULL ? NULL : context->nodes->leaders;
}

int qd_leader_of(const quadrille_context* context, int rank) {
  return context->nodes->at[rank] / context->nodes->each;
}

MPI_Count qd_bytes_of_leaders(const quadrille_context* context, int collective, MPI_Count bytes) {
  const MPI_Count each = context->nodes->each;
  if (collective == QD_ALLTOALL) return bytes * each * each;
  const int by_rank = collective == QD_ALLGATHER || collective == QD_GATHER || collective == QD_SCATTER ||
                      collective == QD_REDUCE_SCATTER;
  return by_rank ? bytes * each : bytes;
}
