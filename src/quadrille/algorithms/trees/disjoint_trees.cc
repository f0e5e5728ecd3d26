#include "quadrille/algorithms/trees/disjoint_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/base/check.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint32_t kNoDepth = UINT32_MAX;

// Depths of all nodes that hang on the root; the others hang on nothing, or on each other.
std::vector<uint32_t> depths_of(const Topology& topology, NodeId root, const std::vector<ArcId>& arcs) {
  std::vector<uint32_t> depth(topology.num_nodes(), kNoDepth);
  depth[index(root)] = 0;
  std::vector<NodeId> way;
  for (const NodeId v : topology.nodes()) {
    NodeId at = v;
    way.clear();
    while (depth[index(at)] == kNoDepth && arcs[index(at)] != kNoArc && way.size() < topology.num_nodes()) {
      way.push_back(at);
      at = topology.tail(arcs[index(at)]);
    }
    for (size_t i = way.size(); i-- > 0 && depth[index(at)] != kNoDepth; at = way[i])
      depth[index(way[i])] = depth[index(at)] + 1;
  }
  return depth;
}

}  // namespace

uint32_t DisjointTrees::height() const {
  uint32_t height = 0;
  for (const auto& depth : depths) height = std::max(height, *std::ranges::max_element(depth));
  return height;
}

DisjointTrees disjoint_trees(const Topology& topology, NodeId root, std::vector<std::vector<ArcId>> arcs) {
  DisjointTrees out{root, std::move(arcs), {}};
  std::vector<uint32_t> used(topology.num_arcs(), 0);
  for (std::vector<ArcId>& tree : out.arcs) {
    const std::vector<uint32_t> depth = depths_of(topology, root, tree);
    std::vector<bool> needed(topology.num_nodes(), false);
    for (const NodeId v : topology.endpoints()) {
      QUADRILLE_CHECK(depth[index(v)] != kNoDepth,
                      fmt::format("a tree does not reach {}", topology.label(v)));
      for (NodeId at = v; at != root && !needed[index(at)]; at = topology.tail(tree[index(at)]))
        needed[index(at)] = true;
    }
    std::vector<uint32_t>& kept = out.depths.emplace_back(topology.num_nodes(), 0);
    for (const NodeId v : topology.nodes()) {
      if (!needed[index(v)]) {
        tree[index(v)] = kNoArc;
        continue;
      }
      kept[index(v)] = depth[index(v)];
      const ArcId arc = tree[index(v)];
      QUADRILLE_CHECK(topology.head(arc) == v && ++used[index(arc)] <= topology.capacity(arc),
                      fmt::format("two trees take one channel into {}", topology.label(v)));
    }
  }
  return out;
}

