// What the judge counts in a plan of the house.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/reproduce/sheet.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// One port each way, worms: how the papers on total exchange by message combining take a network.
[[nodiscard]] Model one_port_worms();
/// Packets, so many ports; 0 is all.
[[nodiscard]] Model packet_ports(uint32_t send, uint32_t receive);

/// A standard collective on the topology of a spec.
[[nodiscard]] Problem problem_on(std::string_view spec, CollectiveKind kind, const Model& model,
                                 uint32_t root = 0);

/// What the judge counted; as cells with what a simulator takes, where that is asked for (reproduce/simulated.h).
struct Judged : Figures {
  std::shared_ptr<const Schedule> schedule{};  ///< only where plans are simulated

  [[nodiscard]] Cell steps_cell() const;   ///< simulated where each step carries one block at most
  [[nodiscard]] Cell blocks_cell() const;  ///< on the critical path
};

/// Makes the plan of an algorithm ("auto" for the best one) and lets it be judged, step by step.
[[nodiscard]] Judged judged(const Problem& problem, const std::string& algorithm);

/// What the algorithm predicts ("auto" for the cheapest), without making the plan; of a family the cheapest member.
[[nodiscard]] Prediction predicted(const Problem& problem, const std::string& algorithm);

/// Of every step of a judged plan: how many transfers it has, and the most blocks in one.
struct StepSize {
  uint64_t transfers = 0;
  uint64_t largest = 0;
};
[[nodiscard]] std::vector<StepSize> judged_steps(const Problem& problem, const std::string& algorithm);

/// Makes and judges the plan, and shows its steps as they come.
Figures watch(const Problem& problem, const std::string& algorithm,
              const std::function<void(const StepView&)>& use);

/// The best lower bound on the steps, rounded up.
[[nodiscard]] uint64_t least_steps(const Problem& problem);

/// "torus(8,8)": so many equal sides.
[[nodiscard]] std::string equal_sides(std::string_view family, uint64_t side, size_t dimensions);

}  // namespace quadrille
