/* What ranks must know of each other before they know who does a call: two numbers, by messages of the call's own tag. So ranks
 * may come to several such calls in any order, and the MPI library's own collectives, whose order is that of their calls, are not needed. */
#include <stdio.h>

#include "context.h"

void qd_begin_numbers(qd_numbers* numbers, int64_t first, int64_t second, int adds) {
  numbers->mine[0] = first;
  numbers->mine[1] = second;
  numbers->adds = adds;
  numbers->step = 0;
  numbers->num_requests = 0;
}

/* Recursive doubling. Those beyond a power of two give theirs to another in front of it, and get what came of it behind it. */
typedef struct {
  int peer, sends, receives, replaces;
} doubling;

static int levels_below(int size) {
  int out = 0;
  while (size >> (out + 1) > 0) ++out;
  return out;
}

static doubling step_of(int step, int rank, int size) {
  const int levels = levels_below(size);
  const int power = 1 << levels;
  if (step > 0 && step <= levels) return (doubling){rank ^ (1 << (step - 1)), rank < power, rank < power, 0};
  const int is_last = step > 0;
  if (rank >= power) return (doubling){rank - power, !is_last, is_last, is_last};
  return rank + power < size ? (doubling){rank + power, is_last, !is_last, 0} : (doubling){0, 0, 0, 0};
}

static void take(qd_numbers* numbers, int replaces) {
  for (int i = 0; i < 2; ++i) {
    const int64_t mine = numbers->mine[i], came = numbers->came[i];
    if (replaces)
      numbers->mine[i] = came;
    else if (i == 1 && numbers->adds)
      numbers->mine[i] = mine > INT64_MAX - came ? INT64_MAX : mine + came;
    else
      numbers->mine[i] = mine > came ? mine : came;
  }
}

int qd_advance_numbers(qd_numbers* numbers, MPI_Comm comm, int tag, int rank, int size, int waits,
                       int* over) {
  const int last = levels_below(size) + 1;
  *over = 0;
  for (; numbers->step <= last; ++numbers->step) {
    const doubling now = step_of(numbers->step, rank, size);
    if (!now.sends && !now.receives) continue;
    MPI_Request* requests = numbers->requests;
    int code = MPI_SUCCESS;
    if (numbers->num_requests == 0) {
      if (now.receives)
        code = PMPI_Irecv(numbers->came, 2, MPI_INT64_T, now.peer, tag, comm,
                          &requests[numbers->num_requests++]);
      if (now.sends && code == MPI_SUCCESS)
        code = PMPI_Isend(numbers->mine, 2, MPI_INT64_T, now.peer, tag, comm,
                          &requests[numbers->num_requests++]);
    }
    int is_complete = 0;
    if (code == MPI_SUCCESS) code = qd_test_all(numbers->num_requests, requests, waits, &is_complete);
    if (code != MPI_SUCCESS || !is_complete) return code;
    numbers->num_requests = 0;
    if (now.receives) take(numbers, now.replaces);
  }
  *over = 1;
  return MPI_SUCCESS;
}

void qd_say_numbers(const qd_numbers* numbers, int rank, int size, char* text, size_t room) {
  const doubling now = step_of(numbers->step, rank, size);
  int has_come = !now.receives;
  if (now.receives && numbers->requests[0] != MPI_REQUEST_NULL)
    PMPI_Request_get_status(numbers->requests[0], &has_come, MPI_STATUS_IGNORE);
  snprintf(text, room, "%s rank %d is outstanding", has_come ? "a send to" : "a message from", now.peer);
}
