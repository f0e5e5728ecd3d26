/* Quadrille's collectives for MPI programs: schedules that were made and judged for a network beforehand.
 *
 *     quadrille export all "torus(4,4)" --to program-set -o torus_4_4          (once, by the program `quadrille`)
 *
 *     quadrille_context *context;
 *     quadrille_context_create(MPI_COMM_WORLD, NULL, "torus_4_4", NULL, &context);
 *     quadrille_alltoall(from, 1000, MPI_INT, to, 1000, MPI_INT, context);
 *     quadrille_context_free(&context);
 *
 * A context belongs to one communicator and a set of programs for one network (docs/program_format.md). What the set does
 * not hold (a size, a root, an operator that does not commute) goes to the MPI library, on all ranks alike, so that a
 * call always does what MPI's own would. All arguments mean what MPI's mean: MPI_IN_PLACE, derived datatypes, user's
 * operators. Whether a call is served depends on nothing that ranks may choose differently.
 *
 * Functions return MPI_SUCCESS or an error code of MPI, after the error handler of the context's communicator was called;
 * MPI_Error_string() says what was given and what is allowed. Contexts that are left are freed in MPI_Finalize.
 *
 * Plain C11, no library but MPI. Link -lquadrille_mpi (Open MPI) or -lquadrille_mpi_mpich (MPICH). */
#ifndef QUADRILLE_MPI_H
#define QUADRILLE_MPI_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct quadrille_context quadrille_context;
/* An operation under way. Not an MPI_Request: it moves on in quadrille_test() and quadrille_wait() alone. */
typedef struct quadrille_operation* quadrille_request;
#ifdef __cplusplus
#define QUADRILLE_REQUEST_NULL nullptr
#else
#define QUADRILLE_REQUEST_NULL ((quadrille_request)0)
#endif

/* Collective over the communicator; messages go over one of its own with the same ranks. `topology`: the spec that the programs must be for, or NULL: any.
 * `programs`: the folder of a set; NULL: what QUADRILLE_PROGRAMS names at rank 0. Rank 0 reads, each rank gets its own part.
 * `node_of_rank`: on which endpoint of the network each rank of the communicator sits, the same on all ranks; NULL: where a
 * Cartesian communicator has it, on a torus or mesh of the same sides in any order, else rank r on endpoint r. There may be several ranks for each endpoint, as many for each: nodes, whose leaders do calls for
 * all (docs/mpi_library.md). QUADRILLE_TIMEOUT: seconds after which a wait gives up and says what is missing. QUADRILLE_CHECK: seconds
 * in which all ranks must come to a blocking call, which is compared before it is done. QUADRILLE_TUNE=online: in the first blocking
 * calls of each size the programs and the MPI library take turns, and who is fastest does the others. */
int quadrille_context_create(MPI_Comm communicator, const char* topology, const char* programs,
                             const int* node_of_rank, quadrille_context** context);
/* All requests must be over, and persistent ones freed: else an error. The communicator may be gone. */
int quadrille_context_free(quadrille_context** context);

/* On which endpoint each rank sits, as many numbers as there are ranks. Local. */
int quadrille_context_places(const quadrille_context* context, int* node_of_rank);

/* What a call of that many bytes would use: "alltoall_torus in 4 pieces (alltoall_0.qprog)", or why the MPI library does
 * it; while QUADRILLE_TUNE=online tries who does it, a text that begins with "being tried". Collectives by MPI's names ("bcast") or Quadrille's ("broadcast"); of those with counts, bytes are the mean of blocks. Local. */
int quadrille_context_explain(const quadrille_context* context, const char* collective, MPI_Count bytes,
                              int root, char* text, size_t size);

typedef struct {
  long long served; /* calls that ran a program */
  long long passed; /* calls that went to the MPI library */
  long long bytes;  /* of messages of calls that were served, as explain counts them */
  long long
      packed;     /* buffers that were copied first: derived datatypes, in place, pieces that do not divide */
  double seconds; /* in calls that were served */
} quadrille_statistics;
int quadrille_context_statistics(const quadrille_context* context, quadrille_statistics* statistics);

/* Blocking. */
int quadrille_barrier(quadrille_context* context);
int quadrille_bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, quadrille_context* context);
int quadrille_scatter(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                      MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context);
int quadrille_gather(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                     MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context);
int quadrille_allgather(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                        MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context);
int quadrille_alltoall(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                       MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context);
int quadrille_reduce(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                     quadrille_context* context);
int quadrille_reduce_scatter_block(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                   quadrille_context* context);
int quadrille_allreduce(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                        quadrille_context* context);

/* Blocks of different sizes: by the programs of allgather, alltoall and reduce_scatter_block, whose schedules they follow
 * with the sizes of blocks in front of each message; a set is asked for their mean, and where the longest block is over four
 * times as long, the MPI library does it. Counts and places are MPI's counts and displacements, as MPI_Allgatherv_c has them; places NULL: one
 * behind the other. alltoallv compares counts first (16 bytes by MPI_Iallreduce): no rank knows those of the others. */
