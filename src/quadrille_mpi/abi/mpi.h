/* What the MPI library and the shim need of the standard ABI of MPI, version 1.0, so that they can be compiled where no MPI has
 * it yet: not a whole mpi.h, and not installed. Programs are compiled with the mpi.h of their own MPI.
 *
 * Values: MPI: A Message-Passing Interface Standard, version 5.0 (2025), chapter 21 (handles by the tables of 21.5) and
 * annex A.1.1; compared with the Forum's own header, mpi-abi-stubs. A predefined handle is a small number in the place of a
 * pointer: of its lower bits 7 to 3 are a category, and 2 to 0 say which one of it. */
#ifndef QUADRILLE_MPI_ABI_H
#define QUADRILLE_MPI_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

/* --- types (21.3) ----------------------------------------------------------------------------------------- */

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_Group* MPI_Group;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Win* MPI_Win;
typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;
typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void* extra, void* in, void* out,
                                        int* flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void* value, void* extra);

/* --- handles (21.5) --------------------------------------------------------------------------------------- */

#define MPI_OP_NULL ((MPI_Op)0x020)
#define MPI_SUM ((MPI_Op)0x021)
#define MPI_MIN ((MPI_Op)0x022)
#define MPI_MAX ((MPI_Op)0x023)
#define MPI_BOR ((MPI_Op)0x029)
#define MPI_MAXLOC ((MPI_Op)0x039)

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_WIN_NULL ((MPI_Win)0x110)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)

#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_PACKED ((MPI_Datatype)0x207)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x229)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x244)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T ((MPI_Datatype)0x258)

/* --- other constants (annex A.1.1) ------------------------------------------------------------------------ */

#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_UNWEIGHTED ((int*)10)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)

enum {
  MPI_SUCCESS = 0,
  MPI_ERR_COUNT = 2,
  MPI_ERR_REQUEST = 7,
  MPI_ERR_TRUNCATE = 15,
  MPI_ERR_OTHER = 16,
  MPI_ERR_NO_MEM = 39,

  MPI_KEYVAL_INVALID = 0,
  MPI_UNDEFINED = -32766,
  MPI_MODE_NOCHECK = 1024,
  MPI_COMBINER_NAMED = 101,
  MPI_COMBINER_DUP = 102,
  MPI_COMBINER_CONTIGUOUS = 103,
  MPI_CART = 211,
  MPI_DIST_GRAPH = 213,
  MPI_COMM_TYPE_SHARED = 221,
  MPI_MAX_ERROR_STRING = 512
};

/* --- functions -------------------------------------------------------------------------------------------- */

/* Each under its own name and that of the profiling interface (chapter 15). */
#define QD_ABI(name, parameters) \
  int MPI_##name parameters;     \
  int PMPI_##name parameters;

#define QD_BOTH_ENDS \
  const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count, MPI_Datatype to_type
#define QD_COMBINED_ENDS const void *from, void *to, int count, MPI_Datatype type, MPI_Op op
#define QD_VARYING_SOURCE \
  const void *from, const int from_counts[], const int from_places[], MPI_Datatype from_type
#define QD_VARYING_TARGET void *to, const int to_counts[], const int to_places[], MPI_Datatype to_type
#define QD_SOURCE const void *from, int from_count, MPI_Datatype from_type
#define QD_TARGET void *to, int to_count, MPI_Datatype to_type

/* Collectives: blocking and not. */
#define QD_ABI_COLLECTIVE(name, inner, ...)  \
  QD_ABI(name, (__VA_ARGS__, MPI_Comm comm)) \
  QD_ABI(inner, (__VA_ARGS__, MPI_Comm comm, MPI_Request * request))
QD_ABI_COLLECTIVE(Bcast, Ibcast, void* buffer, int count, MPI_Datatype type, int root)
QD_ABI_COLLECTIVE(Scatter, Iscatter, QD_BOTH_ENDS, int root)
QD_ABI_COLLECTIVE(Scatterv, Iscatterv, QD_VARYING_SOURCE, QD_TARGET, int root)
QD_ABI_COLLECTIVE(Gather, Igather, QD_BOTH_ENDS, int root)
QD_ABI_COLLECTIVE(Gatherv, Igatherv, QD_SOURCE, QD_VARYING_TARGET, int root)
QD_ABI_COLLECTIVE(Allgather, Iallgather, QD_BOTH_ENDS)
QD_ABI_COLLECTIVE(Allgatherv, Iallgatherv, QD_SOURCE, QD_VARYING_TARGET)
QD_ABI_COLLECTIVE(Alltoall, Ialltoall, QD_BOTH_ENDS)
QD_ABI_COLLECTIVE(Alltoallv, Ialltoallv, QD_VARYING_SOURCE, QD_VARYING_TARGET)
QD_ABI_COLLECTIVE(Reduce, Ireduce, QD_COMBINED_ENDS, int root)
QD_ABI_COLLECTIVE(Allreduce, Iallreduce, QD_COMBINED_ENDS)
QD_ABI_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, QD_COMBINED_ENDS)
QD_ABI_COLLECTIVE(Reduce_scatter, Ireduce_scatter, const void* from, void* to, const int counts[],
                  MPI_Datatype type, MPI_Op op)
QD_ABI(Barrier, (MPI_Comm comm))
QD_ABI(Ibarrier, (MPI_Comm comm, MPI_Request* request))
QD_ABI(Reduce_local, (QD_COMBINED_ENDS))
QD_ABI(Op_create, (MPI_User_function * function, int commutes, MPI_Op* op))
QD_ABI(Op_free, (MPI_Op * op))
QD_ABI(Op_commutative, (MPI_Op op, int* commutes))

