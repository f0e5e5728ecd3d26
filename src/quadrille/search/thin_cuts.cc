#include "quadrille/search/thin_cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "quadrille/search/maximum_flow.h"

namespace quadrille {
namespace {

// Of both sides in turn. Small cores move a cut far, large ones where it must not go.
constexpr std::array kShares = {0.1, 0.35, 0.7};
constexpr uint64_t kFlowWork = 40'000'000;  // arcs looked at, about
constexpr uint64_t kLooksOfAFlow = 20;      // at each

double worth_of(const Topology& topology, const CutSearch& search, const std::vector<char>& side) {
  uint32_t inside = 0;
  for (const NodeId v : topology.endpoints()) inside += side[index(v)] != 0 ? 1 : 0;
  const bool marked = search.marked != kNoNode && side[index(search.marked)] != 0;
  return search.worth(inside, marked, capacity_across(topology, side));
}

// Of one side, those next to the cut first.
std::vector<NodeId> from_the_cut(const Topology& topology, const std::vector<char>& side, char which) {
  std::vector<char> is_found(topology.num_nodes(), 0);
  std::vector<NodeId> out;
  const auto find = [&](NodeId v) {
    if (side[index(v)] != which || is_found[index(v)] != 0) return;
    is_found[index(v)] = 1;
    out.push_back(v);
  };
  for (const ArcId arc : topology.arcs()) {
    if (side[index(topology.tail(arc))] == side[index(topology.head(arc))]) continue;
    find(topology.tail(arc));
    find(topology.head(arc));
  }
  for (size_t i = 0; i < out.size(); ++i)
    for (const ArcId arc : topology.arcs_from(out[i])) find(topology.head(arc));
  for (const NodeId v : topology.nodes()) find(v);  // where no arc of this side leads
  return out;
}

// The thinnest that is worth more, again and again; nothing where there is none.
std::optional<std::vector<char>> thinned(const Topology& topology, const CutSearch& search,
                                         std::vector<char> side, uint64_t& flows) {
  double worth = worth_of(topology, search, side);
  bool is_moved = false;
  for (bool better = true; better;) {
    better = false;
    std::vector<char> best;
    for (const double inside : kShares) {
      for (const double outside : kShares) {
        if (flows == 0) break;
        --flows;
        std::optional<std::vector<char>> moved = thinner_cut(topology, side, {inside, outside});
        const double then = moved ? worth_of(topology, search, *moved) : 0;
        if (then <= worth) continue;
        worth = then;
        best = *std::move(moved);
        better = is_moved = true;
      }
    }
    if (better) side = std::move(best);
  }
  return is_moved ? std::optional(std::move(side)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<char>> thinner_cut(const Topology& topology, const std::vector<char>& side,
                                             CutCores cores) {
  constexpr uint32_t kNone = UINT32_MAX;
  FlowNetwork network;
  std::vector<uint32_t> place(topology.num_nodes(), kNone);
  const auto keep = [&](char which, double share, uint32_t at) {
    const std::vector<NodeId> nodes = from_the_cut(topology, side, which);
    const auto wanted = static_cast<size_t>(std::floor(share * static_cast<double>(nodes.size())));
    for (size_t i = nodes.size() - std::clamp<size_t>(wanted, 1, nodes.size()); i < nodes.size(); ++i)
      place[index(nodes[i])] = at;
  };
  keep(1, cores.inside, FlowNetwork::kSource);
  keep(0, cores.outside, FlowNetwork::kSink);
  for (uint32_t& at : place)
    if (at == kNone) at = network.add_node();
  for (const ArcId arc : topology.arcs()) {
    const uint32_t from = place[index(topology.tail(arc))];
    const uint32_t to = place[index(topology.head(arc))];
    if (from != to && to != FlowNetwork::kSource && from != FlowNetwork::kSink)
      network.add_arc(from, to, topology.capacity(arc));
  }
  const std::optional<std::vector<char>> near = network.cut_below(capacity_across(topology, side).out);
  if (!near) return std::nullopt;
  std::vector<char> out(topology.num_nodes());
  for (size_t v = 0; v < out.size(); ++v) out[v] = (*near)[place[v]];
  return out;
}

void for_each_thin_cut(const Topology& topology, const CutSearch& search,
                       const std::function<void(const Cut&)>& visit) {
  std::vector<Cut> cuts;
  for_each_sparse_cut(topology, search, [&](const Cut& cut) {
    visit(cut);
    cuts.push_back(cut);
  });
  uint64_t flows = kFlowWork / (kLooksOfAFlow * (uint64_t{topology.num_arcs()} + topology.num_nodes() + 1));
  for (Cut& cut : cuts) {
    if (std::optional<std::vector<char>> side = thinned(topology, search, std::move(cut.side), flows))
      visit(cut_by_nodes(topology, *std::move(side)));
  }
}

}  // namespace quadrille
