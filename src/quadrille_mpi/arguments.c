/* What the MPI library would refuse: programs would read or write where nothing is, so such a call is left to it, and it says what is
 * wrong as it does elsewhere. */
#include "context.h"

/* Whether elements of this type may be sent from there, or received. */
static int is_usable(const quadrille_context* context, const void* user, MPI_Count count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;
  /* Types that name addresses themselves begin at none. */
  if (user == NULL && count > 0 && qd_is_plain(type) && qd_bytes_of(count, type) > 0) return 0;
  /* None of them is packed, but the library looks at the type: was it committed? */
  char nothing[8];
  int position = 0;
  const void* from = user == NULL ? nothing : user;
  return PMPI_Pack(from, 0, type, nothing, (int)sizeof nothing, &position, context->comm) == MPI_SUCCESS;
}

static int is_refused_from(const quadrille_context* context, const qd_call* call) {
  const int collective = call->collective;
  if (collective == QD_BROADCAST) return 0;
  if (collective == QD_SCATTER && context->rank != call->root) return 0;
  if (call->from == MPI_IN_PLACE) return collective == QD_SCATTER;
  if (!call->varies || collective == QD_GATHER || collective == QD_ALLGATHER)
    return !is_usable(context, call->from, call->from_count, call->from_type);
  return call->from_counts == NULL || !is_usable(context, call->from, 0, call->from_type);
}

static int is_refused_to(const quadrille_context* context, const qd_call* call) {
  const int collective = call->collective;
  if ((collective == QD_GATHER || collective == QD_REDUCE) && context->rank != call->root) return 0;
  if (call->to == MPI_IN_PLACE) return collective != QD_SCATTER;
  if (!call->varies || collective == QD_SCATTER || collective == QD_REDUCE_SCATTER)
    return !is_usable(context, call->to, call->to_count, call->to_type);
  return call->to_counts == NULL || !is_usable(context, call->to, 0, call->to_type);
}

/* Both ends in one place, where that is not said by MPI_IN_PLACE. Blocks of no bytes may lie anywhere, so calls with counts, of
 * which one rank's may be none, are not looked at. */
static int is_aliased(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BROADCAST && call->from == call->to && call->from != NULL && !call->varies &&
         (!qd_is_rooted(call->collective) || context->rank == call->root) && call->to_count > 0;
}

int qd_is_refused(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BARRIER_CALL &&
         (is_refused_from(context, call) || is_refused_to(context, call) || is_aliased(context, call));
}

int qd_is_misplaced(const quadrille_context* context, const qd_call* call, qd_error* error) {
  const int collective = call->collective;
  if (collective == QD_BARRIER_CALL) return 0;
  const int gets = (collective != QD_GATHER && collective != QD_REDUCE) || context->rank == call->root;
  const int from = collective == QD_SCATTER && context->rank == call->root && call->from == MPI_IN_PLACE;
  const int to = gets && collective != QD_SCATTER && call->to == MPI_IN_PLACE;
  if (from || to)
    qd_fail(error, "quadrille: rank %d: MPI_IN_PLACE is given for what %s %s", context->rank,
            qd_collective_names[collective], from ? "sends" : "receives");
  return from || to;
}

/* Of MPI's own, which take predefined types alone. */
static int is_predefined(MPI_Op op) {
  const MPI_Op own[] = {MPI_SUM,  MPI_MIN,   MPI_MAX,  MPI_BOR, MPI_MAXLOC,
#ifdef MPI_PROD
                        MPI_PROD, MPI_LAND,  MPI_BAND, MPI_LOR, MPI_LXOR,
                        MPI_BXOR, MPI_MINLOC
#endif
  };
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    if (op == own[i]) return 1;
  return 0;
}

int qd_is_combined(MPI_Op op, MPI_Datatype type) {
  int integers, addresses, types, combiner;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED || (!is_predefined(op) && qd_is_plain(type));
}
