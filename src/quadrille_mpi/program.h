/* Program files and sets as docs/program_format.md describes them, for whoever runs them. Trusts nothing that it reads.
 * No MPI here. */
#ifndef QUADRILLE_MPI_PROGRAM_H
#define QUADRILLE_MPI_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where what went wrong is said. */
typedef struct {
  char text[400];
} qd_error;
/* Returns 0, so that a failing function can return it. */
int qd_fail(qd_error* error, const char* format, ...) __attribute__((format(printf, 2, 3)));

enum {
  QD_BROADCAST,
  QD_SCATTER,
  QD_GATHER,
  QD_ALLGATHER,
  QD_ALLTOALL,
  QD_REDUCE,
  QD_REDUCE_SCATTER,
  QD_ALLREDUCE,
  QD_COLLECTIVES
};
extern const char* const qd_collective_names[QD_COLLECTIVES];
/* By Quadrille's names or MPI's; -1 for another word. */
int qd_collective_called(const char* name, size_t length);
static inline int qd_is_rooted(int collective) {
  return collective == QD_BROADCAST || collective == QD_SCATTER || collective == QD_GATHER ||
         collective == QD_REDUCE;
}
static inline int qd_combines(int collective) { return collective >= QD_REDUCE; }

enum { QD_INPUT, QD_OUTPUT, QD_SCRATCH, QD_BUFFERS };
enum {
  QD_SEND,
  QD_RECEIVE,
  QD_RECEIVE_REDUCE,
  QD_WAIT,
  QD_COPY,
  QD_REDUCE_INTO,
  QD_REDUCE_BEFORE,
  QD_BARRIER
};

typedef struct {
  uint32_t buffer, first, count;
} qd_run;

typedef struct {
  uint32_t kind, peer, step;
  uint32_t begin, end; /* in runs; of a wait in requests */
  uint32_t request;    /* of a send or receive: its number */
  uint32_t slots;      /* of a send or receive */
  uint32_t place; /* in the landing area, in slots, where a message is not one run, or is to be combined */
} qd_action;

/* What one rank does. */
typedef struct {
  uint32_t slots[QD_BUFFERS];
  uint32_t landing_slots;
  uint32_t num_actions, num_runs, num_waited, num_requests;
  qd_action* actions;
  qd_run* runs;
  uint32_t* waited; /* what waits list */
  uint32_t* starts; /* per request: its action */
} qd_program;

/* From the head of a file. */
typedef struct {
  uint32_t words;
  uint64_t digest;
  uint32_t collective, ranks, pieces, root, in_order, table;
  uint32_t generators; /* of a file with one part for all ranks; 0: a part for each */
  uint32_t deals_out;  /* of such a file: the pieces of an allreduce go with the ranks, to each as many */
} qd_head;
enum { QD_HEAD_WORDS = 16, QD_PART_WORDS = 8, QD_WAYS_AT = 3 };
#define QD_NO_ROOT UINT32_MAX

/* A program file, of which nobody holds all. */
typedef struct {
  FILE* stream;
  qd_head head;
  uint32_t* table; /* where parts begin */
} qd_file;
/* Looks through all of it. 0 with an error for one that cannot be read or is damaged; else it has to be closed. */
int qd_open_file(const char* path, qd_file* file, qd_error* error);
void qd_close_file(qd_file* file);
/* 0 where they cannot be read. */
int qd_read_words(const qd_file* file, uint64_t begin, uint64_t count, uint32_t* words);
/* How many words of a rank's part a program needs: all but the blocks, which lie behind. 0 where the part makes no sense. Of a file
 * with one part it is rank 0's, whichever rank is asked for. */
uint32_t qd_part_length(const qd_file* file, uint32_t rank);
int qd_read_part(const qd_file* file, uint32_t rank, uint32_t length, uint32_t* words);

/* Of a file with one part: how many words say how it is moved to the ranks; they begin QD_WAYS_AT words behind the table. */
static inline uint64_t qd_ways_length(const qd_head* head) {
  return ((uint64_t)head->generators + 2) * head->ranks;
}
/* Where each endpoint goes when 0 goes to `endpoint`, or which rank is there (`rank_at`, as below). 0 where the words make no
 * sense. */
int qd_translate(const uint32_t* ways, const qd_head* head, uint32_t endpoint, const int* rank_at, int* to);

/* From the words of a part. Of a file with one part, endpoint 0's, with what qd_translate() says. `rank_at`: which rank of the communicator each endpoint is; NULL: as numbered. */
int qd_load_program(const uint32_t* part, uint32_t words, const qd_head* head, uint32_t endpoint,
                    const int* rank_at, qd_program* program, qd_error* error);
void qd_free_program(qd_program* program);

/* One line of a set's index. */
typedef struct {
  uint32_t collective, root, pieces;
  uint64_t from, to; /* bytes, both inclusive */
  uint64_t digest;
  char file[128];
  char algorithm[128];
} qd_set_entry;
typedef struct {
  char topology[256];
  uint32_t ranks;
  uint32_t num_entries;
  qd_set_entry* entries;
} qd_set;
int qd_read_set(const char* folder, qd_set* set, qd_error* error);
/* The same by an index of another name: candidates.txt, whose lines are not for different sizes. */
int qd_read_index(const char* folder, const char* name, qd_set* set, qd_error* error);
void qd_free_set(qd_set* set);

#endif
