/* The numbers below `count` in an order that each round has of its own, the same on all ranks: who takes turns is not always behind
 * the same. For the tuner, and the rig. */
#ifndef QUADRILLE_MPI_SHUFFLED_ORDER_H
#define QUADRILLE_MPI_SHUFFLED_ORDER_H

#include <stdint.h>

static inline void qd_shuffle(int* order, int count, unsigned round) {
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (round + 1);
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const int other = (int)((state >> 33) % (unsigned)(i + 1));
    const int kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

#endif
