// Through ports: a plan that uses all links of a node at once, on nodes that have fewer ports.
//
// Each of its steps is parted into as many as the busiest node needs: large messages go into the first step in which both
// their ends have a port left, and where that takes more steps than it has to, an edge colouring parts them (Koenig's
// theorem: as many colours as the most messages at a node).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// The same with all ports, where packets are switched and some node has more links than ports; else as it is.
[[nodiscard]] Problem with_all_links(const Problem& problem);

/// What a card whose `prepare` is for all links has for the problem. Plans that have to be parted are measured, which takes
/// as much as to make them.
[[nodiscard]] Preparation through_ports(const Problem& problem, Preparation (*prepare)(const Problem&));

/// Parts the steps that are pushed as the problem's ports need. Transfers must be of one hop.
class PortsSink final : public StepSink {
 public:
  PortsSink(const Problem& problem, StepSink& sink);

  void push(const StepView& step) override;

 private:
  // The step of each transfer, and how many there are.
  uint32_t first_fit(const StepView& step);
  uint32_t coloured(const StepView& step, uint32_t most);

  Problem problem_;
  StepSink& sink_;
  uint32_t ports_;
  std::vector<uint32_t> step_of_{};
  std::vector<uint32_t> order_{};
  std::vector<uint32_t> sent_{};      // by step and node
  std::vector<uint32_t> received_{};  // by step and node
  std::vector<StepBuilder> parts_{};
};

}  // namespace quadrille
