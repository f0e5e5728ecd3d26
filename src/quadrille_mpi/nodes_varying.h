/* Calls with counts where several ranks share a node: what nodes_varying.c, whose ranks meet in shared memory, and
 * nodes_ongoing_varying.c, where nobody waits for anybody, have in common. Not installed. */
#ifndef QUADRILLE_MPI_NODES_VARYING_H
#define QUADRILLE_MPI_NODES_VARYING_H

#include "nodes.h"

/* One end of a call: blocks in the user's memory. */
typedef struct {
  char* user;
  const MPI_Count* counts; /* null: one block, of `count` */
  const MPI_Aint* places;  /* null: one behind the other */
  MPI_Count count;
  MPI_Datatype type;
  MPI_Aint extent;
  size_t unit;  /* bytes of an element in an area */
  int is_plain; /* copied as it lies */
} qd_blocks;

/* What a rank gives. In place that lies at the other end, of an allgather or gather among other blocks. What means nothing on this rank
 * may have any type. */
qd_blocks qd_given_by(const quadrille_context* context, const qd_call* call);
qd_blocks qd_got_by(const quadrille_context* context, const qd_call* call);
int qd_gives_in_place(const quadrille_context* context, const qd_call* call);
/* The own block of a rank that gives or gets one alone; below 0 for a count that MPI refuses. */
int64_t qd_own_bytes(const quadrille_context* context, const qd_call* call);

/* How long the leaders' message is, of one leader for one or for all; 0: no program does the call. The same on all ranks. `numbers`: where
 * qd_knows_extent() does not hold, what all have agreed on (qd_numbers_for_leaders). */
int64_t qd_leaders_bytes(const quadrille_context* context, const qd_call* call, const int64_t numbers[2]);
/* Of it, the program that leaders have; null: they do not do the call. */
const qd_served* qd_serving_leaders(const quadrille_context* context, const qd_call* call, int64_t bytes);

typedef struct {
  const qd_call* call;
  qd_blocks from, to;
  size_t *from_begins, *to_begins; /* by position: where the block for it, or from it, begins in its area */
  size_t own;                      /* where the only block of this rank begins */
  MPI_Count *sends, *gets;         /* by leader: bytes, of sums elements */
  size_t given, got;               /* bytes of the areas */
  char *out, *in;
  int apart; /* the areas are of this rank alone */
} qd_varying_call;

/* Blocks of known sizes by rank, one behind the other by position; sizes by leader. How many bytes there are. */
size_t qd_lay_out(const struct qd_nodes* nodes, int size, const qd_blocks* of, size_t* begins,
                  MPI_Count* by_leader, size_t unit_of_leader);
/* allgatherv and reduce_scatter, of which every rank knows everything. */
void qd_lay_out_known(const quadrille_context* context, qd_varying_call* of);
/* alltoallv: of rows of what each rank of the node sends to each position, and gets from it. */
void qd_lay_out_exchange(const struct qd_nodes* nodes, int size, const uint64_t* table, qd_varying_call* of);
void qd_say_exchange(const quadrille_context* context, const qd_varying_call* of, uint64_t* row);
/* gatherv and scatterv: of the own blocks of the ranks of the node and, on the root's, of all blocks by position. */
void qd_lay_out_rooted(const quadrille_context* context, const uint64_t* own, const uint64_t* of_root,
                       qd_varying_call* of);

/* From the user's memory, and to it. What MPI says. */
int qd_give_varying(const quadrille_context* context, const qd_varying_call* of);
int qd_get_varying(const quadrille_context* context, const qd_varying_call* of);
/* How many bytes more than all are told this rank sends in an allgather; below 0: fewer. */
int64_t qd_surplus(const quadrille_context* context, const qd_varying_call* of, qd_error* error);
/* The leaders' call on the areas. */
qd_call qd_leaders_call(const quadrille_context* context, const qd_varying_call* of);

#endif
