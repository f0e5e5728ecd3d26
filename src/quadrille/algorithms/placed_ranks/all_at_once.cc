#include "quadrille/algorithms/placed_ranks/all_at_once.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/collective/counts.h"

namespace quadrille {

namespace {

bool is_from_one(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
}
bool is_to_one(CollectiveKind kind) {
  return kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
}

// To whom one rank sends, or of whom it receives.
uint64_t most_partners(const Collective& collective) {
  const Counts* counts = collective.counts();
  if (counts == nullptr) return collective.num_ranks() - 1;
  std::vector<uint64_t> sends(collective.num_ranks(), 0);
  std::vector<uint64_t> receives(collective.num_ranks(), 0);
  for (const Counts::Entry& entry : counts->entries()) {
    if (entry.from == entry.to) continue;
    ++sends[index(entry.from)];
    ++receives[index(entry.to)];
  }
  return std::max(std::ranges::max(sends), std::ranges::max(receives));
}

Applicability apply_with(const Problem& problem, uint64_t pieces) {
  constexpr uint64_t kMostMessages = uint64_t{1} << 16U;
  if (Applicability fits = ways_at_once_apply(problem); !fits.applies) return fits;
  const CollectiveKind kind = problem.collective().kind();
  const uint64_t others = problem.collective().num_ranks() - 1;
  const uint64_t many = is_from_one(kind) || is_to_one(kind) ? 1 : others + 1;
  if (many * others * pieces > kMostMessages)
    return Applicability::no("these are too many messages to be balanced over the links");
  return Applicability::yes();
}

}  // namespace

Applicability ways_at_once_apply(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kShared)
    return Applicability::no("all messages of a node go at once, which takes paths that share links");
  const CollectiveKind kind = problem.collective().kind();
  const uint64_t others = most_partners(problem.collective());
  for (const auto& [ports, idle] :
       {std::pair{model.send, is_to_one(kind)}, std::pair{model.receive, is_from_one(kind)}}) {
    if (idle || ports.unlimited() || ports.count >= others) continue;
    return Applicability::no(
        fmt::format("{} messages of a node go at once, and it has ports for {}", others, ports.count));
  }
  return rounds_apply(problem);
}

Applicability all_at_once_apply(const Problem& problem) {
  return apply_with(problem, problem.collective().pieces());
}

Applicability parts_at_once_apply(const Problem& problem) { return apply_with(problem, 1); }

}  // namespace quadrille
