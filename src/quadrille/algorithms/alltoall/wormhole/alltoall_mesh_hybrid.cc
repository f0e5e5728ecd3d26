// Total exchange on a mesh with few start-ups: worms, one port, a tree below and rotation above.
//
// In two dimensions neighbours 2j, 2j+1 first swap, in the one dimension and then in the other, what is for
// the other parity. From then on blocks stay among the nodes with the parities of their destination: four
// classes, each a mesh of half the sides whose links are two long. Classes of equal parities run the schedule
// of a line (worm_exchange/worm_line.h) along the one dimension while the others run it along the other, and
// then the other way round: a line of the mesh carries one class at a time. Where sides differ the phases of
// both dimensions run in lockstep. A single line runs its schedule as it is.
//
// A line has several schedules, more start-ups or more blocks; every pair of them, one for each dimension,
// that no other pair beats is a member of the family.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_exchange/held_messages.h"
#include "quadrille/algorithms/worm_exchange/mesh_exchange.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/algorithms/worm_exchange/worm_line.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_mesh_hybrid;

namespace alltoall_mesh_hybrid_parts {
namespace {

using Dimension = MeshShape::Dimension;

// Longer rings are not cut open to lines: to find a line's schedules takes as long as to find a ring's, and
// they are no better.
constexpr uint32_t kLongestCutRing = 128;

// One dimension with its lines' schedule: of all nodes of a line, or of every second one.
struct Lines {
  const Dimension* dimension;
  uint32_t dilation;
  LineSchedule schedule;
};

// Which schedule the lines of each dimension run, in every stage.
using Recipes = std::vector<LineRecipe>;

struct HybridMember {
  Recipes recipes{};
  WormCost cost{};
  uint64_t hops = 0;  // links of the longest worm of each phase, added up

