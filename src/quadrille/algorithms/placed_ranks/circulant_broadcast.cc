#include "quadrille/algorithms/placed_ranks/circulant_broadcast.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille {
namespace {

// The jumps, the least first.
std::vector<uint32_t> jumps_of(uint32_t ranks) {
  std::vector<uint32_t> out;
  for (uint32_t jump = ranks; jump > 1;) {
    jump = (jump + 1) / 2;
    out.push_back(jump);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// What each rank receives in the rounds of a phase.
class Receptions {
 public:
  explicit Receptions(uint32_t ranks)
      : ranks_(ranks),
        jumps_(jumps_of(ranks)),
        rounds_(jumps_.size()),
        next_(rounds_ + 1),
        before_(rounds_ + 1) {
    jumps_.push_back(ranks);
  }

  // By round the chunk that comes: one of the phase, from 0 on, and below 0 those of the phase before. Not of rank 0, which has all.
  [[nodiscard]] const std::vector<int>& of(uint32_t rank) {
    std::iota(before_.begin(), before_.end(), 1);
    std::iota(next_.begin(), next_.end(), -1);
    const size_t first = last_jump_to(rank);
    take_out(first);
    out_.assign(rounds_, 0);
    target_ = uint64_t{ranks_} + rank;
    nearest_ = 2 * uint64_t{ranks_};
    walk(0, static_cast<int>(rounds_), 0);
    for (int& chunk : out_)
      chunk =
          chunk == static_cast<int>(rounds_) ? static_cast<int>(first) : chunk - static_cast<int>(rounds_);
    return out_;
  }

 private:
  // Of those that add up to the rank, the greatest first: along them its first chunk of a phase comes.
  [[nodiscard]] size_t last_jump_to(uint32_t rank) const {
    size_t out = rounds_;
    for (size_t k = rounds_; k-- > 0 && rank > 0;) {
      if (jumps_[k] > rank) continue;
      rank -= jumps_[k];
      out = k;
    }
    return out;
  }

  // Whether the sender of a round, so many jumps before the rank, is there or further on.
  [[nodiscard]] bool reaches(uint64_t place, size_t round) const { return place + jumps_[round] <= target_; }

  // Sums of jumps, from `place` on, greater ones first: each round takes the chunk of the path that ends nearest before its
  // sender, of those that end before the one of the round before; each chunk is taken once. The next round is returned.
  size_t walk(uint64_t place, int jump, size_t round) {
    for (; jump >= 0; jump = next_[static_cast<size_t>(jump)]) {
      const uint64_t there = place + jumps_[static_cast<size_t>(jump)];
      if (!reaches(there, round) || there >= nearest_) continue;
      if (reaches(there, round + 1)) {
        round = walk(there, jump, round);
        if (round == rounds_) return round;
      }
      if (!reaches(place, round + 1)) return round;
      nearest_ = there;
      out_[round] = jump;
      take_out(static_cast<size_t>(jump));
      if (++round == rounds_) return round;
    }
    return round;
  }

  // Whoever stands at it goes on from it.
  void take_out(size_t jump) {
    const int next = next_[jump];
    const auto before = static_cast<size_t>(before_[jump]);
    if (before <= rounds_) next_[before] = next;
    if (next >= 0) before_[static_cast<size_t>(next)] = static_cast<int>(before);
  }

  uint32_t ranks_;
  std::vector<uint32_t> jumps_;  // at last all ranks
  size_t rounds_;
  std::vector<int> next_;  // of the jumps that are not taken, the next smaller one, and the next greater one
  std::vector<int> before_;
  std::vector<int> out_;
  uint64_t target_ = 0;
  uint64_t nearest_ = 0;
};

}  // namespace

Chunking circulant_broadcast_chunks(const Problem& problem) {
  return {.unit = 1, .streams = problem.collective().num_ranks() > 2};
}

std::optional<RoundsOutline> circulant_broadcast_outline(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  if (ranks < 2) return RoundsOutline{};
  const uint64_t rounds = problem.collective().pieces() - 1 + uint64_t{jumps_of(ranks).size()};
  return RoundsOutline{.rounds = rounds, .blocks = rounds};
}

RankRounds circulant_broadcast(uint32_t ranks, uint32_t chunks) {
  if (ranks < 2) return RankRounds();
  const std::vector<uint32_t> jumps = jumps_of(ranks);
  const uint64_t q = jumps.size();
  std::vector<int> table;
  Receptions receptions(ranks);
  for (uint32_t v = 1; v < ranks; ++v) std::ranges::copy(receptions.of(v), std::back_inserter(table));
  const uint64_t idle = (q - (chunks - 1) % q) % q;  // rounds of the first phase that are left out
  RankRounds out;
  for (uint64_t t = idle; t < idle + chunks - 1 + q; ++t) {
    const size_t k = t % q;
    for (uint32_t v = 1; v < ranks; ++v) {
      const int64_t chunk = table[(v - 1) * q + k] + static_cast<int64_t>(t - k) - static_cast<int64_t>(idle);
      if (chunk < 0) continue;
      const auto block = BlockId{static_cast<uint32_t>(std::min<int64_t>(chunk, int64_t{chunks} - 1))};
      out.send((v + ranks - jumps[k]) % ranks, v, {&block, 1});
    }
    out.end_round();
  }
  return without_second_copies(out, ranks, chunks);
}

}  // namespace quadrille
