// Counted flow: the blocks of one sender for one receiver are a flow, step after step, whatever else is on its way.
//
// Neighbours with much for each other have one short way, and all others are longer: two blocks over one link are two steps even where
// other links lead out of the sender, and into the receiver. T steps are no less than what the quickest flow of a pair's blocks takes
// (topology/queries/successive_paths.h), whose witness is a cut that moves with time.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exchanges/flow_words.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille::bounds {

extern const BoundCard counted_flow;

namespace counted_flow_parts {
namespace {

constexpr uint64_t kMostWork = 20'000'000;  // arcs that are looked at, for all pairs together
constexpr size_t kMostPairs = 256;

// The pairs of two blocks and more (of one, `distance` says the same), those of most first.
std::vector<Counts::Entry> largest_of(const Counts& counts) {
  std::vector<Counts::Entry> out;
  for (const Counts::Entry& entry : counts.entries())
    if (entry.count > 1 && entry.from != entry.to) out.push_back(entry);
  const auto most = out.begin() + static_cast<ptrdiff_t>(std::min(out.size(), kMostPairs));
  std::ranges::partial_sort(out, most, [](const Counts::Entry& a, const Counts::Entry& b) {
    return std::tuple(b.count, a.from, a.to) < std::tuple(a.count, b.from, b.to);
  });
  out.erase(most, out.end());
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Counts* counts = problem.collective().counts();
  if (counts == nullptr || problem.model().switching != Switching::kPacket) return std::nullopt;
  const Topology& net = problem.topology();
  std::optional<Bound> best;
  uint64_t steps = 0;
  uint64_t work = 0;
  for (const Counts::Entry& pair : largest_of(*counts)) {
    if (work > kMostWork) break;
    const NodeId to = net.endpoint(pair.to);
    SuccessivePaths flow(net, net.endpoint(pair.from), false);
    const uint64_t takes = flow.quickest(to, pair.count, steps);
    work += flow.work() + net.num_arcs();
    if (takes <= steps) continue;
    steps = takes;
    const std::string where = fmt::format("from {} to {}", net.label(net.endpoint(pair.from)), net.label(to));
    best = Bound{counted_flow.name, Rational(static_cast<int64_t>(steps)),
                 flow_in_words(flow.lengths(), where, steps, pair.count, "block")};
    best->evidence = TimesWitness{flow.times()};
  }
  return best;
}

}  // namespace
}  // namespace counted_flow_parts

constinit const BoundCard counted_flow = {
    .name = "counted_flow",
    .summary = "the blocks of one sender for one receiver, over disjoint ways no shorter than there are",
    .source = "Ford and Fulkerson 1958, maximal flows over time",
    .knows_counts = true,
    .evaluate = counted_flow_parts::evaluate,
};

}  // namespace quadrille::bounds
