#include "quadrille/algorithms/packing/timed/host_rounds.h"

#include <algorithm>
#include <numeric>

namespace quadrille {
namespace {

constexpr uint32_t kStepsOfASpan = 4;
constexpr size_t kMostOfAChain = 64;

// What links between routers are asked for in each span of a few steps.
class AskedInSpans {
 public:
  AskedInSpans(const Problem& problem, const PricedPaths& paths, const HostRounds& rounds, uint32_t time)
      : paths_(paths),
        rounds_(rounds),
        time_(time),
        spans_((rounds.num_rounds() + time) / kStepsOfASpan + 1),
        load_(size_t{problem.topology().num_arcs()} * spans_, 0) {}

  // What the sum of the squares of all loads changes by.
  int64_t change(uint32_t block, int32_t by) {
    const auto path = paths_.path(block);
    if (path.size() < 2) return 0;
    const std::span<const ArcId> between = path.subspan(1, path.size() - 2);
    const auto hops = static_cast<uint32_t>(between.size());
    uint32_t step = rounds_.round_of(block) + 1 + (time_ > hops + 1 ? time_ - 1 - hops : 0) / 2;
    int64_t more = 0;
    for (const ArcId arc : between) {
      int32_t& load = load_[index(arc) * spans_ + std::min(step++ / kStepsOfASpan, spans_ - 1)];
      more -= int64_t{load} * load;
      load += by;
      more += int64_t{load} * load;
    }
    return more;
  }

 private:
  const PricedPaths& paths_;
  const HostRounds& rounds_;
  uint32_t time_;
  uint32_t spans_;
  std::vector<int32_t> load_;
};

}  // namespace

HostRounds::HostRounds(const Problem& problem, const PricedPaths& paths, Rng& rng)
    : ranks_(problem.collective().num_ranks()),
      rounds_(problem.collective().pieces() * (ranks_ - 1)),
      sent_(size_t{rounds_} * ranks_, 0),
      received_(sent_) {
  std::vector<uint32_t> place(ranks_);
  std::iota(place.begin(), place.end(), 0U);
  rng.shuffle(place);
  const Collective& collective = problem.collective();
  std::vector<uint32_t> of_pair(size_t{ranks_} * ranks_, 0);
  for (uint32_t i = 0; i < paths.size(); ++i) {
    const auto from = static_cast<uint32_t>(index(collective.origin(paths.block(i))));
    const auto to = static_cast<uint32_t>(index(collective.destination(paths.block(i))));
    const uint32_t piece = of_pair[size_t{from} * ranks_ + to]++;
    const uint32_t round = piece * (ranks_ - 1) + (place[to] + ranks_ - place[from] - 1) % ranks_;
    from_.push_back(from);
    to_.push_back(to);
    round_.push_back(round);
    sent(round, from) = received(round, to) = i;
  }
}

std::span<const uint32_t> HostRounds::chain(uint32_t block, uint32_t other, size_t most) {
  chain_.clear();
  const uint32_t round = round_[block];
  for (uint32_t i = block; chain_.empty() || i != block; i = sent(round, from_[chain_.back()])) {
    if (chain_.size() + 2 > most) return {};
    chain_.push_back(i);
    chain_.push_back(received(other, to_[i]));
  }
  return chain_;
}

void HostRounds::exchange(std::span<const uint32_t> chain) {
  const uint32_t both = round_[chain[0]] ^ round_[chain[1]];
  for (const uint32_t i : chain) {
    round_[i] ^= both;
    sent(round_[i], from_[i]) = received(round_[i], to_[i]) = i;
  }
}

void HostRounds::even_out(const Problem& problem, const PricedPaths& paths, uint32_t time, uint64_t tries,
                          Rng& rng) {
  AskedInSpans asked(problem, paths, *this, time);
  for (uint32_t i = 0; i < round_.size(); ++i) asked.change(i, 1);
  for (uint64_t t = 0; t < tries; ++t) {
    const auto block = static_cast<uint32_t>(rng.below(round_.size()));
    const auto other = static_cast<uint32_t>(rng.below(rounds_));
    if (other == round_[block]) continue;
    const std::span<const uint32_t> found = chain(block, other, kMostOfAChain);
    if (found.empty()) continue;
    int64_t more = 0;
    for (const uint32_t i : found) more += asked.change(i, -1);
    exchange(found);
    for (const uint32_t i : found) more += asked.change(i, 1);
    if (more <= 0) continue;
    for (const uint32_t i : found) asked.change(i, -1);
    exchange(found);
    for (const uint32_t i : found) asked.change(i, 1);
  }
}

}  // namespace quadrille