int quadrille_allgatherv(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                         const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type,
                         quadrille_context* context);
int quadrille_alltoallv(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                        MPI_Datatype from_type, void* to, const MPI_Count* to_counts,
                        const MPI_Aint* to_places, MPI_Datatype to_type, quadrille_context* context);
int quadrille_reduce_scatter(const void* from, void* to, const MPI_Count* counts, MPI_Datatype type,
                             MPI_Op op, quadrille_context* context);
/* By the programs of gather and scatter. Counts and places mean something at the root alone, so ranks agree on their longest
 * block and on all of them first, whoever then does the call. */
int quadrille_gatherv(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                      const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type, int root,
                      quadrille_context* context);
int quadrille_scatterv(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                       MPI_Datatype from_type, void* to, MPI_Count to_count, MPI_Datatype to_type, int root,
                       quadrille_context* context);

/* The same without waiting. All ranks start them in the same order; a step begins in quadrille_test() or quadrille_wait(). */
int quadrille_ibarrier(quadrille_context* context, quadrille_request* request);
int quadrille_ibcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, quadrille_context* context,
                     quadrille_request* request);
int quadrille_iscatter(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                       MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context,
                       quadrille_request* request);
int quadrille_igather(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                      MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context,
                      quadrille_request* request);
int quadrille_iallgather(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                         MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context,
                         quadrille_request* request);
int quadrille_ialltoall(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                        MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context,
                        quadrille_request* request);
int quadrille_ireduce(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                      quadrille_context* context, quadrille_request* request);
int quadrille_ireduce_scatter_block(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    quadrille_context* context, quadrille_request* request);
int quadrille_iallreduce(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         quadrille_context* context, quadrille_request* request);
/* Counts and places stay as they are until the call is complete. */
int quadrille_iallgatherv(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                          const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type,
                          quadrille_context* context, quadrille_request* request);
int quadrille_ialltoallv(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                         MPI_Datatype from_type, void* to, const MPI_Count* to_counts,
                         const MPI_Aint* to_places, MPI_Datatype to_type, quadrille_context* context,
                         quadrille_request* request);
int quadrille_igatherv(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                       const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type, int root,
                       quadrille_context* context, quadrille_request* request);
int quadrille_iscatterv(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                        MPI_Datatype from_type, void* to, MPI_Count to_count, MPI_Datatype to_type, int root,
                        quadrille_context* context, quadrille_request* request);
int quadrille_ireduce_scatter(const void* from, void* to, const MPI_Count* counts, MPI_Datatype type,
                              MPI_Op op, quadrille_context* context, quadrille_request* request);

/* Persistent: made once by all ranks, started as often as wanted by quadrille_start(), and still there when complete. Types and
 * operators stay until the request is freed. No call here is collective but start, which is local as MPI's is. */
int quadrille_barrier_init(quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_bcast_init(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                         quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_scatter_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                           MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context,
                           MPI_Info info, quadrille_request* request);
int quadrille_gather_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                          MPI_Count to_count, MPI_Datatype to_type, int root, quadrille_context* context,
                          MPI_Info info, quadrille_request* request);
int quadrille_allgather_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                             MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context,
                             MPI_Info info, quadrille_request* request);
int quadrille_alltoall_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                            MPI_Count to_count, MPI_Datatype to_type, quadrille_context* context,
                            MPI_Info info, quadrille_request* request);
int quadrille_reduce_init(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                          quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_reduce_scatter_block_init(const void* from, void* to, MPI_Count count, MPI_Datatype type,
                                        MPI_Op op, quadrille_context* context, MPI_Info info,
                                        quadrille_request* request);
int quadrille_allreduce_init(const void* from, void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                             quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_allgatherv_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                              const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type,
                              quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_alltoallv_init(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                             MPI_Datatype from_type, void* to, const MPI_Count* to_counts,
                             const MPI_Aint* to_places, MPI_Datatype to_type, quadrille_context* context,
                             MPI_Info info, quadrille_request* request);
int quadrille_gatherv_init(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                           const MPI_Count* to_counts, const MPI_Aint* to_places, MPI_Datatype to_type,
                           int root, quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_scatterv_init(const void* from, const MPI_Count* from_counts, const MPI_Aint* from_places,
                            MPI_Datatype from_type, void* to, MPI_Count to_count, MPI_Datatype to_type,
                            int root, quadrille_context* context, MPI_Info info, quadrille_request* request);
int quadrille_reduce_scatter_init(const void* from, void* to, const MPI_Count* counts, MPI_Datatype type,
                                  MPI_Op op, quadrille_context* context, MPI_Info info,
                                  quadrille_request* request);
int quadrille_start(quadrille_request* request);
int quadrille_request_free(quadrille_request* request);

/* A request that is complete becomes QUADRILLE_REQUEST_NULL, unless it is persistent; one that is null, or not started, is
 * complete. */
int quadrille_test(quadrille_request* request, int* done);
int quadrille_wait(quadrille_request* request);
int quadrille_waitall(int count, quadrille_request* requests);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
