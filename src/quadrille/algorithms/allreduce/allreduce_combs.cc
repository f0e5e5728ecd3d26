// Allreduce on meshes for large vectors: sums go up and results come down many trees at once, batch after batch.
//
// A comb is a tree: all rows, and one column that joins them (or all columns and one row). On n x n the 2n combs
// take every link equally often, n + 1 times; a chunk goes up each of them, to its middle, and down again, the other
// way over the same links, and the next batch follows one step later. So no link rests, where a reduce_scatter and
// an allgather one after the other leave those at the corners idle half of the time. On n x m combs of rows get n - 1
// chunks where combs of columns get m - 1.
//
// What goes up and what comes down over one link are two transfers of one step.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_combs;

namespace allreduce_combs_parts {
namespace {

// A chunk of a comb takes an arc so many steps after its batch began, from 1 on.
struct Use {
  uint32_t step;
  uint32_t comb;
  bool down;
};

struct Combs {
  uint32_t depth = 0;
  uint32_t count = 0;                  // chunks of a batch; several may take the same comb
  std::vector<std::vector<Use>> uses;  // per arc
};

struct Grid {
  const Topology& net;
  const MeshShape::Dimension& rows;  // the coordinate that tells rows apart
  const MeshShape::Dimension& columns;
};

// The combs with all rows and one column; the other ones with the dimensions changed.
class RowCombs {
 public:
  RowCombs(const Grid& grid, uint32_t copies) : grid_(grid), copies_(copies) {}

  [[nodiscard]] uint32_t depth() const { return grid_.rows.side / 2 + grid_.columns.side - 1; }
  [[nodiscard]] uint32_t count() const { return grid_.columns.side * copies_; }

  void add(uint32_t first, uint32_t depth, std::vector<std::vector<Use>>& uses) const {
    for (uint32_t spine = 0; spine < grid_.columns.side; ++spine) {
      for (const NodeId v : grid_.net.nodes()) {
        const ArcId up = towards_root(v, spine);
        if (up == kNoArc) continue;
        for (uint32_t copy = 0; copy < copies_; ++copy) {
          const uint32_t comb = first + spine * copies_ + copy;
          uses[index(up)].push_back({depth - depth_of(v, spine) + 1, comb, false});
          uses[index(grid_.net.reverse(up))].push_back({depth + depth_of(v, spine), comb, true});
        }
      }
    }
  }

 private:
  [[nodiscard]] uint32_t row(NodeId v) const { return grid_.rows.coordinate[index(v)]; }
  [[nodiscard]] uint32_t column(NodeId v) const { return grid_.columns.coordinate[index(v)]; }
  [[nodiscard]] uint32_t middle() const { return grid_.rows.side / 2; }
  [[nodiscard]] uint32_t depth_of(NodeId v, uint32_t spine) const {
    return static_cast<uint32_t>(std::abs(static_cast<int64_t>(column(v)) - spine) +
                                 std::abs(static_cast<int64_t>(row(v)) - middle()));
  }
  [[nodiscard]] ArcId towards_root(NodeId v, uint32_t spine) const {
    if (column(v) < spine) return grid_.columns.up[index(v)];
    if (column(v) > spine) return grid_.columns.down[index(v)];
    if (row(v) < middle()) return grid_.rows.up[index(v)];
    return row(v) > middle() ? grid_.rows.down[index(v)] : kNoArc;
  }

