/* The way of a call that is passed on as the last one was: a line of memory for each collective, and no call but the one that it
 * is passed on to. What lies in front of an MPI library is cold where ranks share cores, and every line and page of it is
 * waited for. */
#ifndef QUADRILLE_MPI_SHIM_SHORTCUT_H
#define QUADRILLE_MPI_SHIM_SHORTCUT_H

#include <stdatomic.h>
#include <stdint.h>

#include "shim.h"

/* What a register or a place on the stack holds: an int, a pointer or a handle of either MPI. */
typedef uintptr_t word;

typedef struct {
  _Alignas(64) atomic_uint turn; /* odd while somebody writes */
  atomic_int rank;               /* in the communicator */
  /* So many elements of the type, and up to `more` more of them, are passed on in the communicator, whoever is the root. */
  atomic_uint least, more;
  _Atomic word comm, type;
  _Atomic word next; /* who gets them; 0: nothing is known */
  _Atomic long long passed;
  atomic_uint missed;
} qd_shortcut;
extern qd_shortcut qd_shortcuts[QD_COLLECTIVES] __attribute__((visibility("hidden")));

/* Handles that are pointers are words; those that are numbers are the lower half of one, and what the upper half holds says nothing. */
#if defined(OPEN_MPI) || defined(QUADRILLE_MPI_ABI)
typedef word qd_handle;
#else
typedef uint32_t qd_handle;
#endif

/* Who gets the call; 0: nobody knows yet. Count and type at the root, and elsewhere. */
static inline word qd_by_shortcut(qd_shortcut* by, word comm, word root, word root_count, word root_type,
                                  word count, word type) {
  const unsigned turn = atomic_load_explicit(&by->turn, memory_order_acquire);
  const int is_root = (int)root == atomic_load_explicit(&by->rank, memory_order_relaxed);
  const unsigned n = (unsigned)(is_root ? root_count : count);
  const qd_handle of = (qd_handle)(is_root ? root_type : type);
  const int fits = (qd_handle)atomic_load_explicit(&by->comm, memory_order_relaxed) == (qd_handle)comm &&
                   (qd_handle)atomic_load_explicit(&by->type, memory_order_relaxed) == of &&
                   n - atomic_load_explicit(&by->least, memory_order_relaxed) <=
                       atomic_load_explicit(&by->more, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (!fits || turn % 2 != 0 || turn != atomic_load_explicit(&by->turn, memory_order_relaxed)) return 0;
  atomic_fetch_add_explicit(&by->passed, 1, memory_order_relaxed);
  return atomic_load_explicit(&by->next, memory_order_relaxed);
}

/* A call of so many bytes was passed on the long way: the next ones like it, in the context or of a communicator that has none
 * (null), need not go it. */
void qd_note_passed(const quadrille_context* context, const qd_call* call, MPI_Comm comm, uint64_t bytes);
/* A communicator goes: its handle may become another's. */
void qd_forget_shortcuts(MPI_Comm comm);

#endif
