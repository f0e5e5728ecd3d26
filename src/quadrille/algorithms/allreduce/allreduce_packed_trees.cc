// Allreduce of many pieces over many trees at once, up and down again: see trees/up_and_down_trees.h.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/trees/up_and_down_trees.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_packed_trees;

namespace allreduce_packed_trees_parts {
namespace {

constexpr uint32_t kVeryFewNodes = 20;
constexpr uint32_t kSmallNetwork = 128;
constexpr uint64_t kMostEntries = uint64_t{1} << 21U;
constexpr uint32_t kMostNodes = 2048;
// With few ports, where links are chosen one by one in every step, on more than so many nodes.
constexpr uint32_t kManyNodes = 1024;
constexpr uint32_t kNearlyNever = 512;
constexpr uint64_t kMostEntriesOfMany = uint64_t{1} << 18U;

uint64_t links_of(const Topology& net, NodeId v) {
  uint64_t links = 0;
  for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
  return links;
}

bool has_few_ports(const Model& model) { return !model.send.unlimited() || !model.receive.unlimited(); }

// Whether a reduce_scatter and an allgather use all links alike.
bool is_regular(const Problem& problem) {
  const Topology& net = problem.topology();
  if (net.has_routers()) return false;
  uint64_t few = UINT64_MAX;
  uint64_t many = 0;
  for (const NodeId v : net.nodes()) {
    const uint64_t links = links_of(net, v);
    few = std::min(few, links);
    many = std::max(many, links);
  }
  return few == many;
}

// In fewer pieces than nodes trees may be a little shorter there, too, if what comes down is spread anew (packing/swarms/halves_in_turn.h).
bool is_for_regular(const Problem& problem) {
  const uint32_t nodes = problem.topology().num_nodes();
  return !has_few_ports(problem.model()) && nodes > kVeryFewNodes && problem.collective().pieces() < nodes;
}

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& net = problem.topology();
  if (!sends_single_packets(model)) return Applicability::for_single_packets();
  if (model.duplex == Duplex::kHalf) return Applicability::no("its links carry both ways at once");
  if (problem.collective().pieces() < 2)
    return Applicability::no("its trees share out the pieces: 2 or more");
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  if (net.is_directed())
    return Applicability::no("what goes up a tree must come down again: undirected networks");
  if (is_regular(problem) && !is_for_regular(problem)) {
    return Applicability::no(
        "where all nodes have as many links, a reduce_scatter and an allgather use all of them, but for fewer "
        "pieces than nodes");
  }
  const uint64_t entries = uint64_t{net.num_nodes()} * problem.collective().pieces();
  const uint64_t most =
      has_few_ports(model) && net.num_nodes() > kManyNodes ? kMostEntriesOfMany : kMostEntries;
  if (net.num_nodes() <= kMostNodes && entries <= most) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it makes a timetable of every piece at every node: at most {} of them on {} nodes, {} has {} on {}",
      with_thousands(most), with_thousands(kMostNodes), problem.title(), with_thousands(entries),
      with_thousands(net.num_nodes())));
}

// On small networks all numbers of pieces are tried in any case.
Chunking chunks(const Problem& problem) {
  return {.unit = 1, .streams = problem.topology().num_nodes() > kSmallNetwork};
}

// What is asked whether it is worth making: where many trees share the links of many nodes, no timetable, in the pieces that there may be,
// comes nearer to what the trees need than a thirtieth (mesh(32,32) in 512 pieces: 336 steps for 317). With few ports their start and
// end take more (mesh(32,32), 72 pieces: with one port 191 for 144, with two 129 for 97; 512: 1,069 for 1,023 and 536 for 512).
uint64_t hardly_less_than(const Problem& problem) {
  const Topology& net = problem.topology();
  if (WorthMaking::is_by_time() && is_regular(problem)) return UINT64_MAX;  // steps alone are worth the while
  const uint64_t least = least_up_and_down_steps(problem);
  const bool is_tree = net.num_arcs() <= 2 * (net.num_nodes() - 1);
  if (net.num_nodes() <= kNearlyNever || net.has_routers() || is_tree) return least;
  const uint64_t more = least / 32;
  if (!has_few_ports(problem.model())) return least + more;
  return least + std::max<uint64_t>(more, eccentricity(net, NodeId{0}) / 3);
}

Preparation prepare(const Problem& problem) {
  return prepare_if_wanted(
      problem, hardly_less_than, [](const Problem& p, uint64_t) { return up_and_down_trees(p); }, true);
}

}  // namespace
}  // namespace allreduce_packed_trees_parts

constinit const Algorithm allreduce_packed_trees = {
    .name = "allreduce_packed_trees",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "each piece up a tree and down again, on trees that together use all links alike, staggered, then down any free links",
    .source = "ours; fractional packings of spanning trees: Nash-Williams and Tutte 1961",
    .remarks =
        "undirected graphs whose nodes differ in their links, or have routers between them, any ports, several pieces; all "
        "regular ones with all ports for fewer pieces than nodes; 5 % above the bound for 1,024 pieces on a mesh of 16 x "
        "16, where every node's collecting its share takes twice as long",
    .is_asked_last = true,
    .applies = allreduce_packed_trees_parts::applies,
    .chunks = allreduce_packed_trees_parts::chunks,
    .prepare = allreduce_packed_trees_parts::prepare,
};

}  // namespace quadrille::algorithms
