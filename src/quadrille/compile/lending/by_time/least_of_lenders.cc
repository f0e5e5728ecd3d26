#include "quadrille/compile/lending/by_time/least_of_lenders.h"

#include <algorithm>
#include <span>

#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/lending/by_time/loans_at_large.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// What a round of messages of so many bytes takes: where a step has a packet, a start-up, too.
double time_of_round(const Model& model, uint64_t bytes) {
  const double start_up = sends_single_packets(model) ? model.cost.ts : 0;
  return start_up + static_cast<double>(bytes) * model.cost.tx;
}

}  // namespace

const ExchangeHops& LeastOfLenders::hops() {
  if (hops_) return *hops_;
  ExchangeHops& out = hops_.emplace();
  for_each_distance_row(topology_, [&](NodeId, std::span<const uint32_t> row) {
    for (const NodeId v : topology_.endpoints()) out.all += row[index(v)];
  });
  const uint64_t pairs = uint64_t{topology_.num_endpoints()} * (topology_.num_endpoints() - 1);
  const auto ends = topology_.endpoints();
  const bool hosts_pass_nothing_on =
      std::ranges::all_of(ends, [&](NodeId v) { return topology_.out_degree(v) == 1; });
  if (hosts_pass_nothing_on) out.of_routers = out.all - pairs;
  return out;
}

// For its hops, if every node sends all that its ports and links let it send.
double LeastOfLenders::of_exchange(const Problem& lender, uint64_t bytes) {
  const Topology& topology = lender.topology();
  const Ports ports = lender.model().send;
  const bool has_ports = !ports.unlimited() && !takes_paths(lender.model());
  const uint64_t widest = topology.capacity_range().second;
  uint64_t sent = 0;  // a round
  uint64_t by_routers = 0;
  for (const NodeId v : topology.nodes()) {
    uint64_t most = 0;
    for (const ArcId arc : topology.arcs_from(v)) most += topology.capacity(arc);
    if (has_ports) most = std::min(most, ports.count * widest);
    sent += most;
    if (!topology.rank(v)) by_routers += most;
  }
  const auto rounds = [](uint64_t total, uint64_t a_round) {
    return a_round == 0 ? 0 : static_cast<double>(total) / static_cast<double>(a_round);
  };
  return std::max(rounds(hops().all, sent), rounds(hops().of_routers, by_routers)) *
         time_of_round(lender.model(), bytes);
}

// For what goes over links and through ports.
double LeastOfLenders::of_vector(const Problem& lender, uint64_t bytes) {
  const Topology& topology = lender.topology();
  const bool is_turned = topology.is_directed() && !topology.same_graph(topology_);
  const auto [known, is_new] = rounds_.try_emplace(asked_key(lender, is_turned), 0);
  if (is_new) known->second = least_rounds(in_pieces(lender, 1)).to_double();
  return known->second * time_of_round(lender.model(), bytes);
}

// Of others what a node takes to send or receive all blocks but its own, where blocks are whole messages.
double LeastOfLenders::time(const Problem& lender, uint64_t bytes) {
  const Collective& collective = lender.collective();
  if (moves_vector(collective.kind())) return of_vector(lender, bytes);
  const bool exchanges = collective.kind() == CollectiveKind::kAlltoall;
  const double for_hops = exchanges ? of_exchange(lender, bytes) : 0;
  const Topology& topology = lender.topology();
  const uint32_t widest = topology.capacity_range().second;
  const auto links = static_cast<double>(std::max(port_limit(topology, lender.model(), true),
                                                  port_limit(topology, lender.model(), false))) *
                     widest;
  const double for_ports =
      (collective.num_ranks() - 1) * time_of_round(lender.model(), bytes) / std::max(1.0, links);
  return std::max(for_ports, for_hops);
}

void LeastOfLenders::take_over(LeastOfLenders& from) {
  rounds_.merge(from.rounds_);
  if (!hops_) hops_ = from.hops_;
}

}  // namespace quadrille