/* Messages. */
QD_ABI(Isend, (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request))
QD_ABI(Irecv,
       (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request))
QD_ABI(Send_init, (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request))
QD_ABI(Recv_init,
       (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request))
QD_ABI(Start, (MPI_Request * request))
QD_ABI(Iprobe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status))
QD_ABI(Test, (MPI_Request * request, int* flag, MPI_Status* status))
QD_ABI(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]))
QD_ABI(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]))
QD_ABI(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status))
QD_ABI(Request_free, (MPI_Request * request))
QD_ABI(Get_elements_x, (const MPI_Status* status, MPI_Datatype type, MPI_Count* count))

/* Datatypes. */
QD_ABI(Type_size, (MPI_Datatype type, int* size))
QD_ABI(Type_size_x, (MPI_Datatype type, MPI_Count* size))
QD_ABI(Type_get_extent, (MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent))
QD_ABI(Type_get_true_extent, (MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent))
QD_ABI(Type_get_envelope, (MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner))
QD_ABI(Type_get_contents, (MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                           int integers[], MPI_Aint addresses[], MPI_Datatype types[]))
QD_ABI(Type_contiguous, (int count, MPI_Datatype of, MPI_Datatype* type))
QD_ABI(Type_create_hindexed,
       (int count, const int lengths[], const MPI_Aint places[], MPI_Datatype of, MPI_Datatype* type))
QD_ABI(Type_create_indexed_block,
       (int count, int length, const int places[], MPI_Datatype of, MPI_Datatype* type))
QD_ABI(Type_create_resized, (MPI_Datatype of, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* type))
QD_ABI(Type_create_struct, (int count, const int lengths[], const MPI_Aint places[],
                            const MPI_Datatype types[], MPI_Datatype* type))
QD_ABI(Type_commit, (MPI_Datatype * type))
QD_ABI(Type_free, (MPI_Datatype * type))
QD_ABI(Get_address, (const void* location, MPI_Aint* address))
QD_ABI(Pack,
       (const void* in, int count, MPI_Datatype type, void* out, int size, int* position, MPI_Comm comm))
QD_ABI(Unpack,
       (const void* in, int size, int* position, void* out, int count, MPI_Datatype type, MPI_Comm comm))

/* Communicators. */
QD_ABI(Comm_rank, (MPI_Comm comm, int* rank))
QD_ABI(Comm_size, (MPI_Comm comm, int* size))
QD_ABI(Comm_dup, (MPI_Comm comm, MPI_Comm* out))
QD_ABI(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* out))
QD_ABI(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* out))
QD_ABI(Comm_free, (MPI_Comm * comm))
QD_ABI(Comm_test_inter, (MPI_Comm comm, int* flag))
QD_ABI(Comm_group, (MPI_Comm comm, MPI_Group* group))
QD_ABI(Group_translate_ranks, (MPI_Group from, int count, const int ranks[], MPI_Group to, int out[]))
QD_ABI(Group_free, (MPI_Group * group))
QD_ABI(Comm_create_keyval,
       (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* remove, int* keyval, void* extra))
QD_ABI(Comm_get_attr, (MPI_Comm comm, int keyval, void* value, int* flag))
QD_ABI(Comm_set_attr, (MPI_Comm comm, int keyval, void* value))
QD_ABI(Topo_test, (MPI_Comm comm, int* kind))
QD_ABI(Cart_create,
       (MPI_Comm comm, int dimensions, const int sides[], const int periods[], int reorder, MPI_Comm* out))
QD_ABI(Cartdim_get, (MPI_Comm comm, int* dimensions))
QD_ABI(Cart_get, (MPI_Comm comm, int most, int sides[], int periods[], int here[]))
QD_ABI(Cart_coords, (MPI_Comm comm, int rank, int most, int coordinates[]))
QD_ABI(Dist_graph_create_adjacent,
       (MPI_Comm comm, int num_from, const int from[], const int from_weights[], int num_to, const int to[],
        const int to_weights[], MPI_Info info, int reorder, MPI_Comm* out))
QD_ABI(Dist_graph_neighbors_count, (MPI_Comm comm, int* num_from, int* num_to, int* weighted))
QD_ABI(Dist_graph_neighbors, (MPI_Comm comm, int most_from, int from[], int from_weights[], int most_to,
                              int to[], int to_weights[]))

/* Windows of shared memory. */
QD_ABI(Win_allocate_shared,
       (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window))
QD_ABI(Win_shared_query, (MPI_Win window, int rank, MPI_Aint* size, int* unit, void* base))
QD_ABI(Win_lock_all, (int assertion, MPI_Win window))
QD_ABI(Win_unlock_all, (MPI_Win window))
QD_ABI(Win_sync, (MPI_Win window))
QD_ABI(Win_free, (MPI_Win * window))

/* The program, and errors. */
QD_ABI(Init, (int* argc, char*** argv))
QD_ABI(Finalize, (void))
QD_ABI(Abort, (MPI_Comm comm, int code))
QD_ABI(Abi_get_version, (int* major, int* minor))
QD_ABI(Add_error_class, (int* class_of_errors))
QD_ABI(Add_error_code, (int class_of_errors, int* code))
QD_ABI(Add_error_string, (int code, const char* text))
QD_ABI(Error_string, (int code, char* text, int* length))
QD_ABI(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler))
QD_ABI(Comm_call_errhandler, (MPI_Comm comm, int code))

#undef QD_ABI
#undef QD_ABI_COLLECTIVE
#undef QD_BOTH_ENDS
#undef QD_COMBINED_ENDS
#undef QD_VARYING_SOURCE
#undef QD_VARYING_TARGET
#undef QD_SOURCE
#undef QD_TARGET

#ifdef __cplusplus
}
#endif

#endif
