#include "shim_shortcut.h"

#include <limits.h>
#include <sched.h>

qd_shortcut qd_shortcuts[QD_COLLECTIVES];

/* Communicators and types may take turns: whoever came first is not put out by each of the others. */
static const unsigned patience = 8;

static atomic_flag being_written = ATOMIC_FLAG_INIT;

static void begin_writing(qd_shortcut* of) {
  while (atomic_flag_test_and_set(&being_written)) sched_yield();
  atomic_fetch_add_explicit(&of->turn, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
}

static void end_writing(qd_shortcut* of) {
  atomic_fetch_add_explicit(&of->turn, 1, memory_order_release);
  atomic_flag_clear(&being_written);
}

/* Of which numbers of elements no program is, this one among them; 0 where that cannot be said. */
static int passed_counts(const quadrille_context* context, const qd_call* call, MPI_Datatype type,
                         uint64_t bytes, unsigned* least, unsigned* more) {
  *least = 0;
  *more = INT_MAX;
  if (context == NULL) return 1;
  /* Types of the user's come and go, and their handles come again. */
  int integers, addresses, types, combiner, size;
  if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
      combiner != MPI_COMBINER_NAMED || PMPI_Type_size(type, &size) != MPI_SUCCESS || size <= 0)
    return 0;
  const uint64_t from = context->sizes[call->collective].least, to = context->sizes[call->collective].most;
  if (bytes < from) {
    const uint64_t most = (from - 1) / (uint64_t)size;
    if (most < INT_MAX) *more = (unsigned)most;
    return 1;
  }
  if (bytes <= to || to / (uint64_t)size >= INT_MAX) return 0;
  *least = (unsigned)(to / (uint64_t)size) + 1;
  *more = INT_MAX - *least;
  return 1;
}

void qd_note_passed(const quadrille_context* context, const qd_call* call, MPI_Comm comm, uint64_t bytes) {
  qd_shortcut* of = &qd_shortcuts[call->collective];
  if (atomic_fetch_add_explicit(&of->missed, 1, memory_order_relaxed) % patience != 0) return;
  /* Where ranks compare calls, or try who is faster, each goes the long way. */
  if (context != NULL &&
      (context->check > 0 || context->online != NULL || context->nodes != NULL || context->broken))
    return;
  const int rank = context == NULL ? -1 : context->rank;
  const int by_from = call->collective == QD_GATHER ? rank != call->root
                                                    : call->collective == QD_SCATTER && rank == call->root;
  const MPI_Datatype type = by_from ? call->from_type : call->to_type;
  unsigned least, more;
  if (type == MPI_DATATYPE_NULL || !passed_counts(context, call, type, bytes, &least, &more)) return;
  begin_writing(of);
  atomic_store_explicit(&of->rank, rank, memory_order_relaxed);
  atomic_store_explicit(&of->least, least, memory_order_relaxed);
  atomic_store_explicit(&of->more, more, memory_order_relaxed);
  atomic_store_explicit(&of->comm, (word)comm, memory_order_relaxed);
  atomic_store_explicit(&of->type, (word)type, memory_order_relaxed);
  end_writing(of);
}

void qd_forget_shortcuts(MPI_Comm comm) {
  for (int c = 0; c < QD_COLLECTIVES; ++c) {
    qd_shortcut* of = &qd_shortcuts[c];
    begin_writing(of);
    if ((qd_handle)of->comm == (qd_handle)(word)comm) {
      /* What no call says: a number of elements below 0 alone. */
      atomic_store_explicit(&of->least, UINT_MAX, memory_order_relaxed);
      atomic_store_explicit(&of->more, 0, memory_order_relaxed);
      atomic_store_explicit(&of->missed, 0, memory_order_relaxed);
    }
    end_writing(of);
  }
}
