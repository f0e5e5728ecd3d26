#include "quadrille/search/everybody_informed.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "quadrille/search/refutation.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/structure/order_by_looks.h"

namespace quadrille {

EverybodyInformed::EverybodyInformed(const Topology& topology, MessageLimits limits, uint32_t steps)
    : topology_(topology), steps_(steps), into_(arcs_into(topology)) {
  if (steps == 0) {
    if (topology.num_endpoints() > 1) formula_.add({});
    return;
  }
  sent_ = formula_.variables(size_t{topology.num_arcs()} * steps);
  limit(limits);
  for (size_t rank = 0; rank < topology.num_endpoints(); ++rank) inform(rank);
}

void EverybodyInformed::limit(MessageLimits limits) {
  std::vector<int> used;
  for (const NodeId v : topology_.nodes()) {
    for (uint32_t s = 1; s <= steps_; ++s) {
      if (limits.starts && *limits.starts < topology_.out_degree(v)) {
        used.clear();
        for (const ArcId arc : topology_.arcs_from(v)) used.push_back(sent(arc, s));
        formula_.at_most(used, *limits.starts);
      }
      if (limits.ends && *limits.ends < into_[index(v)].size()) {
        used.clear();
        for (const ArcId arc : into_[index(v)]) used.push_back(sent(arc, s));
        formula_.at_most(used, *limits.ends);
      }
    }
  }
}

// Who has heard of a rank by when: not before news can have come so far, and by way of a neighbour.
void EverybodyInformed::inform(size_t rank) {
  const NodeId origin = topology_.endpoints()[rank];
  const std::vector<uint32_t> hops = distances_from(topology_, origin);
  // heard[v] + t - hops(v): v has heard by the end of step t; only where that is in doubt.
  std::vector<int> heard(topology_.num_nodes(), 0);
  for (const NodeId v : topology_.nodes()) {
    if (v == origin) continue;
    const uint32_t nearest = hops[index(v)];
    if (nearest > steps_) {
      if (topology_.rank(v)) formula_.add({});
      continue;
    }
    heard[index(v)] = formula_.variables(steps_ - nearest + 1);
    if (topology_.rank(v)) formula_.add({heard[index(v)] + static_cast<int>(steps_ - nearest)});
  }
  std::vector<int> why;
  for (const NodeId v : topology_.nodes()) {
    if (heard[index(v)] == 0) continue;
    for (uint32_t t = hops[index(v)]; t <= steps_; ++t) {
      const int now = heard[index(v)] + static_cast<int>(t - hops[index(v)]);
      why.assign(1, -now);
      if (t > hops[index(v)]) why.push_back(now - 1);
      for (const ArcId arc : into_[index(v)]) {
        const NodeId u = topology_.tail(arc);
        if (u != origin && (heard[index(u)] == 0 || hops[index(u)] > t - 1)) continue;
        if (u == origin) {
          why.push_back(sent(arc, t));
          continue;
        }
        const int by_it = formula_.variable();
        formula_.add({-by_it, sent(arc, t)});
        formula_.add({-by_it, heard[index(u)] + static_cast<int>(t - 1 - hops[index(u)])});
        why.push_back(by_it);
      }
      formula_.add(why);
    }
  }
}

MessagesOfSteps EverybodyInformed::messages(const SearchAnswer& answer) const {
  MessagesOfSteps out(steps_);
  for (uint32_t s = 1; s <= steps_; ++s) {
    for (const ArcId arc : topology_.arcs()) {
      if (answer.value(sent(arc, s))) out[s - 1].push_back(arc);
    }
  }
  return out;
}

namespace {

constexpr uint32_t kFewNodes = 16;
constexpr size_t kManyClauses = 4'000;
constexpr uint32_t kFewConflicts = 1'000;
// What is found is found soon, as a rule; a solver shows either that or its contrary, sooner where the formula is small. Where it
// shows neither a longer search may find it.
constexpr uint32_t kTrials = 2'500;
constexpr uint32_t kTrialsOfMany = 10'000;
constexpr uint32_t kMoreTrials = 12'000;
constexpr uint32_t kMoreTrialsOfMany = 30'000;
constexpr uint64_t kFewVariables = 4'000;
constexpr uint32_t kFewestConflicts = 500;  // what they show they show sooner than trials

struct Answered {
  uint64_t lemmas = 0;  // of a refutation that has been checked
  std::optional<MessagesOfSteps> messages{};
};

Answered answered(const Topology& topology, MessageLimits limits, uint32_t steps, uint32_t conflicts) {
  const EverybodyInformed question(topology, limits, steps);
  // Of a small network half as much says as much, as a rule, and such a one should be planned in a moment.
  const bool is_small = topology.num_nodes() <= kFewNodes;
  const bool is_long = question.formula().num_clauses() > kManyClauses;
  const SearchAnswer answer = solve(
      question.formula(), {.conflicts = is_small && is_long ? std::min(conflicts, kFewConflicts) : conflicts,
                           .want_proof = true});
  if (answer.satisfiable()) return {.messages = question.messages(answer)};
  if (!answer.unsatisfiable()) return {};
  const RefutationCheck check = check_what_is_needed(question.formula(), answer.proof);
  return {.lemmas = check.refutes ? std::max<uint64_t>(check.lemmas, 1) : 0};
}

// Upwards from what is known.
InformedFloor floor_above(const Topology& topology, MessageLimits limits, uint32_t known, uint32_t most,
                          uint32_t conflicts) {
  InformedFloor out{known, 0};
  while (out.steps < most) {
    const uint64_t lemmas = answered(topology, limits, out.steps, conflicts).lemmas;
    if (lemmas == 0) return out;
    out = {out.steps + 1, lemmas};
  }
  return out;
}

// Where the fewest steps are found, a step less is all there is to refute.
InformedFloor floor_from(const Topology& topology, MessageLimits limits, uint32_t known, uint32_t conflicts) {
  if (topology.num_endpoints() > InformedTrials::kMostRanks)
    return floor_above(topology, limits, known, UINT32_MAX, conflicts);
  InformedTrials trials(topology, limits);
  std::optional<uint32_t> enough = trials.hurry(2 * topology.num_nodes() + known);
  if (!enough) return floor_above(topology, limits, known, UINT32_MAX, conflicts);
  MessagesOfSteps messages = trials.messages();
  while (*enough > known) {
    const bool is_large = topology.num_nodes() > kFewNodes;
    const auto is_tried = [&](uint32_t left) {
      const bool is_found = trials.find(*enough - 1, left);
      if (is_found) messages = trials.messages();
      return is_found;
    };
    uint64_t lemmas = 0;
    const auto is_solved = [&](uint32_t most_conflicts) {
      Answered answer = answered(topology, limits, *enough - 1, most_conflicts);
      lemmas = answer.lemmas;
      if (answer.messages) messages = *std::move(answer.messages);
      return answer.messages.has_value();
    };
    bool is_found = is_tried(is_large ? kTrialsOfMany : kTrials) ||
                    is_solved(is_large ? std::min(conflicts, kFewestConflicts) : conflicts);
    if (!is_found && lemmas == 0) is_found = is_tried(is_large ? kMoreTrialsOfMany : kMoreTrials);
    // Of as many hosts as a small network has nodes that takes longest.
    const uint64_t variables = uint64_t{topology.num_arcs()} * topology.num_endpoints() * *enough;
    const bool is_worth_it = topology.num_endpoints() > kFewNodes || variables <= kFewVariables;
    if (!is_found && lemmas == 0 && is_large && conflicts > kFewestConflicts && is_worth_it)
      is_found = is_solved(conflicts);
    if (lemmas > 0) return {*enough, lemmas, std::move(messages)};
    if (!is_found) break;
    --*enough;
  }
  InformedFloor out = *enough > known ? floor_above(topology, limits, known, *enough - 1, conflicts)
                                      : InformedFloor{known, 0};
  out.messages = std::move(messages);
  return out;
}

struct AskedFloor {
  Topology topology;
  MessageLimits limits;
  uint32_t known;
  uint32_t conflicts;
  InformedFloor floor;
};

}  // namespace

InformedFloor informed_floor(const Topology& topology, MessageLimits limits, uint32_t known,
                             uint32_t conflicts) {
  constexpr size_t kMostKept = 16;
  static std::mutex mutex;
  static std::deque<AskedFloor> kept;
  {
    const std::lock_guard lock(mutex);
    for (const AskedFloor& asked : kept) {
      if (asked.limits == limits && asked.known == known && asked.conflicts == conflicts &&
          asked.topology.same_graph(topology))
        return asked.floor;
    }
  }
  // What a search finds in so much time depends on the order of nodes, and should not on how a file numbers them.
  const std::vector<NodeId> order = order_by_looks(topology);
  const Topology ordered = in_order(topology, order);
  InformedFloor floor = floor_from(ordered, limits, known, conflicts);
  for (std::vector<ArcId>& step : floor.messages) {
    for (ArcId& arc : step)
      arc = *topology.find_arc(order[index(ordered.tail(arc))], order[index(ordered.head(arc))]);
    std::ranges::sort(step);
  }
  const std::lock_guard lock(mutex);
  kept.push_front({topology, limits, known, conflicts, floor});
  if (kept.size() > kMostKept) kept.pop_back();
  return floor;
}

}  // namespace quadrille
