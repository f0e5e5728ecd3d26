/* What ranks agree on while a context is made, and who is missing where they wait for too long. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* Polls without anything new after which others may have the processor. */
static const unsigned polls_before_yield = 64;
/* What is copied for the MPI library, which may write to it after an agreement is given up. */
static const size_t most_kept = 4096;

/* Of the context that this thread makes. */
static _Thread_local struct {
  double limit; /* seconds; 0: none */
  int is_late;  /* nothing is agreed on any more */
  int has_own;  /* `own` is ours alone */
  MPI_Comm own;
  char missing[200];
} making;

/* --- who is missing --------------------------------------------------------------------------------------- */

/* "; no word from ranks 0, 3 and 5 others". */
static void say_missing(const unsigned char* is_here, int size, char* text, size_t room) {
  const int most_named = 8;
  int missing = 0, named = 0;
  for (int r = 0; r < size; ++r) missing += !is_here[r];
  if (missing == 0) {
    snprintf(text, room, "; all ranks say that they wait");
    return;
  }
  size_t at = (size_t)snprintf(text, room, "; no word from rank%s", missing == 1 ? "" : "s");
  for (int r = 0; r < size && named < most_named; ++r) {
    if (is_here[r]) continue;
    const char* before = named == 0 ? " " : named + 1 == missing ? " and " : ", ";
    at += (size_t)snprintf(text + at, room - at, "%s%d", before, r);
    ++named;
  }
  if (missing > named) snprintf(text + at, room - at, " and %d others", missing - named);
}

/* Long enough for those that came a little later, and no longer than the limit bears. */
static double time_for_roll(double limit) {
  const double most = 1, part = 0.5;
  return part * limit < most ? part * limit : most;
}

/* Tests until all are over or the time is; which are, at `over`. */
static void test_each(MPI_Request* requests, int count, double seconds, unsigned char* over) {
  const double begun = qd_now();
  for (int left = count; left > 0 && qd_now() - begun < seconds;) {
    left = 0;
    for (int i = 0; i < count; ++i) {
      int is_over = 1;
      if (!over[i]) PMPI_Test(&requests[i], &is_over, MPI_STATUS_IGNORE);
      over[i] = is_over != 0;
      left += !is_over;
    }
    sched_yield();
  }
}

/* Who waits in vain tells all others, and hears from those that do, too. The memory stays with the messages that have not come. */
static void call_roll(MPI_Comm comm, double limit, char* text, size_t room) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  unsigned char* is_here = calloc((size_t)size, 1);
  MPI_Request* requests = malloc(2 * (size_t)size * sizeof *requests);
  int* words = calloc((size_t)size + 1, sizeof *words);
  text[0] = 0;
  if (is_here == NULL || requests == NULL || words == NULL) return;
  for (int r = 0; r < size; ++r) {
    requests[r] = requests[size + r] = MPI_REQUEST_NULL;
    if (r == rank) continue;
    PMPI_Irecv(&words[r], 1, MPI_INT, r, QD_ROLL_TAG, comm, &requests[r]);
    PMPI_Isend(&words[size], 1, MPI_INT, r, QD_ROLL_TAG, comm, &requests[size + r]);
  }
  test_each(requests, size, time_for_roll(limit), is_here);
  say_missing(is_here, size, text, room);
}

void qd_call_roll(quadrille_context* context, double limit, char* text, size_t room) {
  quadrille_context* whole = context->led_for == NULL ? context : context->led_for;
  text[0] = 0;
  if (whole->has_called_roll) return;
  whole->has_called_roll = 1;
  call_roll(whole->comm, limit, text, room);
}

/* The same on a communicator of the user's, where a message of ours could be taken for another: by an exchange from each in turn, to all
 * at once, of one byte. Who has come has taken part in as many collectives as this rank. */
static void call_roll_of_user(MPI_Comm comm, double limit, char* text, size_t room) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  const size_t ranks = (size_t)size;
  unsigned char* is_here = calloc(ranks, 1);
  MPI_Request* requests = malloc(ranks * sizeof *requests);
  int* ones = malloc(3 * ranks * sizeof *ones);
  int* received = calloc(ranks * ranks, sizeof *received);
  char* bytes = calloc(ranks + 1, 1);
  text[0] = 0;
  if (is_here == NULL || requests == NULL || ones == NULL || received == NULL || bytes == NULL) return;
  int *zeros = ones + ranks, *places = zeros + ranks;
  for (size_t r = 0; r < ranks; ++r) {
    ones[r] = 1;
    zeros[r] = places[r] = 0;
  }
  for (size_t r = 0; r < ranks; ++r) {
    received[r * ranks + r] = 1;
    PMPI_Ialltoallv(bytes + ranks, (int)r == rank ? ones : zeros, places, MPI_BYTE, bytes + r,
                    received + r * ranks, places, MPI_BYTE, comm, &requests[r]);
  }
  test_each(requests, size, time_for_roll(limit), is_here);
  is_here[rank] = 1;
  say_missing(is_here, size, text, room);
}

/* --- agreements ------------------------------------------------------------------------------------------- */

void qd_begin_agreements(void) {
  qd_error ignored;
  memset(&making, 0, sizeof making);
  /* Rank 0 says what is wrong with it. */
  if (!qd_read_seconds("QUADRILLE_TIMEOUT", &making.limit, &ignored)) making.limit = 0;
}

void qd_agree_on_limit(double limit) { making.limit = limit; }

