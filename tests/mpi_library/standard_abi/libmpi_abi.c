/* A libmpi_abi for tests: the standard ABI of MPI 5 for as many calls as the shim, the library and their test programs make, done by
 * the MPI that it is compiled with. So both are run as they will be run by an MPI that has the ABI: with its handles, its constants
 * and its layout of a status, none of which is that of Open MPI or MPICH. All numbers here are read off the tables of the
 * standard (MPI 5.0, 21.5 and A.1.1), not out of the header that they are compiled with.
 *
 * It is linked with the MPI's own library, which comes behind it: RTLD_NEXT finds what is called by the same name there. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of it is for whoever loads this. */
#pragma GCC visibility push(default)

typedef uintptr_t word; /* a handle of the ABI: a small number, or whatever the MPI has */

static void* find(const char* name) {
  void* out = dlsym(RTLD_NEXT, name);
  if (out == NULL) {
    fprintf(stderr, "libmpi_abi of the tests: no %s behind it\n", name);
    abort();
  }
  return out;
}
#define NATIVE(name)                                                                 \
  __extension__({                                                                    \
    static __typeof__(&MPI_##name) volatile found_##name;                            \
    if (found_##name == NULL) *(void* volatile*)&found_##name = find("PMPI_" #name); \
    found_##name;                                                                    \
  })

/* --- handles ---------------------------------------------------------------------------------------------- */

#ifdef OPEN_MPI
#define FROM_WORD(type, w) ((type)(w))
#define TO_WORD(handle) ((word)(handle))
#else
#define FROM_WORD(type, w) ((type)(int)(w))
#define TO_WORD(handle) ((word)(unsigned)(handle))
#endif

/* Both ways for each kind of handle: what is predefined by a table, all else as it is. */
#define HANDLES(type, name, ...)                                                  \
  static const struct {                                                           \
    word abi;                                                                     \
    type native;                                                                  \
  } name##_table[] = {__VA_ARGS__};                                               \
  __attribute__((unused)) static type name##_in(word w) {                         \
    for (size_t i = 0; i < sizeof name##_table / sizeof *name##_table; ++i)       \
      if (name##_table[i].abi == w) return name##_table[i].native;                \
    if (w >= 4096) return FROM_WORD(type, w);                                     \
    fprintf(stderr, "libmpi_abi of the tests: %zu is no " #type "\n", (size_t)w); \
    abort();                                                                      \
  }                                                                               \
  __attribute__((unused)) static word name##_out(type handle) {                   \
    for (size_t i = 0; i < sizeof name##_table / sizeof *name##_table; ++i)       \
      if (name##_table[i].native == handle) return name##_table[i].abi;           \
    return TO_WORD(handle);                                                       \
  }

HANDLES(MPI_Comm, comm, {256, MPI_COMM_NULL}, {257, MPI_COMM_WORLD}, {258, MPI_COMM_SELF})
HANDLES(MPI_Group, group, {264, MPI_GROUP_NULL}, {265, MPI_GROUP_EMPTY})
HANDLES(MPI_Win, win, {272, MPI_WIN_NULL})
HANDLES(MPI_Info, info, {304, MPI_INFO_NULL})
HANDLES(MPI_Errhandler, handler, {320, MPI_ERRHANDLER_NULL}, {321, MPI_ERRORS_ARE_FATAL},
        {323, MPI_ERRORS_RETURN})
HANDLES(MPI_Request, request, {384, MPI_REQUEST_NULL})
HANDLES(MPI_Op, op, {32, MPI_OP_NULL}, {33, MPI_SUM}, {34, MPI_MIN}, {35, MPI_MAX}, {36, MPI_PROD},
        {41, MPI_BOR}, {57, MPI_MAXLOC})
HANDLES(MPI_Datatype, type, {512, MPI_DATATYPE_NULL}, {519, MPI_PACKED}, {520, MPI_SHORT}, {521, MPI_INT},
        {522, MPI_LONG}, {528, MPI_FLOAT}, {532, MPI_DOUBLE}, {553, MPI_DOUBLE_INT}, {579, MPI_CHAR},
        {580, MPI_SIGNED_CHAR}, {583, MPI_BYTE}, {593, MPI_UINT32_T}, {600, MPI_INT64_T})

static void* buffer_in(const void* buffer) { return buffer == (void*)1 ? MPI_IN_PLACE : (void*)buffer; }
static int* weights_in(const int* weights) { return weights == (int*)10 ? MPI_UNWEIGHTED : (int*)weights; }

/* --- numbers ---------------------------------------------------------------------------------------------- */

typedef struct {
  int abi, native;
} number;
static const number classes[] = {{1, MPI_ERR_BUFFER},  {2, MPI_ERR_COUNT},   {3, MPI_ERR_TYPE},
                                 {4, MPI_ERR_TAG},     {5, MPI_ERR_COMM},    {6, MPI_ERR_RANK},
                                 {7, MPI_ERR_REQUEST}, {8, MPI_ERR_ROOT},    {9, MPI_ERR_GROUP},
                                 {10, MPI_ERR_OP},     {13, MPI_ERR_ARG},    {15, MPI_ERR_TRUNCATE},
                                 {17, MPI_ERR_INTERN}, {39, MPI_ERR_NO_MEM}, {16, MPI_ERR_OTHER}};
static const number combiners[] = {
    {101, MPI_COMBINER_NAMED}, {102, MPI_COMBINER_DUP}, {103, MPI_COMBINER_CONTIGUOUS}};
static const number topologies[] = {
    {211, MPI_CART}, {212, MPI_GRAPH}, {213, MPI_DIST_GRAPH}, {-32766, MPI_UNDEFINED}};

static int number_out(const number* table, size_t count, int native, int otherwise) {
  for (size_t i = 0; i < count; ++i)
    if (table[i].native == native) return table[i].abi;
  return otherwise;
}
#define OUT(table, native, otherwise) number_out(table, sizeof table / sizeof *table, native, otherwise)

/* Codes that a program added are its own. */
enum { most_codes = 16 };
static int own_codes[most_codes], num_own_codes;
static int is_own(int code) {
  for (int i = 0; i < num_own_codes; ++i)
    if (own_codes[i] == code) return 1;
  return 0;
}
static int code_out(int code) {
  if (code == MPI_SUCCESS || is_own(code)) return code;
  int class = MPI_ERR_OTHER;
  NATIVE(Error_class)(code, &class);
  return OUT(classes, class, 16);
}
static int code_in(int code) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (classes[i].abi == code && !is_own(code)) return classes[i].native;
  return code;
}

/* A status has three fields that all know, and five ints for whatever the MPI has besides. */
typedef struct {
  int source, tag, error;
  int inside[5];
} abi_status;
static void status_out(const MPI_Status* from, abi_status* to) {
  if (to == NULL) return;
  /* The error is for calls of many requests alone. */
  *to = (abi_status){from->MPI_SOURCE, from->MPI_TAG, to->error, {0}};
#ifdef OPEN_MPI
  memcpy(to->inside, &from->_ucount, sizeof from->_ucount);
#else
  to->inside[0] = from->count_lo;
  to->inside[1] = from->count_hi_and_cancelled;
#endif
}
static MPI_Status status_in(const abi_status* from) {
  MPI_Status out;
  memset(&out, 0, sizeof out);
  out.MPI_SOURCE = from->source;
  out.MPI_TAG = from->tag;
#ifdef OPEN_MPI
  memcpy(&out._ucount, from->inside, sizeof out._ucount);
#else
  out.count_lo = from->inside[0];
  out.count_hi_and_cancelled = from->inside[1];
#endif
  return out;
}

/* --- calls ------------------------------------------------------------------------------------------------ */

/* Under both names. */
#define TAKE(name, parameters, ...)                      \
  int abi_##name parameters __asm__("MPI_" #name);       \
  int profiled_##name parameters __asm__("PMPI_" #name); \
  int abi_##name parameters { __VA_ARGS__ }              \
  int profiled_##name parameters { __VA_ARGS__ }
/* What makes no handle. */
#define FORWARD(name, parameters, arguments) TAKE(name, parameters, return code_out(NATIVE(name) arguments);)
/* What makes one, or changes it. */
#define MAKES(name, parameters, Type, kind, at, begin, arguments)                                            \
  TAKE(name, parameters, Type made = begin; const int code = NATIVE(name) arguments; *at = kind##_out(made); \
       return code_out(code);)

#define PARAMETERS(...) __VA_ARGS__
#define COLLECTIVE(name, inner, parameters, arguments)                                            \
  FORWARD(name, (PARAMETERS parameters, word comm), (PARAMETERS arguments, comm_in(comm)))        \
  MAKES(inner, (PARAMETERS parameters, word comm, word * request), MPI_Request, request, request, \
        MPI_REQUEST_NULL, (PARAMETERS arguments, comm_in(comm), &made))

#define ENDS const void *from, int m, word from_type, void *to, int n, word to_type
#define ENDS_IN buffer_in(from), m, type_in(from_type), buffer_in(to), n, type_in(to_type)
#define SUMS const void *from, void *to, int n, word type, word op
#define SUMS_IN buffer_in(from), buffer_in(to), n, type_in(type), op_in(op)
COLLECTIVE(Bcast, Ibcast, (void* to, int n, word type, int root), (to, n, type_in(type), root))
COLLECTIVE(Scatter, Iscatter, (ENDS, int root), (ENDS_IN, root))
COLLECTIVE(Gather, Igather, (ENDS, int root), (ENDS_IN, root))
COLLECTIVE(Allgather, Iallgather, (ENDS), (ENDS_IN))
COLLECTIVE(Alltoall, Ialltoall, (ENDS), (ENDS_IN))
COLLECTIVE(Reduce, Ireduce, (SUMS, int root), (SUMS_IN, root))
COLLECTIVE(Allreduce, Iallreduce, (SUMS), (SUMS_IN))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, (SUMS), (SUMS_IN))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, (const void* from, void* to, const int* n, word type, word op),
           (buffer_in(from), buffer_in(to), n, type_in(type), op_in(op)))
COLLECTIVE(Scatterv, Iscatterv,
           (const void* from, const int* m, const int* at, word from_type, void* to, int n, word to_type,
            int root),
           (buffer_in(from), m, at, type_in(from_type), buffer_in(to), n, type_in(to_type), root))
COLLECTIVE(Gatherv, Igatherv,
           (const void* from, int m, word from_type, void* to, const int* n, const int* at, word to_type,
            int root),
           (buffer_in(from), m, type_in(from_type), buffer_in(to), n, at, type_in(to_type), root))
COLLECTIVE(Allgatherv, Iallgatherv,
           (const void* from, int m, word from_type, void* to, const int* n, const int* at, word to_type),
           (buffer_in(from), m, type_in(from_type), buffer_in(to), n, at, type_in(to_type)))
COLLECTIVE(Alltoallv, Ialltoallv,
           (const void* from, const int* m, const int* from_at, word from_type, void* to, const int* n,
            const int* to_at, word to_type),
           (buffer_in(from), m, from_at, type_in(from_type), buffer_in(to), n, to_at, type_in(to_type)))
FORWARD(Barrier, (word comm), (comm_in(comm)))
MAKES(Ibarrier, (word comm, word* request), MPI_Request, request, request, MPI_REQUEST_NULL,
      (comm_in(comm), &made))
FORWARD(Reduce_local, (SUMS), (SUMS_IN))

/* A function of the program is called by handles of the ABI. */
typedef void user_function(void*, void*, int*, word*);
enum { most_functions = 4 };
static user_function* functions[most_functions];
static int num_functions;
#define TRAMPOLINE(i)                                                           \
  static void call_##i(void* in, void* inout, int* count, MPI_Datatype* type) { \
    word known = type_out(*type);                                               \
    functions[i](in, inout, count, &known);                                     \
  }
TRAMPOLINE(0)
TRAMPOLINE(1)
TRAMPOLINE(2)
TRAMPOLINE(3)
static MPI_User_function* const trampolines[most_functions] = {call_0, call_1, call_2, call_3};
static MPI_User_function* known_by_mpi(user_function* function) {
  for (int i = 0; i < num_functions; ++i)
    if (functions[i] == function) return trampolines[i];
  if (num_functions == most_functions) abort();
  functions[num_functions] = function;
  return trampolines[num_functions++];
}
MAKES(Op_create, (user_function * function, int commutes, word* op), MPI_Op, op, op, MPI_OP_NULL,
      (known_by_mpi(function), commutes, &made))
MAKES(Op_free, (word * op), MPI_Op, op, op, op_in(*op), (&made))
FORWARD(Op_commutative, (word op, int* commutes), (op_in(op), commutes))

#define MESSAGE(name, constant)                                                                   \
  MAKES(name, (constant void* at, int n, word type, int peer, int tag, word comm, word* request), \
        MPI_Request, request, request, MPI_REQUEST_NULL,                                          \
        (at, n, type_in(type), peer, tag, comm_in(comm), &made))
MESSAGE(Isend, const)
MESSAGE(Irecv, )
MESSAGE(Send_init, const)
MESSAGE(Recv_init, )
MAKES(Start, (word * request), MPI_Request, request, request, request_in(*request), (&made))
MAKES(Request_free, (word * request), MPI_Request, request, request, request_in(*request), (&made))
TAKE(Test, (word * request, int* flag, abi_status* status), MPI_Status found;
     MPI_Request made = request_in(*request); const int code = NATIVE(Test)(&made, flag, &found);
     *request = request_out(made); if (*flag) status_out(&found, status); return code_out(code);)
TAKE(Iprobe, (int from, int tag, word comm, int* flag, abi_status* status), MPI_Status found;
     const int code = NATIVE(Iprobe)(from, tag, comm_in(comm), flag, &found);
     if (*flag) status_out(&found, status); return code_out(code);)
FORWARD(Request_get_status, (word request, int* flag, abi_status* status),
        (request_in(request), flag, status == NULL ? MPI_STATUS_IGNORE : (abort(), MPI_STATUS_IGNORE)))
TAKE(Get_elements_x, (const abi_status* status, word type, MPI_Count* count),
     const MPI_Status known = status_in(status);
     return code_out(NATIVE(Get_elements_x)(&known, type_in(type), count));)

/* Nobody asks for their statuses. */
static int wait_for_all(int count, word* requests, int* flag, const abi_status* statuses) {
  if (statuses != NULL) abort();
  MPI_Request* all = malloc(((size_t)count + 1) * sizeof *all);
  for (int i = 0; i < count; ++i) all[i] = request_in(requests[i]);
  const int code = flag == NULL ? NATIVE(Waitall)(count, all, MPI_STATUSES_IGNORE)
                                : NATIVE(Testall)(count, all, flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) requests[i] = request_out(all[i]);
  free(all);
  return code_out(code);
}
TAKE(Waitall, (int count, word* requests, abi_status* statuses),
     return wait_for_all(count, requests, NULL, statuses);)
TAKE(Testall, (int count, word* requests, int* flag, abi_status* statuses),
     return wait_for_all(count, requests, flag, statuses);)

FORWARD(Type_size, (word type, int* size), (type_in(type), size))
FORWARD(Type_size_x, (word type, MPI_Count* size), (type_in(type), size))
FORWARD(Type_get_true_extent, (word type, MPI_Aint* lower, MPI_Aint* extent), (type_in(type), lower, extent))
FORWARD(Type_get_extent, (word type, MPI_Aint* lower, MPI_Aint* extent), (type_in(type), lower, extent))
TAKE(Type_get_envelope, (word type, int* integers, int* addresses, int* types, int* combiner), int found;
     const int code = NATIVE(Type_get_envelope)(type_in(type), integers, addresses, types, &found);
     *combiner = OUT(combiners, found, -1); return code_out(code);)
TAKE(Type_get_contents,
     (word type, int most_integers, int most_addresses, int most_types, int* integers, MPI_Aint* addresses,
      word* types),
     MPI_Datatype inner[1];
     MPI_Aint none[1]; if (most_types != 1 || most_addresses != 0) abort();
     const int code = NATIVE(Type_get_contents)(type_in(type), most_integers, most_addresses, most_types,
                                                integers, addresses == NULL ? none : addresses, inner);
     types[0] = type_out(inner[0]); return code_out(code);)
#define MAKES_TYPE(name, parameters, arguments) \
  MAKES(name, parameters, MPI_Datatype, type, type, MPI_DATATYPE_NULL, arguments)
MAKES_TYPE(Type_contiguous, (int count, word of, word* type), (count, type_in(of), &made))
MAKES_TYPE(Type_create_hindexed, (int count, const int* lengths, const MPI_Aint* places, word of, word* type),
           (count, lengths, places, type_in(of), &made))
MAKES_TYPE(Type_create_indexed_block, (int count, int length, const int* places, word of, word* type),
           (count, length, places, type_in(of), &made))
MAKES_TYPE(Type_create_resized, (word of, MPI_Aint lower, MPI_Aint extent, word* type),
           (type_in(of), lower, extent, &made))
static MPI_Datatype* types_in(int count, const word* types, MPI_Datatype* out) {
  if (count > 2) abort();
  for (int i = 0; i < count; ++i) out[i] = type_in(types[i]);
  return out;
}
MAKES_TYPE(Type_create_struct,
           (int count, const int* lengths, const MPI_Aint* places, const word* types, word* type),
           (count, lengths, places, types_in(count, types, (MPI_Datatype[2]){MPI_BYTE}), &made))
MAKES(Type_commit, (word * type), MPI_Datatype, type, type, type_in(*type), (&made))
MAKES(Type_free, (word * type), MPI_Datatype, type, type, type_in(*type), (&made))
FORWARD(Get_address, (const void* at, MPI_Aint* address), (at, address))
FORWARD(Pack, (const void* in, int n, word type, void* out, int size, int* at, word comm),
        (in, n, type_in(type), out, size, at, comm_in(comm)))
FORWARD(Unpack, (const void* in, int size, int* at, void* out, int n, word type, word comm),
        (in, size, at, out, n, type_in(type), comm_in(comm)))

FORWARD(Comm_rank, (word comm, int* rank), (comm_in(comm), rank))
FORWARD(Comm_size, (word comm, int* size), (comm_in(comm), size))
FORWARD(Comm_test_inter, (word comm, int* flag), (comm_in(comm), flag))
#define MAKES_COMM(name, parameters, arguments) \
  MAKES(name, parameters, MPI_Comm, comm, out, MPI_COMM_NULL, arguments)
MAKES_COMM(Comm_dup, (word comm, word* out), (comm_in(comm), &made))
MAKES_COMM(Comm_split, (word comm, int color, int key, word* out),
           (comm_in(comm), color == -32766 ? MPI_UNDEFINED : color, key, &made))
MAKES_COMM(Comm_split_type, (word comm, int kind, int key, word info, word* out),
           (comm_in(comm), kind == 221 ? MPI_COMM_TYPE_SHARED : (abort(), 0), key, info_in(info), &made))
MAKES_COMM(Cart_create, (word comm, int d, const int* sides, const int* periods, int reorder, word* out),
           (comm_in(comm), d, sides, periods, reorder, &made))
MAKES_COMM(Dist_graph_create_adjacent,
           (word comm, int m, const int* from, const int* from_weights, int n, const int* to,
            const int* to_weights, word info, int reorder, word* out),
           (comm_in(comm), m, from, weights_in(from_weights), n, to, weights_in(to_weights), info_in(info),
            reorder, &made))
MAKES(Comm_free, (word * comm), MPI_Comm, comm, comm, comm_in(*comm), (&made))
MAKES(Comm_group, (word comm, word* group), MPI_Group, group, group, MPI_GROUP_NULL, (comm_in(comm), &made))
MAKES(Group_free, (word * group), MPI_Group, group, group, group_in(*group), (&made))
FORWARD(Group_translate_ranks, (word from, int n, const int* ranks, word to, int* out),
        (group_in(from), n, ranks, group_in(to), out))
TAKE(Topo_test, (word comm, int* kind), int found; const int code = NATIVE(Topo_test)(comm_in(comm), &found);
     *kind = OUT(topologies, found, -1); return code_out(code);)
FORWARD(Cartdim_get, (word comm, int* d), (comm_in(comm), d))
FORWARD(Cart_get, (word comm, int most, int* sides, int* periods, int* here),
        (comm_in(comm), most, sides, periods, here))
FORWARD(Cart_coords, (word comm, int rank, int most, int* here), (comm_in(comm), rank, most, here))
FORWARD(Dist_graph_neighbors_count, (word comm, int* m, int* n, int* weighted),
        (comm_in(comm), m, n, weighted))
FORWARD(Dist_graph_neighbors,
        (word comm, int m, int* from, int* from_weights, int n, int* to, int* to_weights),
        (comm_in(comm), m, from, weights_in(from_weights), n, to, weights_in(to_weights)))

/* Of attributes: the program's function, which is called with a handle of the ABI. */
typedef struct {
  int (*remove)(word, int, void*, void*);
  void* extra;
} attribute;
static int remove_attribute(MPI_Comm comm, int keyval, void* value, void* extra) {
  const attribute* is = extra;
  return is->remove(comm_out(comm), keyval, value, is->extra);
}
TAKE(Comm_create_keyval, (void* copy, int (*remove)(word, int, void*, void*), int* keyval, void* extra),
     attribute* is = malloc(sizeof *is);
     if (copy != NULL || is == NULL) abort(); *is = (attribute){remove, extra};
     return code_out(NATIVE(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, remove_attribute, keyval, is));)
FORWARD(Comm_get_attr, (word comm, int keyval, void* value, int* flag), (comm_in(comm), keyval, value, flag))
FORWARD(Comm_set_attr, (word comm, int keyval, void* value), (comm_in(comm), keyval, value))

MAKES(Win_allocate_shared, (MPI_Aint size, int unit, word info, word comm, void* base, word* window), MPI_Win,
      win, window, MPI_WIN_NULL, (size, unit, info_in(info), comm_in(comm), base, &made))
FORWARD(Win_shared_query, (word window, int rank, MPI_Aint* size, int* unit, void* base),
        (win_in(window), rank, size, unit, base))
FORWARD(Win_lock_all, (int assertion, word window),
        (assertion == 1024 ? MPI_MODE_NOCHECK : 0, win_in(window)))
FORWARD(Win_unlock_all, (word window), (win_in(window)))
FORWARD(Win_sync, (word window), (win_in(window)))
MAKES(Win_free, (word * window), MPI_Win, win, window, win_in(*window), (&made))

FORWARD(Init, (int* argc, char*** argv), (argc, argv))
FORWARD(Finalize, (void), ())
FORWARD(Abort, (word comm, int code), (comm_in(comm), code))
TAKE(Abi_get_version, (int* major, int* minor), const char* other = getenv("QUADRILLE_TEST_ABI_VERSION");
     *major = other == NULL ? 1 : atoi(other); *minor = 0; return 0;)
FORWARD(Add_error_class, (int* class), (class))
TAKE(Add_error_code, (int class, int* code), const int result = NATIVE(Add_error_code)(class, code);
     if (num_own_codes < most_codes) own_codes[num_own_codes++] = *code; return code_out(result);)
FORWARD(Add_error_string, (int code, const char* text), (code, text))
FORWARD(Error_string, (int code, char* text, int* length), (code_in(code), text, length))
FORWARD(Comm_set_errhandler, (word comm, word handler), (comm_in(comm), handler_in(handler)))
FORWARD(Comm_call_errhandler, (word comm, int code), (comm_in(comm), code_in(code)))
