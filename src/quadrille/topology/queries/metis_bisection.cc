#include "quadrille/topology/queries/metis_bisection.h"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <array>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr idx_t kTries = 10;
constexpr uint64_t kMostArcs = uint64_t{1} << 29U;  // twice as many numbers of 32 bits

// The graph as METIS takes it: every link twice, with what it carries both ways together.
struct Links {
  std::vector<idx_t> begin{0};
  std::vector<idx_t> neighbours;
  std::vector<idx_t> weights;
};

Links links_of(const Topology& topology) {
  struct Half {
    NodeId from;
    NodeId to;
    uint32_t capacity;
  };
  std::vector<Half> halves;
  halves.reserve(size_t{2} * topology.num_arcs());
  for (const ArcId arc : topology.arcs()) {
    halves.push_back({topology.tail(arc), topology.head(arc), topology.capacity(arc)});
    halves.push_back({topology.head(arc), topology.tail(arc), topology.capacity(arc)});
  }
  std::sort(halves.begin(), halves.end(),
            [](const Half& a, const Half& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  Links out;
  size_t i = 0;
  for (const NodeId v : topology.nodes()) {
    while (i < halves.size() && halves[i].from == v) {
      const NodeId to = halves[i].to;
      idx_t weight = 0;
      for (; i < halves.size() && halves[i].from == v && halves[i].to == to; ++i)
        weight += static_cast<idx_t>(halves[i].capacity);
      out.neighbours.push_back(static_cast<idx_t>(index(to)));
      out.weights.push_back(weight);
    }
    out.begin.push_back(static_cast<idx_t>(out.neighbours.size()));
  }
  return out;
}

// METIS keeps to the balance only nearly: endpoints that cost least go over until the halves are equal.
void balance(const Topology& topology, const Links& links, std::vector<idx_t>& part) {
  const auto endpoints = int64_t{topology.num_endpoints()};
  const auto cost = [&](NodeId v) {
    int64_t out = 0;
    for (auto a = static_cast<size_t>(links.begin[index(v)]);
         a < static_cast<size_t>(links.begin[index(v) + 1]); ++a) {
      const bool same = part[static_cast<size_t>(links.neighbours[a])] == part[index(v)];
      out += same ? links.weights[a] : -links.weights[a];
    }
    return out;
  };
  int64_t ones = 0;
  for (const NodeId v : topology.endpoints()) ones += part[index(v)];
  while (2 * ones > endpoints + 1 || 2 * ones < endpoints - 1) {
    const idx_t large = 2 * ones > endpoints ? 1 : 0;
    NodeId cheapest = kNoNode;
    for (const NodeId v : topology.endpoints()) {
      if (part[index(v)] == large && (cheapest == kNoNode || cost(v) < cost(cheapest))) cheapest = v;
    }
    part[index(cheapest)] = 1 - large;
    ones += large == 1 ? -1 : 1;
  }
}

}  // namespace

std::optional<FoundBisection> metis_bisection(const Topology& topology) {
  if (topology.num_endpoints() < 2) return std::nullopt;
  if (topology.num_arcs() > kMostArcs) {
    throw InputError(fmt::format("METIS takes graphs of up to {} arcs; {} has {}", kMostArcs, topology.name(),
                                 topology.num_arcs()));
  }
  Links links = links_of(topology);
  auto nodes = static_cast<idx_t>(topology.num_nodes());
  std::vector<idx_t> sizes(topology.num_nodes(), 0);
  for (const NodeId v : topology.endpoints()) sizes[index(v)] = 1;
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = kTries;
  options[METIS_OPTION_UFACTOR] = 1;  // a thousandth more on one side than on the other
  idx_t constraints = 1;
  idx_t parts = 2;
  idx_t cut_weight = 0;
  std::vector<idx_t> part(topology.num_nodes(), 0);
  const int status = METIS_PartGraphRecursive(
      &nodes, &constraints, links.begin.data(), links.neighbours.data(), sizes.data(), nullptr,
      links.weights.data(), &parts, nullptr, nullptr, options.data(), &cut_weight, part.data());
  QUADRILLE_CHECK(status == METIS_OK, fmt::format("METIS: {} on {}", status, topology.name()));
  balance(topology, links, part);

  FoundBisection out;
  out.cut.description = "found by METIS";
  for (const idx_t p : part) out.cut.side.push_back(p == 0 ? 0 : 1);
  const CutCapacity across = capacity_across(topology, out.cut);
  out.capacity = std::min(across.out, across.in);
  return out;
}

}  // namespace quadrille
