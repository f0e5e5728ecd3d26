#include "quadrille/algorithms/placed_ranks/messages_a_round.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille {

uint32_t messages_of_two_rounds(uint32_t ranks) {
  uint32_t k = 1;
  while (uint64_t{k + 1} * (k + 1) < ranks) ++k;
  return k;
}

bool has_choice_of_messages(const Problem& problem) {
  const Model& model = problem.model();
  const uint32_t wanted = messages_of_two_rounds(problem.collective().num_ranks());
  const bool has_ports = std::ranges::all_of(std::array{model.send, model.receive}, [&](Ports ports) {
    return ports.unlimited() || ports.count >= wanted;
  });
  return model.switching == Switching::kShared && has_ports && wanted > busy_ports(problem);
}

bool goes_in_groups(const Problem& problem, uint32_t messages) {
  const uint32_t ranks = problem.collective().num_ranks();
  const uint32_t group = messages + 1;
  return messages > busy_ports(problem) && ranks % group == 0 && ranks / group <= group;
}

RankRounds allgather_by_messages(const Problem& problem, uint32_t messages, uint32_t pieces) {
  const uint32_t ranks = problem.collective().num_ranks();
  return goes_in_groups(problem, messages) ? grouped_allgather(ranks, messages + 1, pieces)
                                           : bruck_allgather(ranks, messages, pieces);
}

std::optional<RoundsOutline> outline_by_messages(const Problem& problem, uint32_t messages) {
  if (goes_in_groups(problem, messages)) return std::nullopt;
  return bruck_outline(problem, messages);
}

std::optional<RoundsOutline> vector_outline_by_messages(const Problem& problem, uint32_t messages) {
  if (goes_in_groups(problem, messages)) return std::nullopt;
  return bruck_outline_both_ways(problem, messages);
}

Preparation prepare_by_messages(const Problem& problem,
                                RankRounds (*rounds)(const Problem&, uint32_t messages), bool by_number,
                                OutlineByMessages outline) {
  std::vector<RoundsMember> members;
  const auto add = [&](uint32_t messages, std::string name) {
    members.push_back({.rounds = [rounds, messages](const Problem& p) { return rounds(p, messages); },
                       .name = std::move(name),
                       .by_number = by_number});
    if (outline != nullptr)
      members.back().outline = [outline, messages](const Problem& p) { return outline(p, messages); };
  };
  add(busy_ports(problem), "");
  if (has_choice_of_messages(problem)) {
    const uint32_t messages = messages_of_two_rounds(problem.collective().num_ranks());
    add(messages, fmt::format("{}-messages", messages));
  }
  return prepare_rounds(problem, std::move(members));
}

}  // namespace quadrille
