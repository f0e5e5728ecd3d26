#include "quadrille/transforms/relabel.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/collective/counts.h"

namespace quadrille {
namespace {

void check_permutation(const Topology& topology, std::span<const NodeId> image, const Topology& onto) {
  if (image.size() != topology.num_nodes() || image.size() != onto.num_nodes()) {
    throw InputError(fmt::format("a mapping of {} nodes does not fit {}, which has {}", image.size(),
                                 topology.name(), topology.num_nodes()));
  }
  std::vector<char> taken(image.size(), 0);
  for (size_t v = 0; v < image.size(); ++v) {
    if (index(image[v]) >= image.size()) {
      throw InputError(fmt::format("node {} is mapped to {}, which does not exist", v, index(image[v])));
    }
    if (taken[index(image[v])]++ != 0) {
      throw InputError(fmt::format("two nodes are mapped to {}, one of them {}", index(image[v]), v));
    }
    if (topology.rank(id_at<NodeId>(v)).has_value() != onto.rank(image[v]).has_value()) {
      throw InputError(
          fmt::format("node {} is mapped to {}, but only one of them is an endpoint", v, index(image[v])));
    }
  }
}

Rank image_of(const Topology& topology, std::span<const NodeId> image, const Topology& onto, Rank rank) {
  return *onto.rank(image[index(topology.endpoint(rank))]);
}

Collective image_of(const Problem& problem, std::span<const NodeId> image, const Topology& onto) {
  const Collective& collective = problem.collective();
  const auto map = [&](Rank rank) { return image_of(problem.topology(), image, onto, rank); };
  if (const Counts* counts = collective.counts()) {
    std::vector<Counts::Entry> moved(counts->entries().begin(), counts->entries().end());
    for (Counts::Entry& e : moved) e = {map(e.from), map(e.to), e.count};
    return Collective::counted(Counts(collective.num_ranks(), std::move(moved)));
  }
  return Collective::standard(collective.kind(), collective.num_ranks(),
                              collective.root() ? map(*collective.root()) : Rank{0}, collective.pieces());
}

// `mapped` is the collective that the blocks then belong to.
BlockId image_of(const Problem& problem, std::span<const NodeId> image, const Topology& onto,
                 const Collective& mapped, BlockId block) {
  const Collective& collective = problem.collective();
  const auto map = [&](Rank rank) { return image_of(problem.topology(), image, onto, rank); };
  const auto piece = static_cast<uint32_t>(index(block) % collective.pieces());
  switch (collective.kind()) {
    case CollectiveKind::kAlltoallv:
      return mapped.block(map(collective.origin(block)), map(collective.destination(block)),
                          collective.name(block).parts[2]);
    case CollectiveKind::kAlltoall:
      return collective.block(map(collective.origin(block)), map(collective.destination(block)), piece);
    case CollectiveKind::kScatter:
    case CollectiveKind::kReduceScatter:
      return collective.block(map(collective.destination(block)), piece);
    case CollectiveKind::kGather:
    case CollectiveKind::kAllgather:
      return collective.block(map(collective.origin(block)), piece);
    default:
      return block;
  }
}

ArcId image_of(const Topology& topology, std::span<const NodeId> image, const Topology& onto, ArcId arc) {
  const NodeId tail = image[index(topology.tail(arc))];
  const NodeId head = image[index(topology.head(arc))];
  const std::optional<ArcId> found = onto.find_arc(tail, head);
  if (!found) {
    throw InputError(
        fmt::format("the mapping is no symmetry of {}: the link from {} to {} is mapped to {} and {}, "
                    "which are not linked",
                    topology.name(), topology.label(topology.tail(arc)), topology.label(topology.head(arc)),
                    onto.label(tail), onto.label(head)));
  }
  return *found;
}

}  // namespace

Problem relabelled(const Problem& problem, std::span<const NodeId> image) {
  return relabelled(problem, image, problem.topology());
}

Problem relabelled(const Problem& problem, std::span<const NodeId> image, const Topology& onto) {
  check_permutation(problem.topology(), image, onto);
  return Problem(onto, image_of(problem, image, onto), problem.model());
}

Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image) {
  return relabel(problem, plan, image, problem.topology());
}

Plan relabel(const Problem& problem, const Plan& plan, std::span<const NodeId> image, const Topology& onto) {
  check_permutation(problem.topology(), image, onto);
  const Collective mapped = image_of(problem, image, onto);
  Plan out;
  StepBuilder builder;
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      path.clear();
      blocks.clear();
      for (const ArcId arc : step.arcs(t)) path.push_back(image_of(problem.topology(), image, onto, arc));
      for (const BlockId block : step.blocks(t))
        blocks.push_back(image_of(problem, image, onto, mapped, block));
      builder.add(path, blocks, step.op(t), step.slots_of(t));
    }
    builder.flush(out);
  }
  return out;
}

}  // namespace quadrille
