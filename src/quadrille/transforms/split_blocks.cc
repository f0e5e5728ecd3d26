#include "quadrille/transforms/split_blocks.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// The piece is the last, fastest part of a block's number.
BlockId part_of(BlockId block, uint32_t part, uint32_t parts) {
  return id_at<BlockId>(index(block) * parts + part);
}

}  // namespace

Problem with_split_blocks(const Problem& problem, uint32_t parts) {
  const Collective& collective = problem.collective();
  if (collective.counts() != nullptr)
    throw InputError("alltoallv counts whole blocks, which are not split; count in smaller units instead");
  const uint64_t pieces = uint64_t{collective.pieces()} * parts;
  if (parts == 0) throw InputError("a block cannot be split into 0 parts");
  if (pieces >= kMaxIds) throw InputError(fmt::format("{} pieces of a block are too many", pieces));
  return Problem(problem.topology(),
                 Collective::standard(collective.kind(), collective.num_ranks(),
                                      collective.root().value_or(Rank{0}), static_cast<uint32_t>(pieces)),
                 problem.model());
}

Plan split_blocks(const Problem& problem, const Plan& plan, uint32_t parts) {
  static_cast<void>(with_split_blocks(problem, parts));  // refuses what cannot be split
  const bool together = carries_many(problem.model());
  Plan out;
  StepBuilder builder;
  std::vector<BlockId> blocks;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (uint32_t part = 0; part < (together ? 1 : parts); ++part) {
      for (size_t t = 0; t < step.size(); ++t) {
        blocks.clear();
        for (const BlockId block : step.blocks(t)) {
          for (uint32_t p = part; p < (together ? parts : part + 1); ++p)
            blocks.push_back(part_of(block, p, parts));
        }
        builder.add(step.arcs(t), blocks, step.op(t), step.slots_of(t));
      }
      builder.flush(out);
    }
  }
  return out;
}

}  // namespace quadrille
