#include "quadrille/algorithms/placed_ranks/all_at_once.h"

#include <fmt/format.h>

#include <utility>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille {

namespace {

Applicability apply_with(const Problem& problem, uint64_t pieces) {
  constexpr uint64_t kMostMessages = uint64_t{1} << 16U;
  const Model& model = problem.model();
  if (model.switching != Switching::kShared)
    return Applicability::no("all messages of a node go at once, which takes paths that share links");
  const CollectiveKind kind = problem.collective().kind();
  const bool from_one = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kScatter;
  const bool to_one = kind == CollectiveKind::kGather || kind == CollectiveKind::kReduce;
  const uint64_t others = problem.collective().num_ranks() - 1;
  for (const auto& [ports, idle] : {std::pair{model.send, to_one}, std::pair{model.receive, from_one}}) {
    if (idle || ports.unlimited() || ports.count >= others) continue;
    return Applicability::no(
        fmt::format("{} messages of a node go at once, and it has ports for {}", others, ports.count));
  }
  const uint64_t many = from_one || to_one ? 1 : others + 1;
  if (many * others * pieces > kMostMessages)
    return Applicability::no("these are too many messages to be balanced over the links");
  return rounds_apply(problem);
}

}  // namespace

Applicability all_at_once_apply(const Problem& problem) {
  return apply_with(problem, problem.collective().pieces());
}

Applicability parts_at_once_apply(const Problem& problem) { return apply_with(problem, 1); }

}  // namespace quadrille
