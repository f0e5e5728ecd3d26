/* Tuning: which program of a network is faster than what the MPI library does itself, measured on the machine at hand.
 *
 *     qd_tuning what = {.folder = "torus_4_4", .sizes = sizes, .num_sizes = 5, .seconds = 0.5};
 *     qd_tune(MPI_COMM_WORLD, &what, stdout, error);
 *
 * The folder has programs and candidates.txt; it gets programs.txt, the index that library and shim obey, tuning.json, which
 * says what was measured, and openmpi_rules.conf or mpich_selection.json, which the MPI library itself reads
 * (docs/mpi_library.md). Collective over the communicator. */
#ifndef QUADRILLE_MPI_TUNE_H
#define QUADRILLE_MPI_TUNE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { QD_TUNE_SIZES = 32, QD_TUNE_CANDIDATES = 40, QD_TUNE_ERROR = 400 };

typedef struct {
  const char* folder;    /* read and written by rank 0 */
  const uint64_t* sizes; /* of messages in bytes, rising, at most QD_TUNE_SIZES; the same on all ranks */
  int num_sizes;
  double seconds; /* about so long for one collective and size */
  double ts, tx;  /* what qd_measure_links() found; 0: not said */
} qd_tuning;

/* Microseconds of a start-up and of a byte, between pairs of ranks that are neighbours by number. Collective; the same on
 * all ranks. */
void qd_measure_links(MPI_Comm comm, double* ts, double* tx);

/* 1, or 0 with an error that is the same on all ranks. `out`: where rank 0 says what it found. */
int qd_tune(MPI_Comm comm, const qd_tuning* what, FILE* out, char error[QD_TUNE_ERROR]);

/* Open MPI takes algorithms of its own by name only where this was called before MPI_Init. */
void qd_before_init(void);

/* --- choosing: no MPI behind this line --------------------------------------------------------------------- */

enum { QD_OWN, QD_OWN_FORCED, QD_OURS };

/* One way to do a collective, and its times at the sizes; below 0: not measured. */
typedef struct {
  char name[128];
  int kind;
  int number; /* of an algorithm of the library; of ours: its line in candidates.txt */
  uint32_t pieces;
  double seconds[QD_TUNE_SIZES]; /* median */
  /* What it took by what the library took in the same round: the median, and the greatest that it may be by what was seen (95 %). */
  double ratio[QD_TUNE_SIZES], upper[QD_TUNE_SIZES];
  int rounds[QD_TUNE_SIZES]; /* in which it was measured */
} qd_candidate;

typedef struct {
  uint32_t collective, root;
  int num;
  qd_candidate of[QD_TUNE_CANDIDATES]; /* the first is the library as it comes */
} qd_measured;

/* A candidate must take less than this part of the library's time, and it must be told that it takes less than all of it: what is
 * noise is the library's. (Of its own algorithms: that the median may be no further above 1 than it is seen below.) */
#define QD_CLEARLY 0.97
/* A program must take less than this part of it, and of the library's best by a rule, which is the lesser risk: what is ahead by less
 * in one launch is behind in another, on the same machine, or with other work beside it. */
#define QD_CLEARLY_OURS 0.9
/* The library breaks a guideline where what it should do takes less than this part of what it does. */
#define QD_BROKEN 0.95

/* The median of a sample, and between what the median of all that might have been seen is but for that part of cases; of a few values
 * it is all of them, which is less sure. Sorts. */
typedef struct {
  double low, median, high;
} qd_interval;
qd_interval qd_interval_of(double* values, int count, double outside);
/* Once, of what was measured; after each of many rounds, when who leaves is not seen again. */
#define QD_OUTSIDE 0.05
#define QD_OUTSIDE_IN_RACE 0.002

/* After a round: who is told to be slower than the library, or than another of its kind, is active no more. Whether somebody may be
 * clearly faster than the library, and it is not told yet. */
int qd_race(const qd_measured* of, const qd_interval* ratios, char* active);

/* The candidate of a kind that is clearly faster than the library at a size, or 0. A program must be clearly faster than an algorithm
 * of the library's own that is, too, where the library takes it by a file of rules. */
int qd_winner(const qd_measured* of, int size, int kind);

typedef struct {
  uint64_t from, to; /* bytes, inclusive */
  int candidate;
} qd_range;
/* Which candidate of a kind is for which sizes; what lies in none is the library's. A program is used up to the last size
 * and from the first size at which it won, halfway (as factors go) to another's, from the least and up to the greatest
 * without end. Returns how many; at most num_sizes. */
int qd_ranges(const qd_measured* of, const uint64_t* sizes, int num_sizes, int kind, qd_range* ranges);

/* Where the library is slower than what it could do with its own calls: a line for each, the caller frees them. `ranks`:
 * a block of alltoall is a ranks-th of a vector of broadcast. */
char* qd_guidelines(const qd_measured* all, int num, const uint64_t* sizes, int num_sizes, uint32_t ranks,
                    const char* before, const char* after);

/* --- writing ----------------------------------------------------------------------------------------------- */

typedef struct {
  const char *topology, *mpi, *machine;
  uint32_t ranks, most_on_a_machine;
  const qd_measured* all;
  int num;
} qd_findings;
/* Text that grows. */
typedef struct {
  char* bytes; /* null: no memory */
  size_t size, room;
} qd_text;
qd_text qd_new_text(void);
void qd_add(qd_text* to, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Open MPI's rules of coll_tuned_dynamic_rules_filename; null without memory. */
char* qd_openmpi_rules(const qd_findings* found, const qd_tuning* what);
/* An MPICH: the file of its library, and the rules in it. */
typedef struct {
  char* bytes;
  size_t size;
  const char* rules;
} qd_mpich;
/* 0 where there are none, as in versions before 4. */
int qd_read_mpich(const char* path, qd_mpich* of);
void qd_free_mpich(qd_mpich* of);
/* MPICH's rules of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: its own, with what was found for communicators of as many ranks.
 * Null without memory. */
char* qd_mpich_selection(const qd_findings* found, const qd_tuning* what, const qd_mpich* mpich);
char* qd_tuning_json(const qd_findings* found, const qd_tuning* what);

#ifdef __cplusplus
}
#endif

#endif
