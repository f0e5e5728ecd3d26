#include "quadrille/algorithms/packing/timed/even_rounds.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quadrille {
namespace {

constexpr uint32_t kEvenWindow = 4;  // rounds

}  // namespace

EvenRounds::EvenRounds(const Problem& problem, const PricedPaths& paths)
    : paths_(paths),
      ranks_(problem.collective().num_ranks()),
      windows_(ranks_ / kEvenWindow + 2),
      of_sender_(ranks_),
      of_receiver_(ranks_),
      load_(size_t{problem.topology().num_arcs()} * windows_, 0) {
  const Collective& collective = problem.collective();
  for (uint32_t i = 0; i < paths.size(); ++i) {
    from_.push_back(static_cast<uint32_t>(index(collective.origin(paths.block(i)))));
    to_.push_back(static_cast<uint32_t>(index(collective.destination(paths.block(i)))));
    of_sender_[from_.back()].push_back(i);
    of_receiver_[to_.back()].push_back(i);
  }
}

std::vector<uint32_t> EvenRounds::found(Rng& rng, uint64_t tries) {
  place_of_sender_.resize(ranks_);
  std::iota(place_of_sender_.begin(), place_of_sender_.end(), 0U);
  rng.shuffle(place_of_sender_);
  place_of_receiver_ = place_of_sender_;
  std::ranges::fill(load_, 0);
  for (uint32_t i = 0; i < paths_.size(); ++i) change(i, 1);
  for (uint64_t t = 0; t < tries; ++t) {
    const auto a = static_cast<uint32_t>(rng.below(ranks_));
    const auto b = static_cast<uint32_t>(rng.below(ranks_));
    const bool senders = rng.below(2) == 0;
    if (a != b && exchange(senders, a, b) > 0) exchange(senders, a, b);
  }
  std::vector<uint32_t> out;
  out.reserve(paths_.size());
  for (uint32_t i = 0; i < paths_.size(); ++i) out.push_back(round_of(i));
  return out;
}

// Where all stand alike in both circles nobody has anything for himself in round 0, so it comes last.
uint32_t EvenRounds::round_of(uint32_t path) const {
  return (place_of_receiver_[to_[path]] + ranks_ - place_of_sender_[from_[path]] - 1) % ranks_;
}

int64_t EvenRounds::change(uint32_t path, int32_t by) {
  uint32_t step = round_of(path);
  int64_t more = 0;
  for (const ArcId arc : paths_.path(path)) {
    int32_t& load = load_[index(arc) * windows_ + std::min(step++ / kEvenWindow, windows_ - 1)];
    more -= int64_t{load} * load;
    load += by;
    more += int64_t{load} * load;
  }
  return more;
}

int64_t EvenRounds::exchange(bool senders, uint32_t a, uint32_t b) {
  const auto& of = senders ? of_sender_ : of_receiver_;
  auto& place = senders ? place_of_sender_ : place_of_receiver_;
  int64_t more = 0;
  for (const uint32_t rank : {a, b})
    for (const uint32_t i : of[rank]) more += change(i, -1);
  std::swap(place[a], place[b]);
  for (const uint32_t rank : {a, b})
    for (const uint32_t i : of[rank]) more += change(i, 1);
  return more;
}

}  // namespace quadrille
