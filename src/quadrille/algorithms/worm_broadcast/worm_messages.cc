#include "quadrille/algorithms/worm_broadcast/worm_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// Moves a place of the plan's coordinates to where the root really is.
class Translation {
 public:
  Translation(const GridShape& shape, std::vector<uint32_t> offset)
      : shape_(shape), offset_(std::move(offset)) {}

  [[nodiscard]] uint32_t operator()(uint32_t place) const {
    uint32_t out = 0;
    uint32_t stride = 1;
    for (size_t d = shape_.dimensions(); d-- > 0;) {
      const uint32_t side = shape_.sides[d];
      out += stride * ((place % side + offset_[d]) % side);
      stride *= side;
      place /= side;
    }
    return out;
  }

 private:
  const GridShape& shape_;
  std::vector<uint32_t> offset_;
};

Translation to_hub(const Problem& problem, const WormGrid& grid) {
  std::vector<uint32_t> offset = grid.shape().coordinates(grid.place(hub_of(problem, grid)));
  for (size_t d = 0; d < offset.size(); ++d) {
    if (!grid.shape().circular[d]) offset[d] = 0;
  }
  return {grid.shape(), std::move(offset)};
}

// How many places hear through each place, itself included.
std::vector<uint32_t> subtree_sizes(const GridShape& shape, const WormPlan& plan) {
  std::vector<uint32_t> size(shape.num_places(), 1);
  for (size_t s = plan.size(); s-- > 0;) {
    for (size_t w = 0; w < plan[s].size(); ++w)
      size[plan[s].source(w)] += size[shape.moved(plan[s].source(w), plan[s].hops(w))];
  }
  return size;
}

// What each worm carries in a scatter: the blocks of the nodes that hear through it. Nodes are listed so that
// those below one node of the tree of worms follow it without a gap.
class Subtrees {
 public:
  Subtrees(const Problem& problem, const WormGrid& grid, const WormPlan& plan, const Translation& translated)
      : pieces_(problem.collective().pieces()) {
    const auto n = static_cast<uint32_t>(grid.shape().num_places());
    const std::vector<uint32_t> size = subtree_sizes(grid.shape(), plan);
    // A place's own entry comes first; those who hear from it follow, the last ones to hear first, so that
    // what is still to be placed below it is always the front of its range.
    first_.assign(n, 0);
    last_.assign(n, 0);
    last_[root_place(problem, grid)] = n;
    std::vector<uint32_t> end = last_;
    for (const WormStep& step : plan) {
      for (size_t w = 0; w < step.size(); ++w) {
        const uint32_t from = step.source(w);
        const uint32_t to = grid.shape().moved(from, step.hops(w));
        last_[to] = end[from];
        end[from] -= size[to];
        first_[to] = end[from];
        end[to] = last_[to];
      }
    }
    blocks_.resize(size_t{n} * pieces_);
    for (uint32_t p = 0; p < n; ++p) {
      const Rank rank = *problem.topology().rank(grid.node(translated(p)));
      for (uint32_t piece = 0; piece < pieces_; ++piece)
        blocks_[size_t{first_[p]} * pieces_ + piece] = problem.collective().block(rank, piece);
    }
  }

  /// Of all places that hear through this one, itself included.
  [[nodiscard]] std::span<const BlockId> below(uint32_t place) const {
    return std::span(blocks_).subspan(size_t{first_[place]} * pieces_,
                                      size_t{last_[place] - first_[place]} * pieces_);
  }
  /// All others.
  [[nodiscard]] std::vector<BlockId> not_below(uint32_t place) const {
    std::vector<BlockId> out(blocks_.begin(), blocks_.begin() + offset(first_[place]));
    out.insert(out.end(), blocks_.begin() + offset(last_[place]), blocks_.end());
    return out;
  }

 private:
  [[nodiscard]] std::ptrdiff_t offset(uint32_t entry) const {
    return static_cast<std::ptrdiff_t>(size_t{entry} * pieces_);
  }

  uint32_t pieces_;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> last_;
  std::vector<BlockId> blocks_;
};

