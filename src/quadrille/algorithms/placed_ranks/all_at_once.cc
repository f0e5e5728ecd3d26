#include "quadrille/algorithms/placed_ranks/all_at_once.h"

#include <fmt/format.h>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille {

Applicability all_at_once_apply(const Problem& problem) {
  constexpr uint64_t kMostMessages = uint64_t{1} << 16U;
  if (problem.model().switching != Switching::kShared)
    return Applicability::no("all messages of a node go at once, which takes paths that share links");
  const uint64_t others = problem.collective().num_ranks() - 1;
  for (const Ports ports : {problem.model().send, problem.model().receive}) {
    if (!ports.unlimited() && ports.count < others)
      return Applicability::no(
          fmt::format("{} messages of a node go at once, and it has ports for {}", others, ports.count));
  }
  if ((others + 1) * others * problem.collective().pieces() > kMostMessages)
    return Applicability::no("these are too many messages to be balanced over the links");
  return rounds_apply(problem);
}

}  // namespace quadrille
