#include "quadrille/algorithms/hypercubes/rotated_trees.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

// How many steps before step t, which crosses dimension k, that piece left the root which a node hears; labels are relative to the
// root's.
uint32_t steps_on_the_way(uint32_t label, uint32_t k, uint32_t dimensions) {
  if ((label >> k & 1U) == 0) return dimensions;
  const uint32_t turn = k + 1;  // the dimension after k comes first
  const uint64_t twice = (uint64_t{label} << dimensions) | label;
  return dimensions - 1 - static_cast<uint32_t>(std::countr_zero(twice >> turn));
}

}  // namespace

uint32_t most_streams(const Model& model, const SpanningHypercube& cube) {
  uint32_t out = cube.dimensions();
  for (const Ports ports : {model.send, model.receive})
    if (!ports.unlimited()) out = std::min(out, ports.count);
  return out;
}

RotatedTrees::RotatedTrees(const Problem& problem, SpanningHypercube cube)
    : problem_(problem),
      cube_(std::move(cube)),
      pieces_(problem.collective().pieces()),
      streams_(std::min(pieces_, most_streams(problem.model(), cube_))),
      most_pieces_((pieces_ + streams_ - 1) / streams_) {}

// In every step each stream has one, over the dimensions in turn.
uint64_t RotatedTrees::busiest_link() const {
  const uint32_t d = cube_.dimensions();
  std::vector<uint64_t> crossed(d, 0);
  for (uint32_t stream = 0; stream < streams_; ++stream) {
    const uint64_t steps = uint64_t{pieces_of(stream)} + d - 1;
    for (uint32_t k = 0; k < d; ++k) {
      const uint32_t first = (k + d - first_dimension(stream)) % d;  // step
      crossed[k] += first < steps ? (steps - first + d - 1) / d : 0;
    }
  }
  return std::ranges::max(crossed);
}

void RotatedTrees::send(StepSink& sink) const {
  const Topology& net = problem_.topology();
  const Collective& collective = problem_.collective();
  const uint32_t d = cube_.dimensions();
  const uint32_t nodes = net.num_nodes();
  const NodeId root = net.endpoint(*collective.root());
  const uint32_t root_label = cube_.label(root);
  std::vector<uint32_t> labels(nodes);
  std::vector<ArcId> arcs(size_t{d} * nodes);  // by dimension, into each node
  for (uint32_t v = 0; v < nodes; ++v) {
    const uint32_t label = cube_.label(NodeId{v});
    labels[v] = label ^ root_label;
    for (uint32_t k = 0; k < d; ++k)
      arcs[size_t{k} * nodes + v] = *net.find_arc(cube_.node(label ^ (1U << k)), NodeId{v});
  }
  StepBuilder step;
  for (uint64_t t = 0; t < steps(); ++t) {
    for (uint32_t stream = 0; stream < streams_; ++stream) {
      const uint64_t pieces = pieces_of(stream);
      if (t >= pieces + d - 1) continue;
      const auto k = static_cast<uint32_t>((t + first_dimension(stream)) % d);
      for (uint32_t v = 0; v < nodes; ++v) {
        if (labels[v] == 0) continue;
        const uint32_t before = steps_on_the_way(labels[v], k, d);
        if (before > t) continue;
        const uint64_t number = std::min(t - before, pieces - 1);
        const auto piece = static_cast<uint32_t>(number * streams_ + stream);
        step.add(arcs[size_t{k} * nodes + v], collective.block(Rank{0}, piece));
      }
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
