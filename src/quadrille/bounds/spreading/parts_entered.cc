// Parts entered: whoever enters a part of the network over few links late cannot be heard by all of it in time.
//
// Cut the network into parts. Whatever is told enters a part from one that it has entered, over a link out of that, of which each
// carries one message a step: so few parts are entered after so many steps, even if those of most links come first. And a part takes its time:
// what enters it over c links in a step informs c nodes, and of x nodes in it that know after a step there are no more than x, what these can
// send within it, and c, after the next. If k parts with endpoints take j steps or more after the step that enters them, all k must be entered j steps before the
// end. In a ring of 15 cliques of 10 nodes a clique takes a step more than that which enters it, and it takes three steps
// to enter them all: 4, where doubling says 3. Gathering and reducing are the same backwards.
//
// Parts are cliques, boxes, boughs (topology/structure/nested_parts.h). It counts who hears of whom, and so it holds for worms of any number of blocks.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/structure/nested_parts.h"
#include "quadrille/topology/transposed.h"

namespace quadrille::bounds {

extern const BoundCard parts_entered;

namespace parts_entered_parts {
namespace {

constexpr uint32_t kMostNodes = 2'048;
constexpr uint64_t kMostArcs = uint64_t{1} << 15U;

struct Part {
  uint64_t endpoints = 0;
  uint64_t in = 0;
  uint64_t out = 0;
  std::vector<uint64_t> sends{};  // of each node, within it in a step
};

std::vector<Part> parts_of(const Topology& net, const std::vector<uint32_t>& part_of, Ports send) {
  std::vector<Part> out(*std::ranges::max_element(part_of) + 1);
  for (const NodeId v : net.nodes()) {
    Part& part = out[part_of[index(v)]];
    if (net.rank(v)) ++part.endpoints;
    uint64_t within = 0;
    uint64_t leaving = 0;
    for (const ArcId arc : net.arcs_from(v)) {
      const uint32_t to = part_of[index(net.head(arc))];
      if (to == part_of[index(v)]) {
        within += net.capacity(arc);
        continue;
      }
      leaving += net.capacity(arc);
      out[to].in += net.capacity(arc);
    }
    part.sends.push_back(limited(send, within));
    part.out += leaving;
  }
  for (Part& part : out) {
    if (!send.unlimited()) part.out = std::min(part.out, uint64_t{send.count} * part.sends.size());
    std::ranges::sort(part.sends, std::greater());
  }
  return out;
}

// Steps after the one that enters it until all of a part can know.
uint64_t steps_within(const Part& part) {
  uint64_t steps = 0;
  uint64_t know = 0;
  uint64_t sent = 0;
  for (uint64_t told = part.in; know + told < part.endpoints; ++steps) {
    const uint64_t now = std::min<uint64_t>(know + told, part.sends.size());
    for (uint64_t i = know; i < now; ++i) sent += part.sends[i];
    know = now;
    told = sent + part.in;
  }
  return steps;
}

// Steps until so many others can have been entered, out of the root's part, in the first step by the root alone.
uint64_t steps_to_enter(uint64_t parts, uint64_t by_root, uint64_t by_its_part,
                        const std::vector<uint64_t>& out) {
  uint64_t steps = 0;
  uint64_t entered = 0;
  uint64_t by_others = 0;
  for (uint64_t leaving = std::min(by_root, by_its_part); entered < parts && leaving > 0; ++steps) {
    const uint64_t now = std::min<uint64_t>(entered + leaving, out.size());
    for (; entered < now; ++entered) by_others += out[entered];
    leaving = by_its_part + by_others;
  }
  return steps;
}

struct Late {
  uint64_t steps = 0;
  uint64_t parts = 0;   // that must be entered
  uint64_t within = 0;  // steps that each takes then
};

Late latest(const Topology& net, NodeId root, Ports send) {
  Late best;
  const uint64_t by_root = limited(send, kind_of(net, root).out);
  for_each_partition(net, [&](const std::vector<uint32_t>& part_of) {
    std::vector<Part> parts = parts_of(net, part_of, send);
    const uint64_t by_its_part = parts[part_of[index(root)]].out;
    parts.erase(parts.begin() + part_of[index(root)]);
    std::vector<uint64_t> out;
    std::vector<uint64_t> within;
    for (const Part& part : parts) {
      out.push_back(part.out);
      if (part.endpoints > 0) within.push_back(steps_within(part));
    }
    std::ranges::sort(out, std::greater());
    std::ranges::sort(within, std::greater());
    // Of parts that take no step more doubling says as much.
    for (uint64_t many = 1; many <= within.size() && within[many - 1] > 0; ++many) {
      const uint64_t steps = steps_to_enter(many, by_root, by_its_part, out) + within[many - 1];
      if (steps > best.steps) best = {steps, many, within[many - 1]};
    }
  });
  return best;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  if (problem.model().switching == Switching::kShared || !collective.root() || topology.is_outline() ||
      topology.num_nodes() > kMostNodes || topology.num_arcs() > kMostArcs || collective.num_ranks() < 2)
    return std::nullopt;
  const bool backwards =
      collective.kind() == CollectiveKind::kGather || collective.kind() == CollectiveKind::kReduce;
  const NodeId root = topology.endpoint(*collective.root());
  const Late late = latest(backwards ? transposed(topology) : topology, root,
                           backwards ? problem.model().receive : problem.model().send);
  if (late.steps == 0) return std::nullopt;
  return Bound{
      parts_entered.name, Rational(static_cast<int64_t>(late.steps)),
      fmt::format(
          "{} of nodes near to each other, of which each takes {} after the one that enters it: to enter all of them, over "
          "links that carry one message a step, takes {}",
          plural(late.parts, "part"), plural(late.within, "step"), plural(late.steps - late.within, "step")),
      BoundOn::kSteps, std::nullopt};
}

}  // namespace
}  // namespace parts_entered_parts

constinit const BoundCard parts_entered = {
    .name = "parts_entered",
    .summary =
        "how soon parts of the network can be entered over their links, and how long each takes by itself then",
    .source = "ours",
    .evaluate = parts_entered_parts::evaluate,
};

}  // namespace quadrille::bounds
