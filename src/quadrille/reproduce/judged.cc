#include "quadrille/reproduce/judged.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/reproduce/simulated.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

class Watcher final : public StepSink {
 public:
  explicit Watcher(const std::function<void(const StepView&)>& use) : use_(use) {}
  void push(const StepView& step) override { use_(step); }

 private:
  const std::function<void(const StepView&)>& use_;
};

}  // namespace

Model one_port_worms() {
  Model out;
  out.send = out.receive = kOnePort;
  out.switching = Switching::kWormhole;
  return out;
}

Model packet_ports(uint32_t send, uint32_t receive) {
  Model out;
  if (send > 0) out.send = Ports{send};
  if (receive > 0) out.receive = Ports{receive};
  return out;
}

Problem problem_on(std::string_view spec, CollectiveKind kind, const Model& model, uint32_t root) {
  const Topology topology = parse_topology(spec);
  const bool rooted = root > 0;
  return standard_problem(topology, kind, model, rooted ? NodeId{root} : kNoNode);
}

Cell Judged::steps_cell() const {
  Cell out(steps);
  // A step that carries more than a block is no measure of time.
  if (!schedule || critical_blocks != start_ups) return out;
  if (const auto found = simulated_figures(*schedule)) out.simulated = found->steps;
  return out;
}

Cell Judged::blocks_cell() const {
  Cell out(critical_blocks);
  if (!schedule) return out;
  if (const auto found = simulated_figures(*schedule)) out.simulated = found->blocks;
  return out;
}

Judged judged(const Problem& problem, const std::string& algorithm) {
  const bool simulates = SimulatingScope::is_open();
  Compiled made = compile(problem, {.algorithm = algorithm, .stored = simulates});
  QUADRILLE_CHECK(made.verdict.passed(), algorithm);
  Judged out{made.verdict.figures, {}};
  if (simulates && made.schedule) out.schedule = std::make_shared<const Schedule>(*std::move(made.schedule));
  return out;
}

Figures watch(const Problem& problem, const std::string& algorithm,
              const std::function<void(const StepView&)>& use) {
  Watcher watcher(use);
  Wishes wishes;
  wishes.algorithm = algorithm;
  wishes.stored = false;
  wishes.steps_to = &watcher;
  const Compiled made = compile(problem, wishes);
  QUADRILLE_CHECK(made.verdict.passed(), algorithm);
  return made.verdict.figures;
}

std::vector<StepSize> judged_steps(const Problem& problem, const std::string& algorithm) {
  std::vector<StepSize> out;
  watch(problem, algorithm, [&out](const StepView& step) {
    StepSize& size = out.emplace_back();
    size.transfers = step.size();
    for (size_t t = 0; t < step.size(); ++t)
      size.largest = std::max<uint64_t>(size.largest, step.blocks(t).size());
  });
  return out;
}

Prediction predicted(const Problem& problem, const std::string& algorithm) {
  return pick_algorithm(problem, algorithm, 1, 0).prediction;
}

uint64_t least_steps(const Problem& problem) {
  return static_cast<uint64_t>(best_of(all_bounds(problem)).value.ceil());
}

std::string equal_sides(std::string_view family, uint64_t side, size_t dimensions) {
  std::string out = fmt::format("{}({}", family, side);
  for (size_t k = 1; k < dimensions; ++k) out += fmt::format(",{}", side);
  return out + ")";
}

}  // namespace quadrille
