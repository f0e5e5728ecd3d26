#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/search_limits.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

namespace bounds {
#define QUADRILLE_BOUND(name) extern const BoundCard name;
#include "quadrille/bounds/catalog.inc"
#undef QUADRILLE_BOUND
}  // namespace bounds

namespace {

constexpr std::array kCards = {
#define QUADRILLE_BOUND(name) &bounds::name,
#include "quadrille/bounds/catalog.inc"
#undef QUADRILLE_BOUND
};

}  // namespace

const Catalog<BoundCard>& bound_catalog() {
  static constexpr Catalog<BoundCard> kCatalog(kCards);
  return kCatalog;
}

std::string_view name_of(BoundOn on) { return on == BoundOn::kSteps ? "steps" : "critical blocks"; }

namespace {

// What one node can have on its way in a round over as many arcs as it has ports, of the node that has most.
Ports lanes_through(const Topology& topology, Ports ports, bool sends) {
  if (ports.unlimited() || topology.is_outline()) return kAllPorts;
  std::vector<std::vector<uint32_t>> widths(topology.num_nodes());
  for (const ArcId arc : topology.arcs())
    widths[index(sends ? topology.tail(arc) : topology.head(arc))].push_back(topology.capacity(arc));
  uint64_t most = 1;
  for (std::vector<uint32_t>& of_node : widths) {
    std::ranges::sort(of_node, std::greater());
    of_node.resize(std::min<size_t>(of_node.size(), ports.count));
    most = std::max(most, std::accumulate(of_node.begin(), of_node.end(), uint64_t{0}));
  }
  return most < UINT32_MAX ? Ports{static_cast<uint32_t>(most)} : kAllPorts;
}

// Single packets for one round after another. A message over a wide arc becomes several transfers, for each of which
// there must be a port.
Problem one_packet_a_round(const Problem& problem) {
  Model model = problem.model();
  model.packets = Packets::kOne;
  model.queue_limit.reset();
  if (has_wide_arcs(problem.topology())) {
    model.send = lanes_through(problem.topology(), model.send, true);
    model.receive = lanes_through(problem.topology(), model.receive, false);
  }
  return {problem.topology(), problem.collective(), model};
}

// Of the blocks that all alike go everywhere, or come from everywhere, one. Nothing for other collectives.
std::optional<Problem> one_block(const Problem& problem) {
  const Collective& c = problem.collective();
  const CollectiveKind kind = c.kind();
  if (kind != CollectiveKind::kBroadcast && kind != CollectiveKind::kReduce &&
      kind != CollectiveKind::kAllreduce)
    return std::nullopt;
  Model model = problem.model();
  model.packets = Packets::kOne;
  model.queue_limit.reset();
  return Problem(problem.topology(),
                 Collective::for_figures(kind, c.num_ranks(), c.root().value_or(Rank{0}), 1), model);
}

// Blocks that are counted in transfers prove nothing about steps that take any number of them.
bool holds_for_many(const BoundWitness& witness) {
  return std::holds_alternative<InformedWitness>(witness) ||
         std::holds_alternative<RefutationWitness>(witness);
}

std::optional<Bound> on_steps_of_many(const BoundCard& card, const Problem& problem) {
  if (const std::optional<Problem> one = one_block(problem)) {
    std::optional<Bound> bound = KeptBounds::evaluate(card, *one);
    if (bound && bound->evidence && !holds_for_many(*bound->evidence)) bound->evidence.reset();
    return bound;
  }
  // These count who can have heard of whom.
  if (&card == &bounds::distance || &card == &bounds::doubling || &card == &bounds::doubling_by_degree)
    return KeptBounds::evaluate(card, problem);
  return std::nullopt;
}

}  // namespace

