#include "quadrille/algorithms/packing/worms/worm_rounds.h"

#include <fmt/format.h>

#include <utility>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostEntries = uint64_t{1} << 26U;
// Work of packing a round, twice, after which it is good enough.
constexpr uint64_t kRoundBudget = uint64_t{1} << 16U;

}  // namespace

WormRounds::WormRounds(const Problem& problem, StepSink& sink)
    : sink_(sink), packing_(problem), lanes_(problem) {}

void WormRounds::round(const std::vector<Worm>& worms) {
  std::vector<WormPacking::Worm> ends;
  ends.reserve(worms.size());
  for (const Worm& worm : worms) ends.push_back({worm.from, worm.to});
  packing_.pack(std::move(ends), kRoundBudget);
  for (size_t s = 0; s < packing_.num_steps(); ++s) {
    for (const uint32_t w : packing_.step(s)) lanes_.add(packing_.path(w), worms[w].blocks);
    lanes_.flush(step_);
    step_.flush(sink_);
  }
}

Applicability rounds_of_worms(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it is for wormhole switching: a worm may carry many blocks over a whole path");
  const Topology& topology = problem.topology();
  const uint64_t entries = uint64_t{topology.num_nodes()} * topology.num_endpoints();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it keeps every next hop in memory: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), topology.name(),
                                       with_thousands(entries)));
}

}  // namespace quadrille
