#include "quadrille/runtime/transport.h"

#include <array>

namespace quadrille {

void Transport::barrier() {
  const uint64_t ranks = num_ranks();
  const uint64_t me = index(rank());
  for (uint64_t distance = 1; distance < ranks; distance *= 2) {
    const Request heard = start_receive(id_at<Rank>((me + ranks - distance) % ranks), {});
    const Request told = start_send(id_at<Rank>((me + distance) % ranks), {});
    wait(std::array{heard, told});
  }
}

}  // namespace quadrille
