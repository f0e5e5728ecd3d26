// Allgather along the dimensions of a torus or mesh with equal sides: as few steps as the diameter, and no
// link carries a chunk too many.
//
// Every block is cut into chunks, and chunk q belongs to class q mod d. Class k is gathered along dimension k,
// then k+1, and so on around; in each phase every node already has what lies behind it in the dimensions done,
// and sends that bundle along its line both ways. So in every phase each dimension serves one class, and all
// links are in use. On an even ring a bundle has two shortest ways to the node opposite: half of the class's
// chunks go each way.
//
// A node receives every chunk once, over links that carry equally many: with 2d chunks to a block (d on meshes
// and odd rings) (N-1)/degree blocks over each on a torus, in d floor(n/2) steps. The bucket algorithm goes one
// way round and needs d(n-1).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_dimensions;

namespace allgather_dimensions_parts {
namespace {

// Lines or rings crossed, all of one length. A node is also known by its code: its coordinates as digits of a
// number in base `side`, the first dimension's the lowest.
struct Grid {
  uint32_t side = 1;
  bool closed = false;  // rings, of three nodes or more
  std::vector<uint32_t> powers{1};
  std::vector<uint32_t> code;          // per node
  std::vector<NodeId> node;            // per code
  std::vector<std::vector<ArcId>> up;  // per dimension and node; kNoArc at the end of a line
  std::vector<std::vector<ArcId>> down;

  [[nodiscard]] size_t dimensions() const { return up.size(); }
  [[nodiscard]] uint32_t coordinate(uint32_t of_code, size_t dimension) const {
    return of_code / powers[dimension] % side;
  }
  // Steps of the gather along one line.
  [[nodiscard]] uint32_t reach() const { return closed ? side / 2 : side - 1; }
  // In the last of them the two ways meet.
  [[nodiscard]] bool is_halved(uint32_t distance) const { return closed && 2 * distance == side; }
};

void index_codes(Grid& grid) {
  grid.node.assign(grid.code.size(), kNoNode);
  for (uint32_t v = 0; v < grid.code.size(); ++v) grid.node[grid.code[v]] = NodeId{v};
}

void start_dimension(Grid& grid, uint32_t side) {
  grid.side = side;
  grid.powers.push_back(grid.powers.back() * side);
}

bool have_equal_sides(const std::vector<uint32_t>& sides) {
  return std::all_of(sides.begin(), sides.end(), [&](uint32_t side) { return side == sides.front(); });
}

Grid of_torus(const Topology& topology, const TorusShape& shape) {
  const CayleyStructure& cayley = *topology.cayley();
  Grid grid;
  grid.code.assign(topology.num_nodes(), 0);
  for (size_t i = 0; i < shape.sides.size(); ++i) {
    std::vector<ArcId>& up = grid.up.emplace_back();
    std::vector<ArcId>& down = grid.down.emplace_back();
    for (const NodeId v : topology.nodes()) {
      const auto place = static_cast<uint32_t>(index(v)) / shape.strides[i] % shape.sides[i];
      grid.code[index(v)] += place * grid.powers[i];
      const bool pair = shape.sides[i] == 2;  // one link, up from the one and down from the other
      up.push_back(pair && place == 1 ? kNoArc : cayley.arc(v, shape.up[i]));
      down.push_back(pair && place == 0 ? kNoArc : cayley.arc(v, shape.down[i]));
    }
    start_dimension(grid, shape.sides[i]);
  }
  grid.closed = grid.side > 2;
  index_codes(grid);
  return grid;
}

Grid of_mesh(const Topology& topology, const MeshShape& shape) {
  Grid grid;
  grid.code.assign(topology.num_nodes(), 0);
  for (const MeshShape::Dimension& dimension : shape.dimensions) {
    for (size_t v = 0; v < grid.code.size(); ++v)
      grid.code[v] += dimension.coordinate[v] * grid.powers.back();
    grid.up.push_back(dimension.up);
    grid.down.push_back(dimension.down);
    start_dimension(grid, dimension.side);
  }
  index_codes(grid);
  return grid;
}

// Nothing where the network is no such grid.
std::optional<Grid> grid_of(const Topology& topology) {
  if (const std::optional<TorusShape> torus = as_torus(topology)) {
    if (!have_equal_sides(torus->sides)) return std::nullopt;
    return of_torus(topology, *torus);
  }
  const std::optional<MeshShape> mesh = mesh_within(topology);
  if (!mesh) return std::nullopt;
  std::vector<uint32_t> sides;
  for (const MeshShape::Dimension& dimension : mesh->dimensions) {
    if (dimension.closed) return std::nullopt;
    sides.push_back(dimension.side);
  }
  if (!have_equal_sides(sides)) return std::nullopt;
  return of_mesh(topology, *mesh);
}

// The pieces of one class that a bundle carries.
std::vector<uint32_t> pieces_of(const Grid& grid, uint32_t pieces, size_t klass, bool halved, bool upwards) {
  std::vector<uint32_t> out;
  const auto classes = static_cast<uint32_t>(grid.dimensions());
  uint32_t turn = 0;
  for (auto q = static_cast<uint32_t>(klass); q < pieces; q += classes, ++turn) {
    if (!halved || (turn % 2 == 0) == upwards) out.push_back(q);
  }
  return out;
}

// What the class's bundles have gathered in so many dimensions, from dimension `klass` on: codes to be added
// to one whose coordinates there are 0.
std::vector<uint32_t> gathered(const Grid& grid, size_t klass, size_t phase) {
  std::vector<uint32_t> out{0};
  for (size_t p = 0; p < phase; ++p) {
    const size_t have = out.size();
    const uint32_t power = grid.powers[(klass + p) % grid.dimensions()];
    for (uint32_t x = 1; x < grid.side; ++x)
      for (size_t i = 0; i < have; ++i) out.push_back(out[i] + x * power);
  }
  return out;
}

uint64_t power(uint64_t base, size_t exponent) {
  uint64_t out = 1;
  for (size_t i = 0; i < exponent; ++i) out *= base;
  return out;
}

// The first class has most pieces, and what goes up is never less than what goes down.
Prediction predicted(const Problem& problem, const Grid& grid) {
  const size_t d = grid.dimensions();
  Prediction out{.steps = d * grid.reach(),
                 .start_ups = d * grid.reach(),
                 .busiest_link = 0,
                 .critical_blocks = 0,
                 .critical_hops = d * grid.reach()};
  const auto carried = [&](size_t klass, size_t phase, uint32_t distance) {
    return power(grid.side, phase) *
           pieces_of(grid, problem.collective().pieces(), klass, grid.is_halved(distance), true).size();
  };
  for (size_t i = 0; i < d; ++i) {
    uint64_t load = 0;
    for (size_t phase = 0; phase < d; ++phase)
      for (uint32_t t = 1; t <= grid.reach(); ++t) load += carried((i + d - phase) % d, phase, t);
    out.busiest_link = std::max(*out.busiest_link, load);
  }
  for (size_t phase = 0; phase < d; ++phase)
    for (uint32_t t = 1; t <= grid.reach(); ++t) *out.critical_blocks += carried(0, phase, t);
  return out;
}

// One class in one step of its phase.
class Bundles {
 public:
  Bundles(const Problem& problem, const Grid& grid, size_t klass, size_t phase)
      : collective_(problem.collective()),
        grid_(grid),
        klass_(klass),
        phase_(phase),
        dimension_((klass + phase) % grid.dimensions()),
        behind_(gathered(grid, klass, phase)) {}