void qd_agree_on_own(MPI_Comm comm) {
  if (making.has_own) return;
  making.has_own = 1;
  making.own = comm;
}

int qd_is_late(void) { return making.is_late; }

int qd_end_agreements(MPI_Comm comm, qd_error* error) {
  int rank = 0;
  if (making.is_late) {
    PMPI_Comm_rank(comm, &rank);
    qd_fail(error, "quadrille: rank %d: nothing moves for %g s while ranks make a context%s", rank,
            making.limit, making.missing);
  }
  const int good = !making.is_late;
  memset(&making, 0, sizeof making);
  return good;
}

int qd_await(MPI_Request* request) {
  if (making.limit <= 0) return PMPI_Waitall(1, request, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
  const double begun = qd_now();
  for (unsigned polls = 1;; ++polls) {
    int over = 0;
    if (PMPI_Test(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
    if (over) return 1;
    if (polls % polls_before_yield != 0) continue;
    sched_yield();
    if (qd_now() - begun < making.limit) continue;
    making.is_late = 1;
    if (making.has_own) call_roll(making.own, making.limit, making.missing, sizeof making.missing);
    return 0;
  }
}

static size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return (size_t)count * (size_t)size;
}

#ifdef QUADRILLE_SIMULATED
/* Nobody is late where time is simulated. */
int qd_together(MPI_Comm comm) { return PMPI_Barrier(comm) == MPI_SUCCESS; }
void qd_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  PMPI_Bcast(buffer, count, type, root, comm);
}
void qd_allreduce(void* buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  PMPI_Allreduce(MPI_IN_PLACE, buffer, count, type, op, comm);
}
void qd_allgather_int(int mine, int* all, MPI_Comm comm) {
  PMPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
}
int qd_scatter_int(const int* all, MPI_Comm comm) {
  int mine = 0;
  PMPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm);
  return mine;
}
#else
int qd_together(MPI_Comm comm) {
  MPI_Request request;
  if (making.is_late || PMPI_Ibarrier(comm, &request) != MPI_SUCCESS) return 0;
  const int good = qd_await(&request);
  if (making.is_late && !making.has_own)
    call_roll_of_user(comm, making.limit, making.missing, sizeof making.missing);
  return good;
}

void qd_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const size_t bytes = bytes_of(count, type);
  void* copy = bytes <= most_kept ? malloc(bytes + 1) : NULL;
  MPI_Request request;
  if (copy != NULL) memcpy(copy, buffer, bytes);
  if (making.is_late ||
      PMPI_Ibcast(copy == NULL ? buffer : copy, count, type, root, comm, &request) != MPI_SUCCESS) {
    free(copy);
    return;
  }
  if (qd_await(&request) && copy != NULL) memcpy(buffer, copy, bytes);
  if (!making.is_late) free(copy);
}

void qd_allreduce(void* buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const size_t bytes = bytes_of(count, type);
  char* copy = malloc(2 * bytes + 1);
  MPI_Request request;
  if (copy != NULL) memcpy(copy, buffer, bytes);
  if (making.is_late ||
      PMPI_Iallreduce(copy == NULL ? MPI_IN_PLACE : copy, copy == NULL ? buffer : copy + bytes, count, type,
                      op, comm, &request) != MPI_SUCCESS) {
    free(copy);
    return;
  }
  if (qd_await(&request) && copy != NULL) memcpy(buffer, copy + bytes, bytes);
  if (!making.is_late) free(copy);
}

void qd_allgather_int(int mine, int* all, MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  int* copy = malloc(((size_t)size + 1) * sizeof *copy);
  MPI_Request request;
  if (copy != NULL) copy[size] = mine;
  if (making.is_late ||
      PMPI_Iallgather(copy == NULL ? &mine : copy + size, 1, MPI_INT, copy == NULL ? all : copy, 1, MPI_INT,
                      comm, &request) != MPI_SUCCESS) {
    free(copy);
    return;
  }
  if (qd_await(&request) && copy != NULL) memcpy(all, copy, (size_t)size * sizeof *all);
  if (!making.is_late) free(copy);
}

int qd_scatter_int(const int* all, MPI_Comm comm) {
  int* mine = calloc(1, sizeof *mine);
  MPI_Request request;
  int out = 0;
  if (mine != NULL && !making.is_late &&
      PMPI_Iscatter(all, 1, MPI_INT, mine, 1, MPI_INT, 0, comm, &request) == MPI_SUCCESS &&
      qd_await(&request))
    out = *mine;
  if (!making.is_late) free(mine);
  return out;
}

void qd_gather_int(int mine, int* all, MPI_Comm comm) {
  int* copy = malloc(sizeof *copy);
  MPI_Request request;
  if (copy != NULL) *copy = mine;
  if (copy != NULL && !making.is_late &&
      PMPI_Igather(copy, 1, MPI_INT, all, 1, MPI_INT, 0, comm, &request) == MPI_SUCCESS)
    qd_await(&request);
  if (!making.is_late) free(copy);
}
#endif

int qd_split(MPI_Comm comm, int color, int key, MPI_Comm* out) {
  *out = MPI_COMM_NULL;
  if (!qd_together(comm)) return 0;
  /* Not by MPI_Comm_dup, which would copy the attributes of others, with whatever their functions do. */
  PMPI_Comm_split(comm, color, key, out);
  if (*out != MPI_COMM_NULL) PMPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN);
  return 1;
}
