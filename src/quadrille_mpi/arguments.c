/* What the MPI library would refuse: programs would read or write where nothing is, so such a call is left to it, and it says what is
 * wrong as it does elsewhere. */
#include <stdio.h>

#include "context.h"

/* Whether elements of this type may be sent from there, or received. */
static int is_usable(const quadrille_context* context, const void* user, MPI_Count count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || count < 0) return 0;
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
  /* In place is for the root of those that gather. */
  if (call->from == MPI_IN_PLACE)
    return collective == QD_SCATTER ||
           ((collective == QD_GATHER || collective == QD_REDUCE) && context->rank != call->root);
  if (!call->varies || collective == QD_GATHER || collective == QD_ALLGATHER)
    return !is_usable(context, call->from, call->from_count, call->from_type);
  return call->from_counts == NULL || !is_usable(context, call->from, 0, call->from_type);
}

static int is_refused_to(const quadrille_context* context, const qd_call* call) {
  const int collective = call->collective;
  if ((collective == QD_GATHER || collective == QD_REDUCE) && context->rank != call->root) return 0;
  if (call->to == MPI_IN_PLACE) return collective != QD_SCATTER || context->rank != call->root;
  if (!call->varies || collective == QD_SCATTER || collective == QD_REDUCE_SCATTER)
    return !is_usable(context, call->to, call->to_count, call->to_type);
  return call->to_counts == NULL || !is_usable(context, call->to, 0, call->to_type);
}

/* Both ends in one place, where that is not said by MPI_IN_PLACE. Blocks of no bytes may lie anywhere, so calls with counts, of
 * which one rank's may be none, are not looked at; nor are types that may say of one place where else their data are, which is right. */
static int is_aliased(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BROADCAST && call->from == call->to && call->from != NULL && !call->varies &&
         (!qd_is_rooted(call->collective) || context->rank == call->root) && call->to_count > 0 &&
         qd_is_plain(call->from_type) && qd_is_plain(call->to_type);
}

int qd_has_root(const quadrille_context* context, const qd_call* call) {
  return !qd_is_rooted(call->collective) || (call->root >= 0 && call->root < context->size);
}

int qd_is_refused(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BARRIER_CALL &&
         (!qd_has_root(context, call) || (qd_combines(call->collective) && call->op == MPI_OP_NULL) ||
          is_refused_from(context, call) || is_refused_to(context, call) || is_aliased(context, call));
}

int qd_is_misplaced(const quadrille_context* context, const qd_call* call, qd_error* error) {
  const int collective = call->collective;
  if (collective == QD_BARRIER_CALL) return 0;
  const int is_root = context->rank == call->root;
  const int gathers = collective == QD_GATHER || collective == QD_REDUCE;
  const int from =
      call->from == MPI_IN_PLACE && ((collective == QD_SCATTER && is_root) || (gathers && !is_root));
  const int to = call->to == MPI_IN_PLACE && (collective == QD_SCATTER ? !is_root : !gathers || is_root);
  if (from || to)
    qd_fail(error, "quadrille: rank %d: MPI_IN_PLACE is given for what %s %s", context->rank,
            qd_collective_names[collective], from ? "sends" : "receives");
  return from || to;
}

static int say_count(const quadrille_context* context, const qd_call* call, const MPI_Count* count,
                     const char* what, qd_error* error) {
  const char* name = qd_collective_names[call->collective];
  if (count == NULL)
    qd_fail(error, "quadrille: rank %d: no counts are given for what %s %s", context->rank, name, what);
  else
    qd_fail(error, "quadrille: rank %d: a count of %lld is given for what %s %s", context->rank,
            (long long)*count, name, what);
  return 1;
}

/* Of all ranks, where they are there; else the one. */
static int is_miscounted_at(const quadrille_context* context, const qd_call* call, int is_each,
                            const MPI_Count* each, MPI_Count one, const char* what, qd_error* error) {
  if (!is_each) return one < 0 && say_count(context, call, &one, what, error);
  if (each == NULL) return say_count(context, call, NULL, what, error);
  for (int r = 0; r < context->size; ++r)
    if (each[r] < 0) return say_count(context, call, &each[r], what, error);
  return 0;
}

int qd_is_miscounted(const quadrille_context* context, const qd_call* call, qd_error* error) {
  const int collective = call->collective;
  if (collective == QD_BARRIER_CALL || !qd_has_root(context, call)) return 0;
  const int is_root = !qd_is_rooted(collective) || context->rank == call->root;
  const int gathers = collective == QD_GATHER || collective == QD_REDUCE;
  const int sends = collective != QD_BROADCAST && (collective != QD_SCATTER || is_root) &&
                    (call->from != MPI_IN_PLACE || collective == QD_REDUCE_SCATTER);
  const int receives = (!gathers || is_root) && call->to != MPI_IN_PLACE;
  const int each_from = call->varies && (collective == QD_ALLTOALL || collective == QD_SCATTER ||
                                         collective == QD_REDUCE_SCATTER);
  const int each_to =
      call->varies && (collective == QD_ALLTOALL || collective == QD_ALLGATHER || collective == QD_GATHER);
  return (sends &&
          is_miscounted_at(context, call, each_from, call->from_counts, call->from_count, "sends", error)) ||
         (receives &&
          is_miscounted_at(context, call, each_to, call->to_counts, call->to_count, "receives", error));
}

/* --- what operators take ----------------------------------------------------------------------------------- */

/* Of MPI's own, which take predefined types alone, and not all of those (MPI 4.0, 6.9.2): by what they do. A bit each. */
enum { ADDS = 1, COMPARES = 2, IS_LOGICAL = 4, IS_BITWISE = 8, LOCATES = 16, ANY_OTHER = 32 };

