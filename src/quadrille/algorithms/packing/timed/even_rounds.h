// Even rounds: an order in which hosts send to each other such that no link is asked for much more in some rounds than in others.
//
// Ranks stand in two circles, senders in one and receivers in the other, and in round r everybody sends to the one r places further:
// each sends and receives a block a round. Where all stand anywhere, a group of hosts sends to another one now more, now less, over
// the few links there are. Two of a circle change places as long as that makes the sum of the squares less of what links have to
// carry in every window of a few rounds, if blocks take their hops in the steps from their round on.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class EvenRounds {
 public:
  /// For an exchange; both must outlive this.
  EvenRounds(const Problem& problem, const PricedPaths& paths);

  /// The round of each path, after so many tries to exchange two.
  [[nodiscard]] std::vector<uint32_t> found(Rng& rng, uint64_t tries);

 private:
  [[nodiscard]] uint32_t round_of(uint32_t path) const;
  // What the sum of squares changes by.
  int64_t change(uint32_t path, int32_t by);
  int64_t exchange(bool senders, uint32_t a, uint32_t b);

  const PricedPaths& paths_;
  uint32_t ranks_;
  uint32_t windows_;
  std::vector<uint32_t> from_{};
  std::vector<uint32_t> to_{};
  std::vector<std::vector<uint32_t>> of_sender_;
  std::vector<std::vector<uint32_t>> of_receiver_;
  std::vector<uint32_t> place_of_sender_{};
  std::vector<uint32_t> place_of_receiver_{};
  std::vector<int32_t> load_;  // by link and window
};

}  // namespace quadrille