std::vector<Bound> bounds_of(const BoundCard& card, const Problem& problem) {
  std::vector<Bound> out;
  if (problem.collective().counts() != nullptr && !card.knows_counts) return out;
  if (problem.topology().is_outline() && !card.knows_outlines) return out;
  if (problem.model().packets == Packets::kOne) {
    if (std::optional<Bound> bound = KeptBounds::evaluate(card, problem)) out.push_back(*std::move(bound));
    return out;
  }
  if (std::optional<Bound> steps = on_steps_of_many(card, problem)) out.push_back(*std::move(steps));
  if (std::optional<Bound> rounds = KeptBounds::evaluate(card, one_packet_a_round(problem))) {
    rounds->on = BoundOn::kCriticalBlocks;
    rounds->evidence.reset();
    out.push_back(*std::move(rounds));
  }
  return out;
}

std::optional<Rational> rounds_of_each(const BoundCard& card, const Problem& problem) {
  if (card.of_each == nullptr || problem.topology().is_outline() || problem.collective().counts() != nullptr)
    return std::nullopt;
  return card.of_each(problem.model().packets == Packets::kOne ? problem : one_packet_a_round(problem));
}

// On large networks, where some cards take a tenth of a second, by two threads, if what they say is kept: whoever asks for it again
// takes no longer.
std::vector<Bound> all_bounds(const Problem& problem) {
  constexpr uint32_t kFewNodes = 128;
  std::array<std::vector<Bound>, std::size(kCards)> said;
  std::atomic<size_t> next{0};
  const auto ask = [&] {
    for (size_t i = next++; i < said.size(); i = next++) said[i] = bounds_of(*kCards[i], problem);
  };
  KeptBounds* const kept_here = KeptBounds::of_this_thread();
  if (kept_here == nullptr || problem.topology().num_nodes() <= kFewNodes ||
      problem.topology().is_outline()) {
    ask();
  } else {
    both_at_once(ask, [&, wishes = SearchLimits::now()] {
      const KeptBounds kept(kept_here);
      const SearchLimits limits(wishes);
      ask();
    });
  }
  std::vector<Bound> out;
  for (std::vector<Bound>& by_card : said) std::ranges::move(by_card, std::back_inserter(out));
  return out;
}

std::span<const BoundCard* const> quick_bound_cards() {
  static const std::vector<const BoundCard*> cards = [] {
    std::vector<const BoundCard*> quick;
    std::ranges::copy_if(kCards, std::back_inserter(quick),
                         [](const BoundCard* card) { return !card->takes_long; });
    constexpr std::array kFirst = {&bounds::ports,
                                   &bounds::degree,
                                   &bounds::doubling,
                                   &bounds::distance,
                                   &bounds::doubling_by_degree,
                                   &bounds::average_status};
    std::stable_partition(quick.begin(), quick.end(), [&](const BoundCard* card) {
      return std::ranges::find(kFirst, card) != kFirst.end();
    });
    return quick;
  }();
  return cards;
}

std::vector<Bound> quick_bounds(const Problem& problem) {
  std::vector<Bound> out;
  for (const BoundCard* card : kCards) {
    if (card->takes_long) continue;
    for (Bound& bound : bounds_of(*card, problem)) out.push_back(std::move(bound));
  }
  return out;
}

Bound best_of(std::span<const Bound> bounds, BoundOn on) {
  Bound best{bounds::distance.name, Rational(0), "nothing has to move", on};
  for (const Bound& bound : bounds) {
    if (bound.on == on && bound.value.ceil() > best.value.ceil()) best = bound;
  }
  if (on != BoundOn::kCriticalBlocks) return best;
  // A transfer carries at least one block, so each step in which something is sent adds at least one to the
  // critical path; steps in which nothing is sent can be left out of any plan.
  for (const Bound& bound : bounds) {
    if (bound.on == BoundOn::kSteps && bound.value.ceil() > best.value.ceil()) best = bound;
  }
  best.on = on;
  return best;
}

Bound best_bound(const Problem& problem, BoundOn on) { return best_of(all_bounds(problem), on); }

}  // namespace quadrille
