#include "quadrille/verify/rules/chunks_in_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/verify/rule.h"

namespace quadrille::rules {

extern const RuleCard chunks_in_order;
const RuleCard chunks_in_order{
    .name = "chunks_in_order",
    .summary = "where chunks are to come in order, no piece of a block comes over a link after a later one",
    .details =
        "Only where the model asks for it, so that a receiver can use what it has so far. Counted per link (of a worm "
        "the last on its path) and block before it was split. Pieces that come in one step are in order. In a "
        "reduction what is added and what is copied are two streams.",
};

ChunkOrder::ChunkOrder(const Problem& problem)
    : problem_(problem),
      pieces_(problem.collective().pieces()),
      wholes_(problem.collective().num_blocks() / pieces_) {}

bool ChunkOrder::is_asked_for(const Problem& problem) {
  return problem.model().chunks == Chunks::kInOrder && problem.collective().pieces() > 1;
}

void ChunkOrder::check(const JudgedStep& step, Findings& findings) {
  const StepView& view = step.view;
  came_.clear();
  for (size_t t = 0; t < view.size(); ++t) {
    const uint64_t link = index(view.arcs(t).back());
    const uint64_t copy = view.op(t) == TransferOp::kCopy ? 1 : 0;
    for (const BlockId block : view.blocks(t)) {
      const uint64_t stream = (link * wholes_ + index(block) / pieces_) * 2 + copy;
      const auto piece = static_cast<uint32_t>(index(block) % pieces_);
      came_.emplace_back(stream, piece);
      const auto before = highest_.find(stream);
      if (before == highest_.end() || before->second <= piece) continue;
      findings.add(
          chunks_in_order, step.step(), step.transfer(t),
          {.node = problem_.topology().head(view.arcs(t).back()), .arc = view.arcs(t).back(), .block = block},
          [&, highest = before->second] {
            const Topology& topology = problem_.topology();
            return fmt::format("block {} comes to node {} over the link from {} after piece {}",
                               problem_.block_label(block),
                               topology.label(topology.head(view.arcs(t).back())),
                               topology.label(topology.tail(view.arcs(t).back())), highest);
          });
    }
  }
  for (const auto& [stream, piece] : came_) {
    uint32_t& highest = highest_[stream];
    highest = std::max(highest, piece);
  }
}

}  // namespace quadrille::rules
