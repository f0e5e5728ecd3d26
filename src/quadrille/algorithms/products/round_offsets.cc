#include "quadrille/algorithms/products/round_offsets.h"

#include <algorithm>
#include <numeric>

#include "quadrille/base/random.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// Sets of shifts that are tried for one number of steps.
constexpr uint64_t kMostTries = 2000;
// Numbers of steps that are tried beyond the shortest.
constexpr uint64_t kMostLengths = 16;

}  // namespace

RoundOffsets::RoundOffsets(std::vector<Side> sides) : sides_(std::move(sides)), shifts_(sides_.size(), 0) {
  for (const Side& side : sides_) {
    period_.push_back(std::lcm(uint64_t{types_}, uint64_t{side.nodes}));
    types_ *= side.nodes;
    prefix_.push_back(types_);
  }
  for (const Side& side : sides_) {
    rounds_.push_back(types_ / (uint64_t{side.nodes} * side.copies));
    steps_ = std::max(steps_, rounds_.back() * side.length);
  }
}

std::optional<RoundOffsets> RoundOffsets::find(std::vector<Side> sides) {
  count_work(Work::kSearching);
  RoundOffsets out(std::move(sides));
  if (!out.find_shifts()) return std::nullopt;
  return out;
}

RoundOffsets RoundOffsets::find_longer(std::vector<Side> sides) {
  RoundOffsets out(std::move(sides));
  uint64_t one_by_one = 0;
  for (size_t i = 0; i < out.sides_.size(); ++i) one_by_one += out.rounds_[i] * out.sides_[i].length;
  const uint64_t step = std::max<uint64_t>(1, (one_by_one - out.steps_) / kMostLengths);
  for (; out.steps_ < one_by_one; out.steps_ += step) {
    if (out.find_shifts()) return out;
  }
  out.steps_ = one_by_one;
  uint64_t turn = 0;
  for (size_t i = 0; i < out.sides_.size(); ++i) {
    out.turns_.push_back(turn);
    turn += out.rounds_[i] * out.sides_[i].length;
  }
  return out;
}

bool RoundOffsets::find_shifts() {
  stack_windows();
  if (no_type_rides_twice()) return true;
  uint64_t combinations = 1;
  for (size_t i = 1; i < sides_.size(); ++i)
    combinations = std::min(kMostTries + 1, combinations * rounds_[i]);
  Rng rng(1);
  for (uint64_t k = 0; k < std::min(kMostTries, combinations); ++k) {
    uint64_t rest = k;
    for (size_t i = 1; i < sides_.size(); ++i) {
      shifts_[i] = combinations <= kMostTries ? rest % rounds_[i] : rng.below(rounds_[i]);
      rest /= rounds_[i];
    }
    if (no_type_rides_twice()) return true;
  }
  return false;
}

// A type rides in dimension i near step t L/N + s_i W_i, W_i = L/R_i the time of a round: windows of twice
// that width, one after another.
void RoundOffsets::stack_windows() {
  for (size_t i = 1; i < sides_.size(); ++i) {
    const uint64_t before = shifts_[i - 1];
    // (s W_(i-1) + W_(i-1) + W_i) / W_i, rounded up; W_(i-1)/W_i = R_i/R_(i-1).
    const uint64_t ratio = ((before + 1) * rounds_[i] + rounds_[i - 1] - 1) / rounds_[i - 1];
    shifts_[i] = ratio + 1;
  }
  for (size_t i = 0; i < sides_.size(); ++i) shifts_[i] %= rounds_[i];
}

bool RoundOffsets::no_type_rides_twice() const {
  std::vector<uint64_t> starts(sides_.size());
  for (uint32_t t = 0; t < types_; ++t) {
    for (size_t i = 0; i < sides_.size(); ++i) {
      if (offset(i, t) == 0) {
        starts[i] = UINT64_MAX;
        continue;
      }
      starts[i] = start(i, round_of(i, t));
      for (size_t j = 0; j < i; ++j) {
        if (starts[j] == UINT64_MAX) continue;
        if (starts[i] < starts[j] + sides_[j].length && starts[j] < starts[i] + sides_[i].length)
          return false;
      }
    }
  }
  return true;
}

}  // namespace quadrille