// Steps in which every worm carries what `blocks` says of the place where it ends.
template <typename Blocks>
void send_forwards(const WormGrid& grid, const Translation& translated, const WormPlan& plan, Blocks blocks,
                   StepSink& sink) {
  StepBuilder step;
  std::vector<ArcId> path;
  for (const WormStep& worms : plan) {
    for (size_t w = 0; w < worms.size(); ++w) {
      path.clear();
      grid.append_path(translated(worms.source(w)), worms.hops(w), path);
      step.add(path, blocks(grid.shape().moved(worms.source(w), worms.hops(w))));
    }
    step.flush(sink);
  }
}

void send_backwards(const WormGrid& grid, const Translation& translated, const WormPlan& plan,
                    const Subtrees& subtrees, StepSink& sink) {
  StepBuilder step;
  std::vector<ArcId> path;
  std::vector<int32_t> back(grid.shape().dimensions());
  for (size_t s = plan.size(); s-- > 0;) {
    for (size_t w = 0; w < plan[s].size(); ++w) {
      path.clear();
      const uint32_t from = grid.shape().moved(plan[s].source(w), plan[s].hops(w));
      for (size_t d = 0; d < back.size(); ++d) back[d] = -plan[s].hops(w)[d];
      grid.append_path(translated(from), back, path);
      step.add(path, subtrees.below(from));
    }
    step.flush(sink);
  }
}

// The largest worm of each step, added up, if the worm to a place carries weight(size of its subtree).
template <typename Weight>
uint64_t sum_of_largest(const GridShape& shape, const WormPlan& plan, const std::vector<uint32_t>& size,
                        Weight weight) {
  uint64_t sum = 0;
  for (const WormStep& step : plan) {
    uint64_t most = 0;
    for (size_t w = 0; w < step.size(); ++w)
      most = std::max<uint64_t>(most, weight(size[shape.moved(step.source(w), step.hops(w))]));
    sum += most;
  }
  return sum;
}

Applicability enough_ports(const Problem& problem) {
  const Model& model = problem.model();
  if (problem.topology().is_outline()) {
    const uint64_t most = most_neighbours(problem.topology());
    if ((model.send.unlimited() || model.send.count >= most) &&
        (model.receive.unlimited() || model.receive.count >= most))
      return Applicability::yes();
    return Applicability::no(fmt::format(
        "it needs all ports: nodes have {} links and may use {} of them to send and {} to receive in one step",
        most, to_text(model.send), to_text(model.receive)));
  }
  for (const NodeId node : problem.topology().nodes()) {
    const uint32_t degree = problem.topology().out_degree(node);
    if ((model.send.unlimited() || model.send.count >= degree) &&
        (model.receive.unlimited() || model.receive.count >= degree))
      continue;
    return Applicability::no(
        fmt::format("it needs all ports: node {} has {} links and may use {} of them to send and {} to "
                    "receive in one step",
                    problem.topology().label(node), degree, to_text(model.send), to_text(model.receive)));
  }
  return Applicability::yes();
}

}  // namespace

NodeId hub_of(const Problem& problem, const WormGrid& grid) {
  if (const std::optional<Rank> root = problem.collective().root()) return problem.topology().endpoint(*root);
  std::vector<int64_t> middle;
  for (const uint32_t side : grid.shape().sides) middle.push_back(side / 2);
  return grid.node(grid.shape().place(middle));
}

std::vector<uint32_t> root_position(const Problem& problem, const WormGrid& grid) {
  std::vector<uint32_t> at = grid.shape().coordinates(grid.place(hub_of(problem, grid)));
  for (size_t d = 0; d < at.size(); ++d) {
    if (grid.shape().circular[d]) at[d] = 0;
  }
  return at;
}

std::vector<uint32_t> root_position(const Problem& problem) {
  if (!problem.topology().is_outline()) return root_position(problem, *WormGrid::of(problem.topology()));
  return WormGrid::row_positions(problem.topology(),
                                 problem.topology().endpoint(*problem.collective().root()));
}

