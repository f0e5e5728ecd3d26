#include "quadrille/algorithms/placed_ranks/pairs_at_once.h"

#include <fmt/format.h>

#include <memory>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// Of fewer ranks each message has a search of its own, and each piece is one.
constexpr uint32_t kMostByMessage = 128;
constexpr uint64_t kMostPairsAtOnce = uint64_t{1} << 22U;
constexpr uint64_t kMostHopsAtOnce = uint64_t{1} << 25U;
// Of what is copied, and lent to whoever scatters first, or adds up: that is made twice, and read backwards.
constexpr uint64_t kMostHopsOfCopies = uint64_t{1} << 24U;

using Ways = std::shared_ptr<const PairWays>;

// None where that is sure not to be worth it.
Ways ways_if_wanted(const Problem& problem) {
  if (WorthMaking::is_limited()) {
    const Problem exchange = standard_problem(problem.topology(), CollectiveKind::kAlltoall, problem.model());
    if (!WorthMaking::is_any_of(1, problem.collective().pieces() * paths_at_least(exchange))) return nullptr;
  }
  return ways_of_all_pairs(problem.topology());
}

Prediction predicted_at_once(const Problem& problem, const Ways& ways) {
  if (!ways) return {};
  const uint64_t pieces = problem.collective().pieces();
  return {.steps = 1,
          .start_ups = 1,
          .busiest_link = pieces * ways->busiest(),
          .critical_blocks = ways->rounds(pieces),
          .further_messages = problem.collective().num_ranks() - 2};
}

}  // namespace

bool goes_by_pairs(const Problem& problem) {
  const bool are_few = problem.collective().num_ranks() <= kMostByMessage ||
                       problem.model().routing != Routing::kAny || is_complete(problem.topology());
  return !are_few || !all_at_once_apply(problem).applies;
}

Applicability pairs_at_once_apply(const Problem& problem) {
  if (!goes_by_pairs(problem)) return Applicability::yes();
  if (Applicability fits = ways_at_once_apply(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  const uint64_t pairs = uint64_t{topology.num_endpoints()} * topology.num_endpoints();
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("the ways of so many pairs are balanced where the routing is any alone");
  if (pairs > kMostPairsAtOnce)
    return Applicability::no(fmt::format("it keeps the ways of all pairs in memory: at most {}, {} has {}",
                                         with_thousands(kMostPairsAtOnce), topology.name(),
                                         with_thousands(pairs)));
  const uint64_t hops = hops_of_all_pairs(topology);
  const uint64_t most = problem.collective().flow() == Flow::kMove ? kMostHopsAtOnce : kMostHopsOfCopies;
  if (hops <= most) return Applicability::yes();
  return Applicability::no(fmt::format("all ways are in one step: at most {} hops, {} has {}",
                                       with_thousands(most), topology.name(), with_thousands(hops)));
}

Preparation prepare_pairs_at_once(const Problem& problem, BlocksOfPair blocks) {
  const auto generate = [blocks](const Problem& p, const Ways& made, StepSink& sink) {
    const Ways ways = made ? made : ways_of_all_pairs(p.topology());
    StepBuilder step;
    std::vector<ArcId> way;
    std::vector<BlockId> sent;
    for (uint32_t from = 0; from < p.collective().num_ranks(); ++from) {
      for (uint32_t to = 0; to < p.collective().num_ranks(); ++to) {
        if (to == from) continue;
        way.clear();
        sent.clear();
        ways->append(ways->pair(Rank{from}, Rank{to}), way);
        blocks(p, Rank{from}, Rank{to}, sent);
        step.add(way, sent);
      }
    }
    step.flush(sink);
  };
  // Soon found, and hardly anything else comes near: searches of seconds need not be made then.
  return Preparation::of(sharing(problem, ways_if_wanted, predicted_at_once, generate, Effort::kSome));
}

}  // namespace quadrille