typedef struct {
  MPI_Op op;
  int does;
  const char* name;
} own_op;

/* The one that it is; with ANY_OTHER for the user's. */
static own_op look_up(MPI_Op op) {
#define QD_OWN_OP(op, does) \
  { op, does, #op }
  const own_op own[] = {QD_OWN_OP(MPI_SUM, ADDS), QD_OWN_OP(MPI_MIN, COMPARES), QD_OWN_OP(MPI_MAX, COMPARES),
                        QD_OWN_OP(MPI_BOR, IS_BITWISE), QD_OWN_OP(MPI_MAXLOC, LOCATES),
#ifdef MPI_PROD
                        QD_OWN_OP(MPI_PROD, ADDS), QD_OWN_OP(MPI_LAND, IS_LOGICAL),
                        QD_OWN_OP(MPI_LOR, IS_LOGICAL), QD_OWN_OP(MPI_LXOR, IS_LOGICAL),
                        QD_OWN_OP(MPI_BAND, IS_BITWISE), QD_OWN_OP(MPI_BXOR, IS_BITWISE),
                        QD_OWN_OP(MPI_MINLOC, LOCATES),
                        /* For windows of memory: no collective takes them. */
                        QD_OWN_OP(MPI_REPLACE, 0), QD_OWN_OP(MPI_NO_OP, 0)
#endif
  };
#undef QD_OWN_OP
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    if (op == own[i].op) return own[i];
  return (own_op){op, ANY_OTHER, "an operator of the user's"};
}

const char* qd_op_name(MPI_Op op) { return look_up(op).name; }

static int is_among(MPI_Datatype type, const MPI_Datatype* types, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (types[i] == type) return 1;
  return 0;
}
#define QD_IS_AMONG(type, types) is_among(type, types, sizeof(types) / sizeof *(types))

/* What may be done with elements of a predefined type. */
static int takes(MPI_Datatype type) {
  const MPI_Datatype floats[] = {MPI_FLOAT,       MPI_DOUBLE,
#ifdef MPI_REAL
                                 MPI_LONG_DOUBLE, MPI_REAL,   MPI_DOUBLE_PRECISION, MPI_REAL4,
                                 MPI_REAL8,       MPI_REAL16
#endif
  };
  if (QD_IS_AMONG(type, floats)) return ADDS | COMPARES;
  if (type == MPI_BYTE) return IS_BITWISE;
#ifdef MPI_REAL
  const MPI_Datatype fortran_integers[] = {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4,
                                           MPI_INTEGER8};
  const MPI_Datatype complex[] = {MPI_C_COMPLEX,
                                  MPI_C_FLOAT_COMPLEX,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_C_LONG_DOUBLE_COMPLEX,
                                  MPI_CXX_FLOAT_COMPLEX,
                                  MPI_CXX_DOUBLE_COMPLEX,
                                  MPI_CXX_LONG_DOUBLE_COMPLEX,
                                  MPI_COMPLEX,
                                  MPI_DOUBLE_COMPLEX,
                                  MPI_COMPLEX8,
                                  MPI_COMPLEX16};
  const MPI_Datatype logicals[] = {MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL};
  const MPI_Datatype pairs[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT,        MPI_LONG_INT,
                                MPI_2INT,      MPI_SHORT_INT,         MPI_LONG_DOUBLE_INT,
                                MPI_2REAL,     MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
  if (QD_IS_AMONG(type, fortran_integers)) return ADDS | COMPARES | IS_BITWISE;
  if (QD_IS_AMONG(type, complex)) return ADDS;
  if (QD_IS_AMONG(type, logicals)) return IS_LOGICAL;
  if (QD_IS_AMONG(type, pairs)) return LOCATES;
  if (type == MPI_PACKED || type == MPI_WCHAR) return 0;
  return ADDS | COMPARES | IS_LOGICAL | IS_BITWISE;
#else
  /* A header that does not name them all. */
  return ADDS | COMPARES | IS_LOGICAL | IS_BITWISE | LOCATES;
#endif
}

int qd_commutes(MPI_Op op) {
  int commutes = 0;
  /* MPI would end the program for it, whatever the communicator says of errors. */
  if (op != MPI_OP_NULL) PMPI_Op_commutative(op, &commutes);
  return commutes;
}

int qd_is_combined(MPI_Op op, MPI_Datatype type) {
  const int does = look_up(op).does;
  int integers, addresses, types, combiner;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (does == ANY_OTHER) return combiner == MPI_COMBINER_NAMED || qd_is_plain(type);
  return combiner == MPI_COMBINER_NAMED && (takes(type) & does) != 0;
}

int64_t qd_elements_of(MPI_Op op, MPI_Datatype type) {
  int integers, addresses, types, combiner, size;
  if (type == MPI_DATATYPE_NULL || look_up(op).does == ANY_OTHER) return 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  PMPI_Type_size(type, &size);
  return combiner == MPI_COMBINER_NAMED ? (int64_t)takes(type) << 32 | size : 0;
}

void qd_say_elements(int64_t elements, char* text, size_t size) {
  const int kind = (int)(elements >> 32);
  const char* what = "integers";
  if (kind == (ADDS | COMPARES)) what = "floating-point numbers";
  if (kind == ADDS) what = "complex numbers";
  if (kind == IS_LOGICAL) what = "logicals";
  if (kind == IS_BITWISE) what = "bare bytes";
  if (kind == LOCATES) what = "pairs";
  snprintf(text, size, "%s of %d bytes", what, (int)(elements & INT32_MAX));
}
