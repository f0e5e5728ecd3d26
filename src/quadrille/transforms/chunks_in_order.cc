#include "quadrille/transforms/chunks_in_order.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quadrille {

bool chunks_in_order(const Problem& problem, const Plan& plan) {
  const uint32_t pieces = problem.collective().pieces();
  if (pieces == 1) return true;
  const uint64_t wholes = problem.collective().num_blocks() / pieces;
  std::unordered_map<uint64_t, uint32_t> last;  // of link, block and whether it is a copy
  std::vector<std::pair<uint64_t, uint32_t>> now;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    now.clear();
    for (size_t t = 0; t < step.size(); ++t) {
      const uint64_t link = index(step.arcs(t).back());
      for (const BlockId block : step.blocks(t)) {
        const uint64_t key =
            (link * wholes + index(block) / pieces) * 2 + (step.op(t) == TransferOp::kCopy ? 1 : 0);
        const auto piece = static_cast<uint32_t>(index(block) % pieces);
        const auto found = last.find(key);
        if (found != last.end() && piece < found->second) return false;
        now.emplace_back(key, piece);
      }
    }
    for (const auto& [key, piece] : now) {
      uint32_t& most = last[key];
      most = std::max(most, piece);
    }
  }
  return true;
}

}  // namespace quadrille
