#include "quadrille/algorithms/products/neighbor_exchange.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/graphs/ring_order.h"

namespace quadrille {
namespace {

void add_codes(CrossedLines& lines, const std::vector<std::vector<uint32_t>>& places) {
  const size_t nodes = places.front().size();
  lines.code.assign(nodes, 0);
  uint32_t stride = 1;
  for (size_t d = 0; d < places.size(); ++d) {
    lines.dimensions[d].stride = stride;
    for (size_t v = 0; v < nodes; ++v) lines.code[v] += places[d][v] * stride;
    stride *= lines.dimensions[d].side;
  }
  lines.node.assign(nodes, kNoNode);
  for (uint32_t v = 0; v < nodes; ++v) lines.node[lines.code[v]] = NodeId{v};
}

// Of a cycle, from its last place to its first and back.
void close(const Topology& topology, CrossedLines& lines) {
  for (CrossedLines::Dimension& dimension : lines.dimensions) {
    if (!dimension.closed) continue;
    for (const NodeId v : topology.nodes()) {
      const uint32_t code = lines.code[index(v)];
      if (code / dimension.stride % dimension.side != dimension.side - 1) continue;
      const NodeId first = lines.node[code - (dimension.side - 1) * dimension.stride];
      dimension.up[index(v)] = *topology.find_arc(v, first);
      dimension.down[index(first)] = *topology.find_arc(first, v);
    }
  }
}

// Two sides of two nodes are a cycle of four, on which nodes of two ports use both links at once.
void join_pairs(MeshShape& mesh) {
  std::vector<MeshShape::Dimension> pairs;
  for (MeshShape::Dimension& dimension : mesh.dimensions)
    if (dimension.side == 2) pairs.push_back(std::move(dimension));
  std::erase_if(mesh.dimensions, [](const MeshShape::Dimension& dimension) { return dimension.side == 2; });
  for (; pairs.size() > 1; pairs.resize(pairs.size() - 2)) {
    const MeshShape::Dimension& a = pairs[pairs.size() - 2];
    const MeshShape::Dimension& b = pairs.back();
    MeshShape::Dimension cycle{.side = 4, .closed = true};
    for (size_t v = 0; v < a.coordinate.size(); ++v) {
      const auto over = [&](const MeshShape::Dimension& side) {
        return side.up[v] != kNoArc ? side.up[v] : side.down[v];
      };
      const bool in_a = a.coordinate[v] != 0;
      const bool in_b = b.coordinate[v] != 0;
      cycle.coordinate.push_back(in_b ? (in_a ? 2 : 3) : (in_a ? 1 : 0));
      cycle.up.push_back(in_a == in_b ? over(a) : over(b));
      cycle.down.push_back(in_a == in_b ? over(b) : over(a));
    }
    mesh.dimensions.push_back(std::move(cycle));
  }
  for (MeshShape::Dimension& left : pairs) mesh.dimensions.push_back(std::move(left));
}

}  // namespace

std::optional<CrossedLines> crossed_lines(const Topology& topology) {
  if (topology.is_outline() || topology.is_directed() || topology.num_nodes() < 2) return std::nullopt;
  std::optional<MeshShape> mesh = mesh_within(topology);
  if (!mesh) return std::nullopt;
  join_pairs(*mesh);
  // What is gone along last carries most, and along a cycle nothing waits.
  std::ranges::stable_sort(mesh->dimensions, {}, [](const MeshShape::Dimension& dimension) {
    return std::pair(dimension.closed, ~dimension.side);
  });
  CrossedLines out;
  std::vector<std::vector<uint32_t>> places;
  for (MeshShape::Dimension& dimension : mesh->dimensions) {
    out.dimensions.push_back(
        {dimension.side, dimension.closed, 1, std::move(dimension.up), std::move(dimension.down)});
    places.push_back(std::move(dimension.coordinate));
  }
  add_codes(out, places);
  close(topology, out);
  return out;
}

std::optional<CrossedLines> one_line(const Topology& topology) {
  const uint32_t n = topology.num_nodes();
  if (topology.is_outline() || topology.is_directed() || n < 2) return std::nullopt;
  std::optional<std::vector<NodeId>> order = n > 2 ? ring_order(topology) : std::nullopt;
  const bool closed = order.has_value();
  if (!order) order = path_order(topology);
  if (!order) return std::nullopt;
  CrossedLines out;
  CrossedLines::Dimension& line = out.dimensions.emplace_back();
  line.side = n;
  line.closed = closed;
  line.up.assign(n, kNoArc);
  line.down.assign(n, kNoArc);
  std::vector<std::vector<uint32_t>> places(1, std::vector<uint32_t>(n));
  for (uint32_t i = 0; i < n; ++i) {
    const NodeId v = (*order)[i];
    places[0][index(v)] = i;
    if (i + 1 == n) continue;
    line.up[index(v)] = *topology.find_arc(v, (*order)[i + 1]);
    line.down[index((*order)[i + 1])] = *topology.find_arc((*order)[i + 1], v);
  }
  add_codes(out, places);
  close(topology, out);
  return out;
}

namespace {

// Along a walk through a thousand nodes it is a million items, and the same for whatever is asked about the network.
std::shared_ptr<const LineExchange> exchange_along(const LineExchange::Line& line,
                                                   LineExchange::Blocks blocks) {
  constexpr uint32_t kShort = 128;
  constexpr size_t kMostKept = 2;
  const auto make = [&] { return std::make_shared<const LineExchange>(line, blocks); };
  if (line.side <= kShort) return make();
  using Key = std::tuple<uint32_t, bool, bool, LineExchange::Blocks>;
  static std::mutex mutex;
  static std::deque<std::pair<Key, std::shared_ptr<const LineExchange>>> kept;
  const Key key{line.side, line.closed, line.both_ways, blocks};
  const std::lock_guard lock(mutex);  // whoever asks meanwhile waits
  for (const auto& [known, exchange] : kept)
    if (known == key) return exchange;
  kept.emplace_front(key, make());
  if (kept.size() > kMostKept) kept.pop_back();
  return kept.front().second;
}

}  // namespace

NeighborExchange::NeighborExchange(const Problem& problem, CrossedLines lines, LineExchange::Blocks blocks)
    : lines_(std::move(lines)), blocks_(blocks) {
  const auto is_many = [](Ports ports) { return ports.unlimited() || ports.count > 1; };
  const bool both_ways = is_many(problem.model().send) && is_many(problem.model().receive);
  for (const CrossedLines::Dimension& dimension : lines_.dimensions)
    exchanges_.push_back(exchange_along({dimension.side, dimension.closed, both_ways}, blocks));
}

// Blocks that an item of the dimension stands for.
uint64_t NeighborExchange::together(size_t dimension) const {
  const CrossedLines::Dimension& here = lines_.dimensions[dimension];
  return blocks_ == LineExchange::Blocks::kOfOrigins ? here.stride : lines_.code.size() / here.side;
}

uint64_t NeighborExchange::num_hops() const {
  uint64_t hops = 0;
  for (size_t d = 0; d < exchanges_.size(); ++d)
    hops += exchanges_[d]->num_items() * together(d) * (lines_.code.size() / lines_.dimensions[d].side);
  return hops;
}

Prediction NeighborExchange::predicted(const Problem& problem) const {
  const uint64_t pieces = problem.collective().pieces();
  uint64_t steps = 0;
  uint64_t busiest = 0;
  uint64_t rounds = 0;
  for (size_t d = 0; d < exchanges_.size(); ++d) {
    steps += exchanges_[d]->num_steps();
    busiest = std::max(busiest, exchanges_[d]->busiest_link() * together(d) * pieces);
    for (uint32_t t = 0; t < exchanges_[d]->num_steps(); ++t)
      rounds += exchanges_[d]->most_items(t) * together(d) * pieces;
  }
  return {.steps = steps,
          .start_ups = steps,
          .busiest_link = busiest,
          .critical_blocks = rounds,
          .critical_hops = steps};
}

void NeighborExchange::generate(const Problem& problem, StepSink& sink) const {
  const Collective& collective = problem.collective();
  const auto nodes = static_cast<uint32_t>(lines_.code.size());
  const uint32_t pieces = collective.pieces();
  StepBuilder step;
  std::vector<BlockId> blocks;
  const auto add = [&](uint32_t source, uint32_t destination) {
    const auto rank = [&](uint32_t code) { return Rank{static_cast<uint32_t>(index(lines_.node[code]))}; };
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      blocks.push_back(blocks_ == LineExchange::Blocks::kOfOrigins
                           ? collective.block(rank(source), piece)
                           : collective.block(rank(source), rank(destination), piece));
    }
  };
  for (size_t d = 0; d < exchanges_.size(); ++d) {
    const CrossedLines::Dimension& line = lines_.dimensions[d];
    const uint32_t above = line.stride * line.side;
    for (uint32_t t = 0; t < exchanges_[d]->num_steps(); ++t) {
      for (const LineExchange::Move& move : exchanges_[d]->moves(t)) {
        // Everywhere at that place: lines by the digits above and below.
        for (uint32_t high = 0; high < nodes; high += above) {
          for (uint32_t low = 0; low < line.stride; ++low) {
            const size_t v = index(lines_.node[high + move.from * line.stride + low]);
            const ArcId arc = move.up ? line.up[v] : line.down[v];
            blocks.clear();
            for (const LineExchange::Item& item : exchanges_[d]->items(move)) {
              for (uint32_t from = 0; from < line.stride; ++from) {
                const uint32_t source = high + item.origin * line.stride + from;
                if (blocks_ == LineExchange::Blocks::kOfOrigins) {
                  add(source, 0);
                  continue;
                }
                for (uint32_t to = 0; to < nodes; to += above)
                  add(source, to + item.destination * line.stride + low);
              }
            }
            step.add({&arc, 1}, blocks);
          }
        }
      }
      step.flush(sink);
    }
  }
}

PreparedPlan prepared(const Problem& problem, NeighborExchange exchange, std::string member) {
  return kept(
      problem, std::move(exchange),
      [](const Problem& p, const NeighborExchange& made) { return made.predicted(p); },
      [](const Problem& p, const NeighborExchange& made, StepSink& sink) { made.generate(p, sink); },
      std::move(member));
}

}  // namespace quadrille
