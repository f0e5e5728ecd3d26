/* What a context of several ranks a node has, for the calls of equal blocks (nodes.c) and for those with counts (nodes_varying.c). Not
 * installed. */
#ifndef QUADRILLE_MPI_NODES_H
#define QUADRILLE_MPI_NODES_H

#include <stdatomic.h>

#include "context.h"

struct qd_nodes {
  MPI_Comm node;              /* of the ranks of this node */
  quadrille_context* leaders; /* null at others */
  int nodes, each;            /* how many, and how many ranks on each */
  int me;                     /* among those of the node */
  int in_order;               /* the ranks of a node follow each other, and so do the nodes */
  int* at;                    /* per rank: its leader's number * each + which one there: its position */
  size_t* begins;    /* for calls with counts: per position at which byte of an area a block begins, twice */
  MPI_Count* counts; /* per leader, twice: what it sends and gets */
  MPI_Win window;
  char* memory;
  size_t size;
};

/* Larger calls are the MPI library's. */
static const uint64_t qd_most_shared = (uint64_t)1 << 29;
/* In front of the areas: what became of the leaders' exchange. */
typedef struct {
  int code;
  int broken; /* whether the leaders' context is */
  _Atomic int64_t
      surplus; /* bytes that a rank of the node sends beyond what all are told; below 0: that it does not send */
} qd_state;
static const size_t qd_front = 64;

/* Memory that the ranks of the node share; what was in it may be gone. All want the same. 0 with the code of an error that was raised. */
int qd_reserve_window(quadrille_context* context, size_t bytes, int* code);
/* What any has written before, all may read behind. 0 with an error where not all came. */
int qd_meet(quadrille_context* context, qd_error* error);
/* What the leader tells the ranks of its node of its exchange, and what each returns of it after the next meeting: the leader has
 * called the error handler, the others find an error that they raise. */
void qd_tell(const struct qd_nodes* nodes, int code);
int qd_told(quadrille_context* context, qd_error* error);
/* Of the contributions of a node's ranks, each of so many units, one behind the other, the sum in the place of the first: each rank
 * adds up a part of it. */
int qd_add_up(const struct qd_nodes* nodes, const qd_call* call, char* first, int64_t units, size_t unit);
/* What the ranks of a node do in a call, together: each gives, what they gave is added up (null: it is not), the leader exchanges it
 * with the other leaders, each gets. */
typedef struct {
  int (*give)(const quadrille_context* context, const void* call, qd_error* error);
  int (*add_up)(const quadrille_context* context, const void* call);
  int (*lead)(const quadrille_context* context, const void* call);
  int (*get)(const quadrille_context* context, const void* call);
} qd_parts;
/* 0 with an error where not all ranks of the node came. `mine`: what becomes of this rank. */
int qd_exchange(quadrille_context* context, const qd_parts* parts, const void* call, int* mine,
                qd_error* error);
/* A call in bytes, and what each area holds of it. */
typedef struct {
  const qd_call* call;
  size_t block;      /* of one rank, or the vector; of combined ones with their extent */
  size_t given, got; /* bytes of the two areas */
  MPI_Count leader_bytes;
  char *out, *in; /* the areas: what goes, what has come */
  int apart;      /* they are of this rank alone, and not of all ranks of the node */
} qd_shared;
/* How long the leaders' message is, and how much memory the areas of a node need; 0 for a call that no program does. */
int qd_measure_shared(const quadrille_context* context, const qd_call* call, qd_shared* shared);
/* What this rank gives, to where the leader sends it from; and what it gets, from where it has come to. */
int qd_give(const quadrille_context* context, const qd_shared* shared);
int qd_get(const quadrille_context* context, const qd_shared* shared);
/* Whether leaders may add up what a call combines, by a program that they have; true of a call that does not. */
int qd_may_combine(const quadrille_context* context, const qd_call* call, const qd_served* served);
/* As qd_add_up(), the units from `at` to `end`. */
int qd_add_part(const struct qd_nodes* nodes, const qd_call* call, char* first, int64_t units, size_t unit,
                int64_t at, int64_t end);
/* nodes_varying.c: the same for a call with counts. */
int qd_varying_by_nodes(quadrille_context* context, const qd_call* call, int* code);

#endif