  // Everywhere along its dimension, the bundles that have come so far.
  void add(uint32_t distance, bool upwards, StepBuilder& step) {
    pieces_ = pieces_of(grid_, collective_.pieces(), klass_, grid_.is_halved(distance), upwards);
    if (pieces_.empty()) return;
    const std::vector<ArcId>& arcs = upwards ? grid_.up[dimension_] : grid_.down[dimension_];
    for (size_t v = 0; v < arcs.size(); ++v) {
      if (arcs[v] != kNoArc) add_from(v, arcs[v], distance - 1, upwards, step);
    }
  }

 private:
  // The bundle that started so many hops behind a node goes on from there.
  void add_from(size_t v, ArcId arc, uint32_t hops, bool upwards, StepBuilder& step) {
    uint32_t code = grid_.code[v];
    const uint32_t place = grid_.coordinate(code, dimension_);
    const uint32_t last = grid_.side - 1;
    if (!grid_.closed && hops > (upwards ? place : last - place)) return;
    const uint32_t start = (place + (upwards ? grid_.side - hops : hops)) % grid_.side;
    code = code - place * grid_.powers[dimension_] + start * grid_.powers[dimension_];
    for (size_t p = 0; p < phase_; ++p) {
      const size_t done = (klass_ + p) % grid_.dimensions();
      code -= grid_.coordinate(code, done) * grid_.powers[done];
    }
    blocks_.clear();
    for (const uint32_t more : behind_) {
      const auto source = static_cast<uint32_t>(index(grid_.node[code + more]));
      for (const uint32_t piece : pieces_) blocks_.push_back(collective_.block(Rank{source}, piece));
    }
    step.add({&arc, 1}, blocks_);
  }

  const Collective& collective_;
  const Grid& grid_;
  size_t klass_;
  size_t phase_;
  size_t dimension_;
  std::vector<uint32_t> behind_;
  std::vector<uint32_t> pieces_;
  std::vector<BlockId> blocks_;
};

void generate(const Problem& problem, const Grid& grid, StepSink& sink) {
  StepBuilder step;
  for (size_t phase = 0; phase < grid.dimensions(); ++phase) {
    std::vector<Bundles> classes;
    for (size_t k = 0; k < grid.dimensions(); ++k) classes.emplace_back(problem, grid, k, phase);
    for (uint32_t t = 1; t <= grid.reach(); ++t) {
      for (Bundles& bundles : classes) {
        bundles.add(t, true, step);
        bundles.add(t, false, step);
      }
      step.flush(sink);
    }
  }
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_over_all_links(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (grid_of(topology)) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus or a mesh with equal sides; {} is not known to be one", topology.name()));
}

Preparation prepare(const Problem& problem) {
  return Preparation::of(kept(problem, *grid_of(problem.topology()), predicted, generate));
}

Chunking chunks(const Problem& problem) {
  const std::optional<Grid> grid = grid_of(problem.topology());
  if (!grid) return {};
  const auto classes = static_cast<uint32_t>(grid->dimensions());
  return {.unit = std::max(1U, grid->closed && grid->side % 2 == 0 ? 2 * classes : classes)};
}

}  // namespace
}  // namespace allgather_dimensions_parts

constinit const Algorithm allgather_dimensions = {
    .name = "allgather_dimensions",
    .collective = CollectiveKind::kAllgather,
    .summary = "gathers both ways along each dimension, a class of chunks in each order of the dimensions",
    .source = "ours; the bucket algorithm goes one way round",
    .remarks =
        "tori and meshes with equal sides, all ports; as many steps as the diameter, and with 2d chunks "
        "(N-1)/degree blocks over every link of a torus, which no plan can beat",
    .applies = allgather_dimensions_parts::applies,
    .chunks = allgather_dimensions_parts::chunks,
    .prepare = allgather_dimensions_parts::prepare,
};

}  // namespace quadrille::algorithms
