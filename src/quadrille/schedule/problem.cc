#include "quadrille/schedule/problem.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// One port is always allowed, also where there is no link.
void check_ports(const Topology& topology, Ports ports, std::string_view direction) {
  if (ports.unlimited() || ports.count == 1) return;
  const uint64_t most = direction == "send" ? most_links_out(topology) : most_links_in(topology);
  if (ports.count <= most) return;
  throw InputError(
      fmt::format("{} {} ports, but no node of {} has more than {} link{}; 'all' means as many as there are",
                  ports.count, direction, topology.name(), most, most == 1 ? "" : "s"));
}

}  // namespace

Problem::Problem(Topology topology, Collective collective, Model model)
    : topology_(std::move(topology)), collective_(std::move(collective)), model_(model) {
  if (collective_.num_ranks() != topology_.num_endpoints()) {
    throw InputError(fmt::format("{} of {} ranks does not fit {}, which has {} endpoints", collective_.name(),
                                 collective_.num_ranks(), topology_.name(), topology_.num_endpoints()));
  }
  check_ports(topology_, model_.send, "send");
  check_ports(topology_, model_.receive, "receive");
  if (model_.routing == Routing::kDimensionOrder && topology_.product() == nullptr) {
    throw InputError(fmt::format(
        "{} has no dimensions to order: dimension_order routing needs a product, a mesh or a torus",
        topology_.name()));
  }
  if (model_.routing != Routing::kAny && !takes_paths(model_)) {
    throw InputError(
        fmt::format("routing={} with packet switching: only worms have paths to choose; with "
                    "switching=wormhole they have",
                    to_text(model_.routing)));
  }
  if (model_.packets == Packets::kMany && takes_paths(model_)) {
    throw InputError(
        fmt::format("packets=many with {} switching: its messages carry any number of blocks anyway; "
                    "packets=many is for packet switching",
                    to_text(model_.switching)));
  }
  if (model_.combining == Operator::kOrdered && collective_.flow() != Flow::kCombine) {
    throw InputError(
        fmt::format("operator=ordered: {} combines nothing; it is for reduce, reduce_scatter and allreduce",
                    collective_.name()));
  }
  if (model_.queue_limit && collective_.flow() == Flow::kCombine) {
    throw InputError(
        fmt::format("queues cannot be limited in {}: contributions merge on their way, and queues "
                    "are counted only where blocks move or are copied",
                    collective_.name()));
  }
}

BlockName Problem::block_name(BlockId block) const {
  BlockName name = collective_.name(block);
  const uint32_t ranks = name.size - (name.has_piece ? 1 : 0);
  for (uint32_t i = 0; i < ranks; ++i) {
    name.parts[i] = static_cast<uint32_t>(index(topology_.endpoint(Rank{name.parts[i]})));
  }
  return name;
}

std::string Problem::block_label(BlockId block) const {
  const BlockName name = block_name(block);
  const uint32_t nodes = name.size - (name.has_piece ? 1 : 0);
  std::string out;
  for (uint32_t i = 0; i < nodes; ++i) {
    if (i > 0) out += "->";
    out += topology_.label(NodeId{name.parts[i]});
  }
  const std::string_view part = collective_.counts() == nullptr ? "piece" : "number";
  if (name.has_piece) out += fmt::format("{}{} {}", nodes > 0 ? " " : "", part, name.parts[name.size - 1]);
  return out;
}

std::optional<BlockId> Problem::find_block(std::span<const uint32_t> parts) const {
  // All names of a collective have the same form.
  const BlockName form = collective_.name_form();
  if (parts.size() != form.size) return std::nullopt;
  std::array<uint32_t, 3> ranks{};
  for (uint32_t i = 0; i < form.size; ++i) {
    ranks[i] = parts[i];
    if (i + 1 == form.size && form.has_piece) continue;
    if (parts[i] >= topology_.num_nodes()) return std::nullopt;
    const std::optional<Rank> rank = topology_.rank(NodeId{parts[i]});
    if (!rank) return std::nullopt;
    ranks[i] = static_cast<uint32_t>(index(*rank));
  }
  return collective_.find_block(std::span<const uint32_t>(ranks).first(form.size));
}

std::string Problem::title() const { return fmt::format("{} on {}", collective_.name(), topology_.name()); }

namespace {

Rank rank_of_root(const Topology& topology, NodeId root) {
  if (root == kNoNode) return Rank{0};
  if (index(root) >= topology.num_nodes()) {
    throw InputError(fmt::format("root {} does not exist: the nodes of {} are 0 to {}", index(root),
                                 topology.name(), topology.num_nodes() - 1));
  }
  const std::optional<Rank> found = topology.rank(root);
  if (!found) {
    throw InputError(
        fmt::format("root {} of {} only routes; a root must be an endpoint", index(root), topology.name()));
  }
  return *found;
}

}  // namespace

Problem standard_problem(Topology topology, CollectiveKind kind, Model model, NodeId root, uint32_t pieces) {
  const Rank rank = rank_of_root(topology, root);
  const uint32_t ranks = topology.num_endpoints();
  return Problem(std::move(topology), Collective::standard(kind, ranks, rank, pieces), model);
}

Problem problem_for_figures(Topology topology, CollectiveKind kind, Model model, NodeId root,
                            uint32_t pieces) {
  const Rank rank = rank_of_root(topology, root);
  const uint32_t ranks = topology.num_endpoints();
  return Problem(std::move(topology), Collective::for_figures(kind, ranks, rank, pieces), model);
}

}  // namespace quadrille
