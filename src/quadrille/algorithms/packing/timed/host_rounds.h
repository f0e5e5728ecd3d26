// Host rounds: in which round each block of a total exchange leaves its host, where every host sends one and receives one a round.
//
// A round is a permutation of the hosts, and all rounds together hold every block once: a Latin square without its diagonal. Blocks
// of two rounds are joined to each other where they have a sender or a receiver in common; what is joined is a circle, sender to
// receiver to sender, and if all of its blocks change rounds both stay permutations (Kempe 1879, of colours on a map). By such
// chains rounds are made alike in what they ask of the links between routers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class HostRounds {
 public:
  /// Of an alltoall, each block by its place in `paths`; at first hosts stand in a circle, in any order, and send in every round to the
  /// one that is a place further.
  HostRounds(const Problem& problem, const PricedPaths& paths, Rng& rng);

  [[nodiscard]] uint32_t num_rounds() const { return rounds_; }
  [[nodiscard]] uint32_t round_of(uint32_t block) const { return round_[block]; }

  /// The blocks of the chain by which `block` gets into `other`, itself the first; nothing if they are more than `most`.
  [[nodiscard]] std::span<const uint32_t> chain(uint32_t block, uint32_t other, size_t most);
  /// The blocks of a chain change rounds, which are those of the first two; once more, and they are back.
  void exchange(std::span<const uint32_t> chain);

  /// Tries so many chains, drawn, and keeps those by which links between routers are asked for more evenly in all spans of four steps,
  /// if blocks go `paths` in the middle of the `time` that they have from round to reception.
  void even_out(const Problem& problem, const PricedPaths& paths, uint32_t time, uint64_t tries, Rng& rng);

 private:
  [[nodiscard]] uint32_t& sent(uint32_t round, uint32_t rank) { return sent_[size_t{round} * ranks_ + rank]; }
  [[nodiscard]] uint32_t& received(uint32_t round, uint32_t rank) {
    return received_[size_t{round} * ranks_ + rank];
  }

  uint32_t ranks_;
  uint32_t rounds_;
  std::vector<uint32_t> from_{};
  std::vector<uint32_t> to_{};
  std::vector<uint32_t> round_{};
  std::vector<uint32_t> sent_;      // the block that a rank sends in a round
  std::vector<uint32_t> received_;  // and that it receives
  std::vector<uint32_t> chain_{};
};

}  // namespace quadrille
