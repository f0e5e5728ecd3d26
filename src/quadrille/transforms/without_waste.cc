#include "quadrille/transforms/without_waste.h"

#include <cstdint>
#include <vector>

namespace quadrille {

Plan without_waste(const Problem& problem, Plan plan) {
  const Topology& topology = problem.topology();
  if (!topology.has_routers()) return plan;
  const size_t blocks = problem.collective().num_blocks();
  const auto at = [blocks](NodeId node, BlockId block) { return index(node) * blocks + index(block); };
  std::vector<bool> has(blocks * topology.num_nodes(), false);
  for (size_t b = 0; b < blocks; ++b) has[at(problem.origin(id_at<BlockId>(b)), id_at<BlockId>(b))] = true;
  // What is carried, in the order of the plan: first what is a first copy, then which of these are needed.
  std::vector<char> kept;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      for (const BlockId block : step.blocks(t)) {
        auto there = has[at(topology.head(step.arcs(t).back()), block)];
        kept.push_back(there ? 0 : 1);
        there = true;
      }
    }
  }
  std::vector<bool> needed(blocks * topology.num_nodes(), false);
  for (const NodeId v : topology.endpoints()) {
    for (size_t b = 0; b < blocks; ++b) needed[at(v, id_at<BlockId>(b))] = true;
  }
  size_t end = kept.size();
  for (size_t s = plan.num_steps(); s-- > 0;) {
    const StepView step = plan.step(s);
    size_t i = end - step.all_blocks.size();
    end = i;
    for (size_t t = 0; t < step.size(); ++t) {
      for (const BlockId block : step.blocks(t)) {
        char& keep = kept[i++];
        if (keep == 0) continue;
        if (needed[at(topology.head(step.arcs(t).back()), block)]) {
          needed[at(topology.tail(step.arcs(t).front()), block)] = true;
        } else {
          keep = 0;
        }
      }
    }
  }
  Plan out;
  StepBuilder builder;
  std::vector<BlockId> left;
  size_t i = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      left.clear();
      for (const BlockId block : step.blocks(t))
        if (kept[i++] != 0) left.push_back(block);
      if (!left.empty()) builder.add(step.arcs(t), left, step.op(t));
    }
    builder.flush(out);
  }
  return out;
}

}  // namespace quadrille
