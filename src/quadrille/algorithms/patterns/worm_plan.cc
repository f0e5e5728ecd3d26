#include "quadrille/algorithms/patterns/worm_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "quadrille/base/check.h"

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

Translation to_root(const Problem& problem, const WormGrid& grid) {
  const NodeId root = problem.topology().endpoint(*problem.collective().root());
  std::vector<uint32_t> offset = grid.shape().coordinates(grid.place(root));
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

  [[nodiscard]] std::span<const BlockId> blocks(uint32_t place) const {
    return std::span(blocks_).subspan(size_t{first_[place]} * pieces_,
                                      size_t{last_[place] - first_[place]} * pieces_);
  }

 private:
  uint32_t pieces_;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> last_;
  std::vector<BlockId> blocks_;
};

Applicability enough_ports(const Problem& problem) {
  const Model& model = problem.model();
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

void WormStep::add(uint32_t source, std::span<const int32_t> hops) {
  sources_.push_back(source);
  hops_.insert(hops_.end(), hops.begin(), hops.end());
}

std::vector<uint32_t> root_position(const Problem& problem, const WormGrid& grid) {
  const NodeId root = problem.topology().endpoint(*problem.collective().root());
  std::vector<uint32_t> at = grid.shape().coordinates(grid.place(root));
  for (size_t d = 0; d < at.size(); ++d) {
    if (grid.shape().circular[d]) at[d] = 0;
  }
  return at;
}

uint32_t root_place(const Problem& problem, const WormGrid& grid) {
  const std::vector<uint32_t> at = root_position(problem, grid);
  return grid.shape().place(std::vector<int64_t>(at.begin(), at.end()));
}

WormPlan without_repeats(const GridShape& shape, uint32_t root, const WormPlan& plan) {
  constexpr uint32_t kNever = UINT32_MAX;
  std::vector<uint32_t> heard(shape.num_places(), kNever);  // in which step
  heard[root] = 0;
  WormPlan out;
  for (uint32_t s = 0; s < plan.size(); ++s) {
    WormStep kept(shape.dimensions());
    for (size_t w = 0; w < plan[s].size(); ++w) {
      const uint32_t from = plan[s].source(w);
      QUADRILLE_CHECK(heard[from] <= s, fmt::format("place {} sends in step {} and knows nothing", from, s));
      const uint32_t to = shape.moved(from, plan[s].hops(w));
      if (heard[to] != kNever) continue;
      heard[to] = s + 1;
      kept.add(from, plan[s].hops(w));
    }
    if (kept.size() > 0) out.push_back(std::move(kept));
  }
  return out;
}

bool is_minimal(const GridShape& shape, const WormPlan& plan) {
  for (const WormStep& step : plan) {
    for (size_t w = 0; w < step.size(); ++w) {
      for (size_t d = 0; d < shape.dimensions(); ++d) {
        if (shape.circular[d] && 2 * static_cast<uint32_t>(std::abs(step.hops(w)[d])) > shape.sides[d])
          return false;
      }
    }
  }
  return true;
}

Claim claim_of(const Problem& problem, const WormGrid& grid, const WormPlan& plan) {
  uint64_t critical = plan.size();
  if (problem.collective().kind() == CollectiveKind::kScatter) {
    const std::vector<uint32_t> size = subtree_sizes(grid.shape(), plan);
    critical = 0;
    for (const WormStep& step : plan) {
      uint32_t most = 0;
      for (size_t w = 0; w < step.size(); ++w)
        most = std::max(most, size[grid.shape().moved(step.source(w), step.hops(w))]);
      critical += most;
    }
  }
  return {.steps = plan.size(),
          .start_ups = plan.size(),
          .critical_blocks = critical * problem.collective().pieces()};
}

void send_worms(const Problem& problem, const WormGrid& grid, const WormPlan& plan, StepSink& sink) {
  const Translation translated = to_root(problem, grid);
  const bool scatter = problem.collective().kind() == CollectiveKind::kScatter;
  std::optional<Subtrees> subtrees;
  if (scatter) subtrees.emplace(problem, grid, plan, translated);
  std::vector<BlockId> message(problem.collective().pieces());
  for (size_t piece = 0; piece < message.size(); ++piece) message[piece] = id_at<BlockId>(piece);
  StepBuilder step;
  std::vector<ArcId> path;
  for (const WormStep& worms : plan) {
    for (size_t w = 0; w < worms.size(); ++w) {
      path.clear();
      grid.append_path(translated(worms.source(w)), worms.hops(w), path);
      step.add(path, scatter ? subtrees->blocks(grid.shape().moved(worms.source(w), worms.hops(w)))
                             : std::span<const BlockId>(message));
    }
    step.flush(sink);
  }
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
  const Topology& topology = problem.topology();
  if (topology.has_routers())
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  if (WormGrid::of(topology)) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus or a mesh, of any sides; {} is none", topology.name()));
}

}  // namespace quadrille
