#include "quadrille/schedule/counts/stated_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

Rank endpoint_rank(const Topology& topology, uint32_t node, const StatedCount& stated, size_t at) {
  if (node >= topology.num_nodes()) {
    throw StatedCountError(at, fmt::format("node {} does not exist: the nodes of {} are 0 to {}", node,
                                           topology.name(), topology.num_nodes() - 1));
  }
  if (const std::optional<Rank> rank = topology.rank(NodeId{node})) return *rank;
  throw StatedCountError(
      at, fmt::format("a count from {} to {}: node {} of {} only routes; blocks go from endpoint to endpoint",
                      topology.label(NodeId{stated.from}),
                      stated.to < topology.num_nodes() ? topology.label(NodeId{stated.to})
                                                       : fmt::format("{}", stated.to),
                      topology.label(NodeId{node}), topology.name()));
}

}  // namespace

Counts counts_of(const Topology& topology, std::span<const StatedCount> stated, uint64_t most) {
  std::vector<Counts::Entry> entries;
  entries.reserve(stated.size());
  uint64_t blocks = 0;
  for (size_t i = 0; i < stated.size(); ++i) {
    const Rank from = endpoint_rank(topology, stated[i].from, stated[i], i);
    const Rank to = endpoint_rank(topology, stated[i].to, stated[i], i);
    entries.push_back({from, to, stated[i].count});
    blocks += stated[i].count;
  }
  if (blocks > most) {
    throw InputError(fmt::format(
        "the counts add up to {} blocks, and no more than {} are allowed here; count in larger units", blocks,
        most));
  }
  const auto pair = [&](size_t i) { return std::pair(stated[i].from, stated[i].to); };
  const auto in_order = [&] {
    for (size_t i = 1; i < stated.size(); ++i)
      if (pair(i) <= pair(i - 1)) return false;
    return true;
  };
  if (!in_order()) {
    std::vector<size_t> order(stated.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return pair(a) < pair(b); });
    std::optional<size_t> second;  // of those that come twice the first in the file
    for (size_t i = 1; i < order.size(); ++i)
      if (pair(order[i]) == pair(order[i - 1])) second = std::min(second.value_or(order[i]), order[i]);
    if (second) {
      throw StatedCountError(*second, fmt::format("a second count from {} to {}; a pair of nodes has one",
                                                  topology.label(NodeId{stated[*second].from}),
                                                  topology.label(NodeId{stated[*second].to})));
    }
  }
  return Counts(topology.num_endpoints(), std::move(entries));
}

Problem counted_problem(Topology topology, Counts counts, Model model) {
  return Problem(std::move(topology), Collective::counted(std::move(counts)), model);
}

}  // namespace quadrille