namespace {

// Pieces that trees `first` and, if there is one, the next can bring to everybody in so many steps.
uint64_t pieces_of_pair(const DisjointTrees& trees, size_t first, uint64_t steps) {
  uint64_t fewest = UINT64_MAX;
  for (size_t v = 0; v < trees.arcs[first].size(); ++v) {
    if (v == index(trees.root)) continue;
    uint64_t here = 0;
    for (size_t j = first; j < std::min(first + 2, trees.size()); ++j) {
      if (steps >= trees.depths[j][v]) here += steps - trees.depths[j][v] + 1;
    }
    fewest = std::min(fewest, here);
  }
  return fewest;
}

uint64_t steps_two_by_two(const DisjointTrees& trees, uint64_t pieces) {
  const auto brought = [&](uint64_t steps) {
    uint64_t sum = 0;
    for (size_t j = 0; j < trees.size() && sum < pieces; j += 2)
      sum += std::min(pieces, pieces_of_pair(trees, j, steps));
    return sum;
  };
  uint64_t least = 0;
  uint64_t most = pieces + trees.height();
  while (least < most) {
    const uint64_t middle = least + (most - least) / 2;
    if (brought(middle) >= pieces) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return most;
}

// The i-th piece of a tree arrives at a node in step depth + i.
void stream_two_by_two(const Collective& collective, const DisjointTrees& trees, StepSink& sink) {
  const uint64_t pieces = collective.pieces();
  const uint64_t steps = steps_two_by_two(trees, pieces);
  std::vector<std::pair<uint64_t, uint64_t>> share;  // of each pair: its first piece, and how many
  for (size_t j = 0; j < trees.size(); j += 2) {
    const uint64_t first = share.empty() ? 0 : share.back().first + share.back().second;
    share.emplace_back(first, std::min(pieces - first, pieces_of_pair(trees, j, steps)));
  }
  StepBuilder step;
  for (uint64_t s = 1; s <= steps; ++s) {
    for (size_t j = 0; j < trees.size(); ++j) {
      const auto [first, count] = share[j / 2];
      const size_t other = j % 2 == 1 ? j - 1 : j + 1 < trees.size() ? j + 1 : j;
      for (size_t v = 0; v < trees.arcs[j].size(); ++v) {
        const uint64_t depth = trees.depths[j][v];
        if (depth == 0 || s < depth || s - depth >= count) continue;
        const uint64_t mine = s - depth;
        // When it comes down the other tree; of two that come at once the rising one counts.
        const uint64_t there = trees.depths[other][v] + (count - 1 - mine);
        if (other != j && (there < s || (there == s && j % 2 == 1))) continue;
        const uint64_t piece = first + (j % 2 == 0 ? mine : count - 1 - mine);
        step.add(trees.arcs[j][v], collective.block(Rank{0}, static_cast<uint32_t>(piece)));
      }
    }
    step.flush(sink);
  }
}

}  // namespace

uint64_t TreeStreams::steps(uint64_t pieces) const {
  if (two_by_two) return steps_two_by_two(trees, pieces);
  const uint64_t batches = (pieces + batch - 1) / batch;
  if (last) return batches - last->batches + last->steps;
  uint64_t steps = batches > 1 ? batches - 2 + trees.height() : 0;
  for (size_t j = 0; j < pieces - (batches - 1) * batch; ++j)
    steps = std::max<uint64_t>(steps, batches - 1 + *std::ranges::max_element(trees.depths[j]));
  return steps;
}

Prediction tree_streams_prediction(const Problem& problem, const TreeStreams& streams) {
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = streams.steps(pieces);
  if (!streams.last) return {.steps = steps, .start_ups = steps};
  // Steps of the window in which the batches before it or its own send something.
  const uint64_t before = (pieces + streams.batch - 1) / streams.batch - streams.last->batches;
  const uint64_t until = before == 0 ? 0 : before - 1 + streams.trees.height();
  uint64_t start_ups = until;
  for (uint64_t last = 0; const LastBatches::Send& send : streams.last->sends) {
    if (send.step + before > until && send.step != last) {
      ++start_ups;
      last = send.step;
    }
  }
  return {.steps = steps, .start_ups = start_ups};
}

void stream_down(const Problem& problem, const TreeStreams& streams, StepSink& sink) {
  const Collective& collective = problem.collective();
  if (streams.two_by_two) return stream_two_by_two(collective, streams.trees, sink);
  const uint64_t pieces = collective.pieces();
  const uint64_t batches = (pieces + streams.batch - 1) / streams.batch;
  const uint64_t in_window = streams.last ? streams.last->batches : 0;
  const uint64_t down_trees = batches - in_window;
  const uint32_t height = streams.trees.height();
  // Arcs by depth, each with its tree.
  std::vector<std::vector<std::pair<ArcId, uint32_t>>> at_depth(size_t{height} + 1);
  for (uint32_t j = 0; j < streams.trees.size(); ++j) {
    for (size_t v = 0; v < streams.trees.arcs[j].size(); ++v) {
      if (const ArcId arc = streams.trees.arcs[j][v]; arc != kNoArc)
        at_depth[streams.trees.depths[j][v]].emplace_back(arc, j);
    }
  }
  const uint64_t steps = streams.steps(pieces);
  auto send = streams.last ? streams.last->sends.begin() : std::vector<LastBatches::Send>::const_iterator{};
  StepBuilder step;
  const auto add = [&](ArcId arc, uint64_t piece) {
    if (piece < pieces) step.add(arc, collective.block(Rank{0}, static_cast<uint32_t>(piece)));
  };
  for (uint64_t s = 1; s <= steps; ++s) {
    for (uint64_t batch = s > height ? s - height : 0; batch < std::min(s, down_trees); ++batch) {
      for (const auto& [arc, tree] : at_depth[s - batch]) add(arc, batch * streams.batch + tree);
    }
    if (streams.last && s > down_trees) {
      for (; send != streams.last->sends.end() && send->step == s - down_trees; ++send)
        add(send->arc, down_trees * streams.batch + send->piece);
    }
    step.flush(sink);
  }
}

void keep_what_is_needed(const Topology& topology, NodeId root, uint32_t pieces, LastBatches& last) {
  const size_t nodes = topology.num_nodes();
  std::ranges::stable_sort(last.sends, {}, &LastBatches::Send::step);
  // What comes first stays; of that, what an endpoint is reached over.
  std::vector<bool> has(nodes * pieces, false);
  for (uint32_t p = 0; p < pieces; ++p) has[size_t{p} * nodes + index(root)] = true;
  std::erase_if(last.sends, [&](const LastBatches::Send& send) {
    const size_t there = size_t{send.piece} * nodes + index(topology.head(send.arc));
    const bool again = has[there];
    has[there] = true;
    return again;
  });
  if (!topology.has_routers()) return;
  std::vector<bool> needed(nodes * pieces, false);
  for (const NodeId v : topology.endpoints()) {
    for (uint32_t p = 0; p < pieces; ++p) needed[size_t{p} * nodes + index(v)] = true;
  }
  for (size_t i = last.sends.size(); i-- > 0;) {
    LastBatches::Send& send = last.sends[i];
    const size_t all = size_t{send.piece} * nodes;
    if (needed[all + index(topology.head(send.arc))]) {
      needed[all + index(topology.tail(send.arc))] = true;
    } else {
      send.step = 0;
    }
  }
  std::erase_if(last.sends, [](const LastBatches::Send& send) { return send.step == 0; });
}

std::optional<DisjointTrees> mesh_trees(const Topology& topology, NodeId root) {
  const std::optional<MeshShape> mesh = mesh_within(topology);
  if (!mesh || mesh->dimensions.empty()) return std::nullopt;
  const size_t d = mesh->dimensions.size();
  std::vector<std::vector<ArcId>> arcs(d, std::vector<ArcId>(topology.num_nodes(), kNoArc));
  const auto next_to = [&](NodeId v, size_t i, bool upwards) {
    const auto& dimension = mesh->dimensions[i];
    return upwards ? dimension.up[index(v)] : dimension.down[index(v)];
  };
  for (const NodeId v : topology.nodes()) {
    if (v == root) continue;
    const auto differs = [&](size_t i) {
      const auto& at = mesh->dimensions[i].coordinate;
      return at[index(v)] != at[index(root)];
    };
    for (size_t j = 0; j < d; ++j) {
      size_t k = j;
      bool upwards = true;  // the way from v to its parent
      if (differs(j)) {
        for (size_t i = 1; i < d; ++i) {
          if (differs((j + i) % d)) k = (j + i) % d;
        }
        const auto& at = mesh->dimensions[k].coordinate;
        upwards = at[index(v)] < at[index(root)];
      } else {
        upwards = next_to(v, j, true) != kNoArc;
      }
      arcs[j][index(v)] = topology.reverse(next_to(v, k, upwards));
    }
  }
  return disjoint_trees(topology, root, std::move(arcs));
}

std::optional<DisjointTrees> complete_trees(const Topology& topology, NodeId root) {
  if (!is_complete(topology)) return std::nullopt;
  std::vector<std::vector<ArcId>> arcs;
  for (const ArcId first : topology.arcs_from(root)) {
    std::vector<ArcId>& tree = arcs.emplace_back(topology.num_nodes(), kNoArc);
    const NodeId middle = topology.head(first);
    for (const ArcId arc : topology.arcs_from(middle)) tree[index(topology.head(arc))] = arc;
    tree[index(middle)] = first;
    tree[index(root)] = kNoArc;
  }
  return disjoint_trees(topology, root, std::move(arcs));
}

}  // namespace quadrille