  Grid grid_;
  uint32_t copies_;
};

using KeptCombs = std::shared_ptr<const Combs>;

KeptCombs made_combs(const Problem& problem) {
  const MeshShape mesh = *mesh_within(problem.topology());
  const MeshShape::Dimension& first = mesh.dimensions[0];
  const MeshShape::Dimension& second = mesh.dimensions[1];
  const uint32_t shared = std::gcd(first.side - 1, second.side - 1);
  const RowCombs rows({problem.topology(), first, second}, (first.side - 1) / shared);
  const RowCombs columns({problem.topology(), second, first}, (second.side - 1) / shared);
  const auto made = std::make_shared<Combs>();
  Combs& out = *made;
  out.depth = std::max(rows.depth(), columns.depth());
  out.count = rows.count() + columns.count();
  out.uses.resize(problem.topology().num_arcs());
  rows.add(0, out.depth, out.uses);
  columns.add(rows.count(), out.depth, out.uses);
  return made;
}

// The same for any number of batches.
KeptCombs kept_combs(const Problem& problem) {
  static LastAnswers<bool, KeptCombs> kept(2);
  return kept.of(problem.topology(), true, [&] { return made_combs(problem); });
}

// Batches in which the comb has a chunk: piece p is in batch p / count, on comb p % count.
uint32_t batches(const Problem& problem, const Combs& combs, uint32_t comb) {
  const uint32_t pieces = problem.collective().pieces();
  return pieces / combs.count + (comb < pieces % combs.count ? 1 : 0);
}

uint64_t steps(const Problem& problem, const Combs& combs) {
  return batches(problem, combs, 0) - 1 + 2 * uint64_t{combs.depth};
}

Prediction predicted(const Problem& problem, const KeptCombs& kept) {
  const Combs& combs = *kept;
  const uint64_t all = steps(problem, combs);
  std::vector<uint32_t> most(all + 1, 0);
  std::vector<int32_t> change;
  for (const std::vector<Use>& uses : combs.uses) {
    change.assign(all + 2, 0);
    for (const Use& use : uses) {
      ++change[use.step];
      --change[use.step + batches(problem, combs, use.comb)];
    }
    int32_t load = 0;
    for (uint64_t s = 1; s <= all; ++s) {
      load += change[s];
      most[s] = std::max(most[s], static_cast<uint32_t>(load));
    }
  }
  uint64_t rounds = 0;
  uint64_t start_ups = 0;
  for (const uint32_t load : most) {
    rounds += load;
    start_ups += load > 0 ? 1 : 0;
  }
  return {.steps = all, .start_ups = start_ups, .critical_blocks = rounds, .critical_hops = start_ups};
}

void generate(const Problem& problem, const KeptCombs& kept, StepSink& sink) {
  const Combs& combs = *kept;
  StepBuilder step;
  std::vector<BlockId> up;
  std::vector<BlockId> down;
  for (uint64_t s = 1; s <= steps(problem, combs); ++s) {
    for (const ArcId arc : problem.topology().arcs()) {
      up.clear();
      down.clear();
      for (const Use& use : combs.uses[index(arc)]) {
        if (s < use.step || s - use.step >= batches(problem, combs, use.comb)) continue;
        const uint64_t piece = (s - use.step) * combs.count + use.comb;
        (use.down ? down : up).push_back(BlockId{static_cast<uint32_t>(piece)});
      }
      if (!up.empty()) step.add({&arc, 1}, up);
      if (!down.empty()) step.add({&arc, 1}, down, TransferOp::kCopy);
    }
    step.flush(sink);
  }
}

Applicability applies(const Problem& problem) {
  if (!shares_arcs(problem.model()))
    return Applicability::no(
        "needs links that carry several transfers a step: packets many, or shared switching");
  if (problem.model().duplex == Duplex::kHalf) return Applicability::no("needs links of full duplex");
  if (!problem.model().send.unlimited() || !problem.model().receive.unlimited())
    return Applicability::no("needs all ports");
  if (problem.topology().has_routers()) return Applicability::no("needs a mesh without routers");
  const std::optional<MeshShape> mesh = mesh_within(problem.topology());
  if (!mesh || mesh->dimensions.size() != 2) return Applicability::no("needs a mesh of two dimensions");
  const auto capacities = problem.topology().capacities();
  if (std::any_of(capacities.begin(), capacities.end(), [](uint32_t capacity) { return capacity > 1; }))
    return Applicability::no("needs links of capacity 1");
  return Applicability::yes();
}

Chunking chunks(const Problem& problem) {
  const std::optional<MeshShape> mesh = mesh_within(problem.topology());
  if (!mesh || mesh->dimensions.size() != 2) return {};
  const uint32_t n = mesh->dimensions[0].side;
  const uint32_t m = mesh->dimensions[1].side;
  const uint32_t shared = std::gcd(n - 1, m - 1);
  return {.unit = m * ((n - 1) / shared) + n * ((m - 1) / shared), .streams = true};
}

}  // namespace
}  // namespace allreduce_combs_parts

constinit const Algorithm allreduce_combs = {
    .name = "allreduce_combs",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "batches of chunks go up combs of all rows and a column, or all columns and a row, and down again",
    .source = "ours; a packing of spanning trees, as ForestColl's",
    .remarks =
        "two-dimensional meshes, all ports, links shared; for large vectors: of many batches 2(N-1)/A of the vector over the busiest link, "
        "the fewest that there can be",
    .applies = allreduce_combs_parts::applies,
    .chunks = allreduce_combs_parts::chunks,
    .prepare = by_plan<allreduce_combs_parts::kept_combs, allreduce_combs_parts::predicted,
                       allreduce_combs_parts::generate>,
};

}  // namespace quadrille::algorithms
