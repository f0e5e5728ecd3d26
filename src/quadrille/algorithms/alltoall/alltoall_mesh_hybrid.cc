// Total exchange on a mesh with few start-ups: worms, one port, a tree below and rotation above.
//
// In two dimensions neighbours 2j, 2j+1 first swap, in the one dimension and then in the other, what is for
// the other parity. From then on blocks stay among the nodes with the parities of their destination: four
// classes, each a mesh of half the sides whose links are two long. Classes of equal parities run the schedule
// of a line (patterns/worm_line.h) along the one dimension while the others run it along the other, and then
// the other way round: a line of the mesh carries one class at a time. Where sides differ the phases of both
// dimensions run in lockstep. A single line runs its schedule as it is.
//
// A line has several schedules, more start-ups or more blocks. The pair is taken that costs least by the
// model's constants for blocks of one byte; by default, which counts start-ups only, the fewest.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/patterns/held_messages.h"
#include "quadrille/algorithms/patterns/mesh_exchange.h"
#include "quadrille/algorithms/patterns/worm_line.h"

namespace quadrille::algorithms {
namespace {

using Dimension = MeshShape::Dimension;

// One dimension with its lines' schedule: of all nodes of a line, or of every second one.
struct Lines {
  const Dimension* dimension;
  uint32_t dilation;
  LineSchedule schedule;
  uint64_t messages;  // that a node has for one block of the schedule

  [[nodiscard]] uint64_t largest(size_t phase) const { return schedule.largest(phase) * messages; }
};

struct HybridCost {
  uint64_t start_ups = 0;
  uint64_t blocks = 0;
};

HybridCost stage_cost(const std::vector<Lines>& dimensions) {
  HybridCost cost;
  for (const Lines& lines : dimensions) {
    cost.start_ups = std::max<uint64_t>(cost.start_ups, lines.schedule.phases.size());
  }
  for (size_t phase = 0; phase < cost.start_ups; ++phase) {
    uint64_t largest = 0;
    for (const Lines& lines : dimensions) largest = std::max(largest, lines.largest(phase));
    cost.blocks += largest;
  }
  return cost;
}

// Which multiples of a power of two rotate, or what was found, for each dimension.
using Levels = std::vector<LineRecipe>;

std::vector<Lines> make_lines(const MeshShape& shape, const Levels& levels) {
  const std::vector<Dimension>& dimensions = shape.dimensions;
  const uint32_t dilation = dimensions.size() == 2 ? 2 : 1;
  std::vector<Lines> out;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const uint64_t messages = dilation == 1 ? 1 : 2 * uint64_t{dimensions[1 - d].side};
    out.push_back(
        {&dimensions[d], dilation, line_schedule(dimensions[d].side / dilation, levels[d]), messages});
  }
  return out;
}

// With the swaps and both stages.
HybridCost whole_cost(const Problem& problem, const std::vector<Lines>& dimensions) {
  const HybridCost stage = stage_cost(dimensions);
  if (dimensions.size() < 2) return stage;
  return {2 + 2 * stage.start_ups, problem.topology().num_nodes() + 2 * stage.blocks};
}

std::vector<Levels> all_levels(const MeshShape& shape) {
  std::vector<Levels> out{{}};
  for (const Dimension& dimension : shape.dimensions) {
    const auto length = static_cast<uint32_t>(dimension.side / shape.dimensions.size());
    std::vector<Levels> longer;
    for (const Levels& levels : out) {
      for (const LineRecipe& recipe : line_recipes(length)) {
        longer.push_back(levels);
        longer.back().push_back(recipe);
      }
    }
    out = std::move(longer);
  }
  return out;
}

// The levels that cost least by the model's constants for blocks of one byte.
Levels choose_levels(const Problem& problem, const MeshShape& shape) {
  using Value = std::tuple<double, uint64_t, uint64_t>;
  std::optional<Value> best;
  Levels chosen;
  for (Levels& levels : all_levels(shape)) {
    const HybridCost cost = whole_cost(problem, make_lines(shape, levels));
    const double time = time_of(problem.model().cost, cost.start_ups, cost.blocks, 0, 1);
    const Value value{time, cost.start_ups, cost.blocks};
    if (best && *best <= value) continue;
    best = value;
    chosen = std::move(levels);
  }
  return chosen;
}

Claim claimed(const Problem& problem) {
  const MeshShape shape = *as_mesh(problem.topology());
  const HybridCost cost = whole_cost(problem, make_lines(shape, choose_levels(problem, shape)));
  return {.steps = cost.start_ups,
          .start_ups = cost.start_ups,
          .critical_blocks = cost.blocks * problem.collective().pieces()};
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = mesh_exchange_applies(problem); !fits.applies) return fits;
  if (problem.model().duplex == Duplex::kHalf) {
    return Applicability::no(
        "its lines carry worms both ways at once; the links are half duplex: alltoall_mesh serves");
  }
  const std::vector<Dimension> dimensions = as_mesh(problem.topology())->dimensions;
  if (dimensions.size() > 2) {
    return Applicability::no(fmt::format(
        "it has two classes of lines: at most two sides longer than 1, not {}", dimensions.size()));
  }
  for (const Dimension& dimension : dimensions) {
    if (dimensions.size() == 2 && dimension.side % 2 != 0) {
      return Applicability::no(fmt::format(
          "it pairs neighbours: both sides must be even, {} is odd; alltoall_mesh serves", dimension.side));
    }
    if (dimension.side / dimensions.size() > kLongestWormLine) {
      return Applicability::no(fmt::format("it knows every block of a line: at most {} nodes, not {}",
                                           kLongestWormLine * dimensions.size(), dimension.side));
    }
  }
  return Applicability::yes();
}