  // "rotation-level2"; "rotation-level1+found5": by dimension. What is the same everywhere is named once.
  [[nodiscard]] std::string name() const {
    if (recipes.empty()) return "nothing";
    std::string out = recipes.front().name();
    if (std::ranges::count(recipes, recipes.front()) == std::ssize(recipes)) return out;
    for (size_t d = 1; d < recipes.size(); ++d) out += "+" + recipes[d].name();
    return out;
  }
};

uint32_t dilation_on(const MeshShape& shape) { return shape.dimensions.size() == 2 ? 2 : 1; }

std::vector<Lines> make_lines(const MeshShape& shape, const Recipes& recipes) {
  const uint32_t dilation = dilation_on(shape);
  std::vector<Lines> out;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    const Dimension& dimension = shape.dimensions[d];
    out.push_back({&dimension, dilation, line_schedule(dimension.side / dilation, recipes[d])});
  }
  return out;
}

// A schedule of the lines of one dimension, without its worms.
struct LineOption {
  LineRecipe recipe{};
  std::vector<uint64_t> loads{};  // the largest worm of each phase, in blocks of the mesh
  std::vector<uint64_t> hops{};   // and the links of the longest one
};

std::vector<LineOption> line_options(const MeshShape& shape, size_t d) {
  const uint32_t dilation = dilation_on(shape);
  const uint32_t length = shape.dimensions[d].side / dilation;
  // How many blocks a node has for one block of the schedule.
  const uint64_t messages = dilation == 1 ? 1 : 2 * uint64_t{shape.dimensions[1 - d].side};
  std::vector<LineOption> out;
  for (const LineRecipe& recipe : line_recipes(length)) {
    const LineSchedule schedule = line_schedule(length, recipe);
    LineOption& option = out.emplace_back(LineOption{recipe, {}, {}});
    for (size_t p = 0; p < schedule.phases.size(); ++p) {
      option.loads.push_back(schedule.largest(p) * messages);
      option.hops.push_back(schedule.longest(p) * dilation);
    }
  }
  return out;
}

// The most of all dimensions in every phase.
std::vector<uint64_t> most_by_phase(const std::vector<const LineOption*>& dimensions,
                                    std::vector<uint64_t> LineOption::*figure) {
  std::vector<uint64_t> out;
  for (const LineOption* lines : dimensions) {
    const std::vector<uint64_t>& phases = lines->*figure;
    out.resize(std::max(out.size(), phases.size()), 0);
    for (size_t p = 0; p < phases.size(); ++p) out[p] = std::max(out[p], phases[p]);
  }
  return out;
}

uint64_t sum_of(const std::vector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

// The phases of all dimensions in step, once for each stage; and the swaps.
WormCost lockstep(const Problem& problem, const std::vector<const LineOption*>& dimensions) {
  const std::vector<uint64_t> largest = most_by_phase(dimensions, &LineOption::loads);
  const uint64_t blocks = sum_of(largest);
  if (dimensions.size() < 2) return {largest.size(), blocks};
  return {2 + 2 * largest.size(), problem.topology().num_nodes() + 2 * blocks};
}

uint64_t hops_in_lockstep(const std::vector<const LineOption*>& dimensions) {
  const uint64_t hops = sum_of(most_by_phase(dimensions, &LineOption::hops));
  return dimensions.size() < 2 ? hops : 2 + 2 * hops;
}

// All pairs of schedules that no other pair beats, the one with the fewest start-ups first. On a square one
// schedule for both dimensions is as good as any two.
std::vector<HybridMember> hybrid_front(const Problem& problem) {
  const MeshShape shape = *mesh_within(problem.topology());
  std::vector<std::vector<LineOption>> options;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) options.push_back(line_options(shape, d));
  std::vector<std::vector<const LineOption*>> choices{{}};
  for (const std::vector<LineOption>& of_dimension : options) {
    std::vector<std::vector<const LineOption*>> longer;
    for (const std::vector<const LineOption*>& choice : choices) {
      for (const LineOption& option : of_dimension) {
        const bool square = !choice.empty() && shape.dimensions.front().side == shape.dimensions.back().side;
        if (square && choice.front()->recipe != option.recipe) continue;
        longer.push_back(choice);
        longer.back().push_back(&option);
      }
    }
    choices = std::move(longer);
  }
  std::vector<HybridMember> out;
  for (const std::vector<const LineOption*>& choice : choices) {
    HybridMember& member =
        out.emplace_back(HybridMember{{}, lockstep(problem, choice), hops_in_lockstep(choice)});
    for (const LineOption* option : choice) member.recipes.push_back(option->recipe);
  }
  keep_front(out);
  return out;
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = mesh_exchange_applies(problem); !fits.applies) return fits;
  if (problem.model().duplex == Duplex::kHalf) {
    return Applicability::no(
        "its lines carry worms both ways at once; the links are half duplex: alltoall_mesh serves");
  }
  const std::vector<Dimension> dimensions = mesh_within(problem.topology())->dimensions;
  if (dimensions.size() > 2) {
    return Applicability::no(fmt::format(
        "it has two classes of lines: at most two sides longer than 1, not {}", dimensions.size()));
  }
  if (dimensions.size() == 1 && dimensions.front().closed && problem.model().routing != Routing::kAny) {
    return Applicability::no(
        fmt::format("it cuts the ring open, so its worms go the long way round: it needs routing any, not {}",
                    to_text(problem.model().routing)));
  }
  if (dimensions.size() == 1 && dimensions.front().closed && dimensions.front().side > kLongestCutRing) {
    return Applicability::no(
        fmt::format("it cuts rings of at most {} nodes open, not of {}; alltoall_wormhole_rings serves",
                    kLongestCutRing, dimensions.front().side));
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
  HybridExchange(const Problem& problem, const Recipes& recipes, StepSink& sink)
      : topology_(problem.topology()),
        shape_(*mesh_within(topology_)),
        dimensions_(make_lines(shape_, recipes)),
        held_(problem),
        sink_(sink) {}

  void run() {
    if (dimensions_.size() == 2) {
      for (const Lines& lines : dimensions_) swap_parities(*lines.dimension);
    }
    for (size_t stage = 0; stage < dimensions_.size(); ++stage) {
      size_t phases = 0;
      for (const Lines& lines : dimensions_) phases = std::max(phases, lines.schedule.phases.size());
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

Prediction predicted(const Problem& problem, const HybridMember& member) {
  return {.steps = member.cost.start_ups,
          .start_ups = member.cost.start_ups,
          .critical_blocks = member.cost.blocks * problem.collective().pieces(),
          .critical_hops = member.hops};
}

void generate(const Problem& problem, const HybridMember& member, StepSink& sink) {
  HybridExchange(problem, member.recipes, sink).run();
}

Preparation prepare(const Problem& problem) {
  Preparation out;
  for (HybridMember& member : hybrid_front(problem)) {
    const std::string name = member.name();
    out.plans.push_back(kept(problem, std::move(member), predicted, generate, name));
  }
  return out;
}

}  // namespace
}  // namespace alltoall_mesh_hybrid_parts

constinit const Algorithm alltoall_mesh_hybrid = {
    .name = "alltoall_mesh_hybrid",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "neighbours first swap by parity, then each parity class combines messages on its lines: few start-ups or few bytes",
    .source = "ours: the classes of Tseng, Ni, Sheu's T4 on a mesh, with a hybrid of their tree and rotation",
    .remarks =
        "worms, one port, full duplex; lines of any length and even sides in two dimensions, a torus as the "
        "mesh in it; start-ups grow "
        "with the logarithm: 16 x 16 in 12 with 1,344 blocks, 32 x 32 in 20 with 10,112; a family",
    .counts_alone = true,
    .applies = alltoall_mesh_hybrid_parts::applies,
    .prepare = alltoall_mesh_hybrid_parts::prepare,
};

}  // namespace quadrille::algorithms
