#include "quadrille/algorithms/trees/tree_broadcast.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace quadrille {

uint64_t TreeBroadcast::steps(uint32_t pieces) const {
  return arcs_end.empty() ? 0 : arcs_end.size() + uint64_t{pieces - 1} * interval;
}

TreeBroadcast tree_broadcast(const Topology& topology, const SpanningTree& tree, Ports send) {
  const size_t ports = send.unlimited() ? topology.num_nodes() : send.count;
  TreeBroadcast out;
  // From the leaves to the root: how long each subtree takes, and with it the order of the children.
  std::vector<uint32_t> takes(topology.num_nodes(), 0);
  std::vector<NodeId> children_of = tree.children_of;
  for (size_t i = tree.order.size(); i-- > 0;) {
    const size_t v = index(tree.order[i]);
    const auto begin = children_of.begin() + tree.children_begin[v];
    const auto end = children_of.begin() + tree.children_begin[v + 1];
    std::stable_sort(begin, end, [&](NodeId a, NodeId b) { return takes[index(a)] > takes[index(b)]; });
    size_t place = 0;
    for (auto child = begin; child != end; ++child, ++place) {
      takes[v] = std::max(takes[v], static_cast<uint32_t>(place / ports) + 1 + takes[index(*child)]);
      out.interval = std::max(out.interval, static_cast<uint32_t>(place / ports) + 1);
    }
  }
  std::vector<uint32_t> informed(topology.num_nodes(), 0);
  out.arcs_end.assign(takes[index(tree.root)], 0);
  for (const NodeId v : tree.order) {
    for (uint32_t c = tree.children_begin[index(v)]; c < tree.children_begin[index(v) + 1]; ++c) {
      const size_t place = c - tree.children_begin[index(v)];
      const uint32_t step = informed[index(v)] + static_cast<uint32_t>(place / ports);
      informed[index(children_of[c])] = step + 1;
      ++out.arcs_end[step];
    }
  }
  for (size_t s = 1; s < out.arcs_end.size(); ++s) out.arcs_end[s] += out.arcs_end[s - 1];
  out.arcs.resize(tree.order.size() - 1);
  std::vector<uint32_t> next(out.arcs_end.size(), 0);
  for (size_t s = 1; s < next.size(); ++s) next[s] = out.arcs_end[s - 1];
  for (size_t i = 1; i < tree.order.size(); ++i) {
    const size_t v = index(tree.order[i]);
    out.arcs[next[informed[v] - 1]++] = tree.arc[v];
  }
  return out;
}

namespace {

// The longest of children that are served the slowest first, so many at a time; and how long their parent is busy.
TreeTimes serve(std::vector<uint64_t> children, Ports send) {
  std::sort(children.begin(), children.end(), std::greater<>());
  TreeTimes out;
  for (size_t place = 0; place < children.size(); ++place) {
    const uint64_t turn = send.unlimited() ? 1 : place / send.count + 1;
    out.one_piece = std::max(out.one_piece, turn + children[place]);
    out.interval = std::max(out.interval, turn);
  }
  return out;
}

}  // namespace

// A node whose first coordinate that is not the root's is the i-th has children in the dimensions up to i: in those
// before i they are the children of the root there.
TreeTimes product_tree_times(const Topology& product, NodeId root, Ports send) {
  const ProductStructure& structure = *product.product();
  std::vector<uint64_t> before;  // what the root's children in the dimensions so far take
  uint64_t interval = 1;
  for (size_t i = 0; i < structure.factors.size(); ++i) {
    const SpanningTree tree = tree_of_all_nodes(structure.factors[i], NodeId{structure.coordinate(root, i)});
    std::vector<uint64_t> takes(structure.factors[i].num_nodes(), 0);
    for (size_t at = tree.order.size(); at-- > 1;) {
      const NodeId v = tree.order[at];
      std::vector<uint64_t> children = before;
      for (const NodeId child : tree.children(v)) children.push_back(takes[index(child)]);
      const TreeTimes served = serve(std::move(children), send);
      takes[index(v)] = served.one_piece;
      interval = std::max(interval, served.interval);
    }
    for (const NodeId child : tree.children(tree.root)) before.push_back(takes[index(child)]);
  }
  const TreeTimes all = serve(std::move(before), send);
  return {all.one_piece, std::max(interval, all.interval)};
}

Prediction tree_broadcast_prediction(const Problem& problem, const TreeBroadcast& broadcast) {
  const uint32_t pieces = problem.collective().pieces();
  const uint64_t steps = broadcast.steps(pieces);
  Prediction out{.steps = steps, .start_ups = steps, .busiest_link = broadcast.arcs.empty() ? 0 : pieces};
  if (carries_many(problem.model()))
    out.critical_blocks = out.critical_hops = steps;  // it sends no more than one
  return out;
}

namespace {

void send_down(const Problem& problem, const TreeBroadcast& broadcast, TransferOp op, StepSink& sink) {
  const Collective& collective = problem.collective();
  const uint64_t steps = broadcast.steps(collective.pieces());
  const uint64_t one = broadcast.arcs_end.size();
  StepBuilder step;
  for (uint64_t s = 0; s < steps; ++s) {
    const uint64_t first = s < one ? 0 : (s - one) / broadcast.interval + 1;
    const uint64_t last = std::min<uint64_t>(s / broadcast.interval, collective.pieces() - 1);
    for (uint64_t piece = first; piece <= last; ++piece) {
      const uint64_t local = s - piece * broadcast.interval;
      const BlockId block = collective.block(Rank{0}, static_cast<uint32_t>(piece));
      const uint32_t begin = local == 0 ? 0 : broadcast.arcs_end[local - 1];
      for (uint32_t a = begin; a < broadcast.arcs_end[local]; ++a) step.add(broadcast.arcs[a], block, op);
    }
    step.flush(sink);
  }
}

}  // namespace

void broadcast_down(const Problem& problem, const TreeBroadcast& broadcast, StepSink& sink) {
  send_down(problem, broadcast, TransferOp::kDefault, sink);
}

void copy_down(const Problem& problem, const TreeBroadcast& broadcast, StepSink& sink) {
  send_down(problem, broadcast, TransferOp::kCopy, sink);
}

}  // namespace quadrille