class HybridExchange {
 public:
  HybridExchange(const Problem& problem, const Levels& levels, StepSink& sink)
      : topology_(problem.topology()),
        shape_(*as_mesh(topology_)),
        dimensions_(make_lines(shape_, levels)),
        held_(problem),
        sink_(sink) {}

  void run() {
    if (dimensions_.size() == 2) {
      for (const Lines& lines : dimensions_) swap_parities(*lines.dimension);
    }
    for (size_t stage = 0; stage < dimensions_.size(); ++stage) {
      const uint64_t phases = stage_cost(dimensions_).start_ups;
      for (size_t phase = 0; phase < phases; ++phase) run_phase(stage, phase);
    }
  }

 private:
  // A phase of one dimension, as tables.
  struct Phase {
    std::vector<std::optional<uint32_t>> next;  // per node of a line: where its worm goes
    std::vector<bool> moves;                    // per block of the line: source * length + target
  };

  void swap_parities(const Dimension& dimension) {
    const std::vector<uint32_t>& coordinate = dimension.coordinate;
    for (const NodeId v : topology_.nodes()) {
      const uint32_t c = coordinate[index(v)];
      send(v, dimension, c ^ 1U, [&](const HeldMessages::Message& m) {
        return coordinate[m.destination] % 2 != coordinate[index(v)] % 2;
      });
    }
    end_step();
  }

  void run_phase(size_t stage, size_t phase) {
    std::vector<Phase> phases;
    for (const Lines& lines : dimensions_) phases.push_back(tabulate(lines, phase));
    for (const NodeId v : topology_.nodes()) {
      const size_t d = dimension_of(v, stage);
      const Lines& lines = dimensions_[d];
      const std::vector<uint32_t>& coordinate = lines.dimension->coordinate;
      const uint32_t c = coordinate[index(v)];
      const std::optional<uint32_t> next = phases[d].next[c / lines.dilation];
      if (!next) continue;
      const uint32_t length = lines.schedule.length;
      send(v, *lines.dimension, *next * lines.dilation + c % lines.dilation,
           [&](const HeldMessages::Message& m) {
             const uint32_t source = coordinate[m.source] / lines.dilation;
             return phases[d].moves[source * length + coordinate[m.destination] / lines.dilation];
           });
    }
    end_step();
  }

  [[nodiscard]] static Phase tabulate(const Lines& lines, size_t phase) {
    const uint32_t length = lines.schedule.length;
    Phase out{std::vector<std::optional<uint32_t>>(length), std::vector<bool>(size_t{length} * length)};
    if (phase >= lines.schedule.phases.size()) return out;
    for (const LineWorm& worm : lines.schedule.phases[phase]) {
      out.next[worm.from] = worm.to;
      for (const LineBlock& block : worm.blocks) {
        out.moves[size_t{block.source} * length + block.target] = true;
      }
    }
    return out;
  }

  // Classes of equal parities take the second dimension first.
  [[nodiscard]] size_t dimension_of(NodeId v, size_t stage) const {
    if (dimensions_.size() < 2) return 0;
    const auto parity = [&](size_t d) { return dimensions_[d].dimension->coordinate[index(v)] % 2; };
    return parity(0) == parity(1) ? 1 - stage : stage;
  }

  template <typename Wanted>
  void send(NodeId v, const Dimension& dimension, uint32_t to, const Wanted& wanted) {
    path_.clear();
    NodeId at = v;
    while (dimension.coordinate[index(at)] != to) {
      path_.push_back(dimension.coordinate[index(at)] < to ? dimension.up[index(at)]
                                                           : dimension.down[index(at)]);
      at = topology_.head(path_.back());
    }
    held_.send(step_, v, at, path_, HeldMessages::From::kAll, wanted);
  }

  void end_step() {
    held_.arrive();
    step_.flush(sink_);
  }

  const Topology& topology_;
  MeshShape shape_;
  std::vector<Lines> dimensions_;
  HeldMessages held_;
  StepSink& sink_;
  StepBuilder step_;
  std::vector<ArcId> path_;
};

}  // namespace

constinit const Algorithm alltoall_mesh_hybrid = {
    .name = "alltoall_mesh_hybrid",
    .collective = CollectiveKind::kAlltoall,
    .summary = "pairs swap parities, then every class runs a tree below and rotation above, line by line",
    .source = "ours: the classes of Tseng, Ni, Sheu's T4 on a mesh, with a hybrid of their tree and rotation",
    .remarks =
        "worms, one port, full duplex; lines of any length and even sides in two dimensions; start-ups grow "
        "with the logarithm: 16 x 16 in 12 with 1,344 blocks, 32 x 32 in 20 with 10,112",
    .applies = applies,
    .claimed = claimed,
    .generate =
        [](const Problem& problem, StepSink& sink) {
          const Levels levels = choose_levels(problem, *as_mesh(problem.topology()));
          HybridExchange(problem, levels, sink).run();
        },
};

}  // namespace quadrille::algorithms
