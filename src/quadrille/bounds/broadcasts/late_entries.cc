// Late entries: a far part of the network that a broadcast enters through few nodes must be informed from these.
//
// Take a set of nodes without the root. Each of its nodes has heard, hop by hop within the set, from one that has heard from outside,
// and that is one of those with a link from outside, no sooner than it is hops away from the root. From one that hears at the end of
// step d no more than (k + 1)^(T - d) nodes can have heard by the end of step T, with k ports. So the sum of these is at least the
// number of endpoints in the set. Looked at are all nodes within so many hops of one of them, and what hangs together of those that are so
// far from the root. A reduction is the same backwards.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::bounds {

extern const BoundCard late_entries;

namespace late_entries_parts {
namespace {

constexpr uint64_t kMostLooked = 20'000'000;  // links, from all nodes, at all distances
constexpr uint32_t kMostHops = 6;             // around a node

struct FarPart {
  uint64_t steps = 0;  // that it takes at least; 0: there is none
  uint64_t endpoints = 0;
  uint64_t entries = 0;
  uint32_t first = 0;  // hops from the root to the nearest of these
};

class FarParts {
 public:
  FarParts(const Topology& topology, const Dissemination& spread)
      : topology_(topology),
        hops_(spread.hops),
        a_step_(spread.fan_out + 1),
        to_(topology.num_nodes()),
        from_(topology.num_nodes()),
        part_of_(topology.num_nodes(), 0) {
    for (const ArcId arc : topology.arcs()) {
      const size_t tail = index(spread.backwards ? topology.head(arc) : topology.tail(arc));
      const size_t head = index(spread.backwards ? topology.tail(arc) : topology.head(arc));
      to_[tail].push_back(static_cast<uint32_t>(head));
      from_[head].push_back(static_cast<uint32_t>(tail));
    }
    root_ = static_cast<uint32_t>(index(spread.root));
  }

  // The part that takes longest.
  [[nodiscard]] FarPart latest() && {
    look_at_levels();
    look_around_nodes();
    return best_;
  }

 private:
  void look_around_nodes() {
    std::vector<uint32_t> farthest_first(to_.size());
    std::iota(farthest_first.begin(), farthest_first.end(), 0U);
    std::ranges::stable_sort(farthest_first, [&](uint32_t a, uint32_t b) { return hops_[a] > hops_[b]; });
    for (const uint32_t v : farthest_first) {
      if (v == root_) continue;
      begin(v);
      for (uint32_t hops = 1; hops <= kMostHops && looked_ < kMostLooked; ++hops) {
        const size_t before = part_.size();
        if (!grow([](uint32_t) { return true; }) || part_.size() == before) break;
        hold();
      }
    }
  }
  // Those that are so far from the root, and hang together.
  void look_at_levels() {
    const uint32_t farthest = *std::ranges::max_element(hops_);
    for (uint32_t level = farthest; level > 0 && looked_ < kMostLooked; --level) {
      ++number_;
      const uint64_t first = number_;
      for (uint32_t v = 0; v < to_.size(); ++v) {
        if (hops_[v] < level || part_of_[v] >= first) continue;
        begin(v);
        for (size_t before = 0; before != part_.size();) {
          before = part_.size();
          static_cast<void>(grow([&](uint32_t w) { return hops_[w] >= level; }));
        }
        hold();
      }
    }
  }

  void begin(uint32_t v) {
    part_.assign(1, v);
    grown_ = 0;
    part_of_[v] = ++number_;
  }
  // With all neighbours that may be in it; false if the root is one.
  template <typename May>
  bool grow(May may) {
    for (const size_t end = part_.size(); grown_ < end; ++grown_) {
      for (const auto* others : {&to_, &from_}) {
        looked_ += (*others)[part_[grown_]].size();
        for (const uint32_t w : (*others)[part_[grown_]]) {
          if (part_of_[w] == number_ || !may(w)) continue;
          if (w == root_) return false;  // a level has none
          part_of_[w] = number_;
          part_.push_back(w);
        }
      }
    }
    return true;
  }
  void hold() {
    uint64_t endpoints = 0;
    std::vector<uint32_t> entries;  // when
    for (const uint32_t v : part_) {
      endpoints += topology_.rank(NodeId{v}) ? 1 : 0;
      looked_ += from_[v].size();
      if (std::ranges::any_of(from_[v], [&](uint32_t u) { return part_of_[u] != number_; }))
        entries.push_back(hops_[v]);
    }
    if (endpoints == 0 || entries.empty()) return;
    const auto informed_in = [&](uint64_t steps) {
      UInt128 informed = 0;
      for (const uint32_t entry : entries) {
        UInt128 of_entry = steps >= entry ? 1 : 0;
        for (uint64_t t = entry; t < steps && of_entry < endpoints; ++t) of_entry *= a_step_;
        if ((informed += of_entry) >= endpoints) return true;
      }
      return false;
    };
    if (best_.steps > 0 && informed_in(best_.steps)) return;
    uint64_t steps = best_.steps + 1;
    while (!informed_in(steps)) ++steps;
    best_ = {steps, endpoints, entries.size(), *std::ranges::min_element(entries)};
  }

  const Topology& topology_;
  const std::vector<uint32_t>& hops_;
  uint64_t a_step_;
  std::vector<std::vector<uint32_t>> to_;
  std::vector<std::vector<uint32_t>> from_;
  std::vector<uint64_t> part_of_;  // the number of the part that a node was in last
  uint64_t number_ = 0;
  std::vector<uint32_t> part_;
  size_t grown_ = 0;  // of these, those whose neighbours are in it
  uint32_t root_ = 0;
  uint64_t looked_ = 0;
  FarPart best_{};
};

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.is_outline() || uint64_t{topology.num_nodes()} * topology.num_arcs() > kMostLooked)
    return std::nullopt;
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  static LastAnswers<std::tuple<NodeId, bool, uint64_t>, FarPart> kept(8);
  const FarPart part = kept.of(topology, {spread->root, spread->backwards, spread->fan_out},
                               [&] { return FarParts(topology, *spread).latest(); });
  if (part.steps <= *std::ranges::max_element(spread->hops)) return std::nullopt;  // as distance says
  return Bound{late_entries.name, Rational(static_cast<int64_t>(part.steps + spread->head_start)),
               fmt::format("of {} far from {} all {} others only through {}, {} away at the nearest{}",
                           plural(part.endpoints, "endpoint"), topology.label(spread->root),
                           spread->backwards ? "are heard of by" : "hear from", plural(part.entries, "node"),
                           plural(part.first, "hop"), spread->head_start_text())};
}

}  // namespace
}  // namespace late_entries_parts

constinit const BoundCard late_entries = {
    .name = "late_entries",
    .summary = "a broadcast enters a far part of the network through few nodes, late, and spreads from these",
    .source = "counting; ours",
    .evaluate = late_entries_parts::evaluate,
};

}  // namespace quadrille::bounds
