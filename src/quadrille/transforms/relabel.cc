#include "quadrille/transforms/relabel.h"

#include <fmt/format.h>

#include <utility>

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

InputError no_link(const Topology& topology, std::span<const NodeId> image, const Topology& onto, ArcId arc) {
  const NodeId tail = topology.tail(arc);
  const NodeId head = topology.head(arc);
  return InputError(fmt::format(
      "the mapping is no symmetry of {}: the link from {} to {} is mapped to {} and {}, which are not linked",
      topology.name(), topology.label(tail), topology.label(head), onto.label(image[index(tail)]),
      onto.label(image[index(head)])));
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
  Plan out;
  RelabelledSteps steps(problem, image, onto, out);
  plan.replay(steps);
  return out;
}

RelabelledSteps::RelabelledSteps(Problem problem, std::span<const NodeId> image, Topology onto,
                                 StepSink& sink)
    : problem_(std::move(problem)),
      image_(image.begin(), image.end()),
      onto_(std::move(onto)),
      mapped_((check_permutation(problem_.topology(), image, onto_), image_of(problem_, image, onto_))),
      sink_(sink) {
  const Topology& topology = problem_.topology();
  arc_image_.reserve(topology.num_arcs());
  for (const ArcId arc : topology.arcs())
    arc_image_.push_back(onto_.find_arc(image_[index(topology.tail(arc))], image_[index(topology.head(arc))])
                             .value_or(kNoArc));
}

void RelabelledSteps::push(const StepView& step) {
  arcs_.clear();
  blocks_.clear();
  for (const ArcId arc : step.all_arcs) {
    if (arc_image_[index(arc)] == kNoArc) throw no_link(problem_.topology(), image_, onto_, arc);
    arcs_.push_back(arc_image_[index(arc)]);
  }
  for (const BlockId block : step.all_blocks)
    blocks_.push_back(image_of(problem_, image_, onto_, mapped_, block));
  StepView out = step;
  out.all_arcs = arcs_;
  out.all_blocks = blocks_;
  sink_.push(out);
}

}  // namespace quadrille