uint32_t root_place(const Problem& problem, const WormGrid& grid) {
  const std::vector<uint32_t> at = root_position(problem, grid);
  return grid.shape().place(std::vector<int64_t>(at.begin(), at.end()));
}

Prediction prediction_of(const Problem& problem, const WormGrid& grid, const WormPlan& plan) {
  uint64_t critical = plan.size();
  if (problem.collective().kind() != CollectiveKind::kBroadcast) {
    critical = sum_of_largest(grid.shape(), plan, subtree_sizes(grid.shape(), plan),
                              [](uint32_t size) { return size; });
  }
  return {.steps = plan.size(),
          .start_ups = plan.size(),
          .critical_blocks = critical * problem.collective().pieces()};
}

void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& plan, StepSink& sink) {
  const Translation translated = to_hub(problem, grid);
  const CollectiveKind kind = problem.collective().kind();
  if (kind == CollectiveKind::kBroadcast) {
    std::vector<BlockId> message;
    for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece)
      message.push_back(BlockId{piece});
    send_forwards(
        grid, translated, plan, [&](uint32_t) { return std::span<const BlockId>(message); }, sink);
    return;
  }
  const Subtrees subtrees(problem, grid, plan, translated);
  if (kind == CollectiveKind::kGather) {
    send_backwards(grid, translated, plan, subtrees, sink);
  } else {
    send_forwards(
        grid, translated, plan, [&](uint32_t to) { return subtrees.below(to); }, sink);
  }
}

Prediction prediction_of(const Problem& problem, const WormGrid& grid, const WormPlan& gather,
                         const WormPlan& broadcast) {
  const uint32_t n = problem.topology().num_nodes();
  const std::vector<uint32_t> size = subtree_sizes(grid.shape(), gather);
  const uint64_t critical =
      sum_of_largest(grid.shape(), gather, size, [](uint32_t below) { return below; }) +
      sum_of_largest(grid.shape(), broadcast, size, [n](uint32_t below) { return n - below; });
  const uint64_t steps = gather.size() + broadcast.size();
  return {.steps = steps, .start_ups = steps, .critical_blocks = critical * problem.collective().pieces()};
}

void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& gather,
                const WormPlan& broadcast, StepSink& sink) {
  const Translation translated = to_hub(problem, grid);
  const Subtrees subtrees(problem, grid, gather, translated);
  send_backwards(grid, translated, gather, subtrees, sink);
  send_forwards(
      grid, translated, broadcast, [&](uint32_t to) { return subtrees.not_below(to); }, sink);
}

bool is_worth_gathering(const Problem& problem, const WormGrid& grid) {
  if (!WorthMaking::is_limited()) return true;
  // To the middle, and from there; who hears last hears of all others at once.
  const size_t steps = fewest_worm_steps(grid.shape(), receive_limits(problem.model())) +
                       fewest_worm_steps(grid.shape(), send_limits(problem.model()));
  return WorthMaking::is_any_of(steps, problem.collective().num_blocks() - problem.collective().pieces());
}

Applicability all_port_worms(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kWormhole)
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (model.duplex == Duplex::kHalf)
    return Applicability::no("it needs links that carry worms in both directions at once");
  return enough_ports(problem);
}

Applicability all_port_worm_grid(const Problem& problem) {
  if (Applicability fits = all_port_worms(problem); !fits.applies) return fits;
  return worm_grid(problem);
}

Applicability worm_grid(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  const Topology& topology = problem.topology();
  if (topology.has_routers())
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  if (WormGrid::shape_of(topology)) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus or a mesh, of any sides; {} is none", topology.name()));
}

Applicability few_port_worm_grid(const Problem& problem, std::string_view all_ports) {
  if (Applicability fits = worm_grid(problem); !fits.applies) return fits;
  if (!all_port_worms(problem).applies) return Applicability::yes();
  return Applicability::no(
      fmt::format("it is for fewer ports than a node of {} has links, or half duplex; {} serves",
                  problem.topology().name(), all_ports));
}

}  // namespace quadrille
