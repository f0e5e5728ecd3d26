#include "quadrille/transforms/reverse.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/transposed.h"

namespace quadrille {
namespace {

CollectiveKind reversed_kind(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kScatter:
      return CollectiveKind::kGather;
    case CollectiveKind::kGather:
      return CollectiveKind::kScatter;
    case CollectiveKind::kBroadcast:
      return CollectiveKind::kReduce;
    case CollectiveKind::kReduce:
      return CollectiveKind::kBroadcast;
    case CollectiveKind::kAllgather:
      return CollectiveKind::kReduceScatter;
    case CollectiveKind::kReduceScatter:
      return CollectiveKind::kAllgather;
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kAlltoallv:
      return kind;
    case CollectiveKind::kAllreduce:
      break;
  }
  throw InputError("an allreduce cannot be reversed: it is not the reverse of any collective");
}

Collective reversed(const Collective& collective) {
  if (const Counts* counts = collective.counts()) return Collective::counted(counts->transposed());
  return Collective::standard(reversed_kind(collective.kind()), collective.num_ranks(),
                              collective.root().value_or(Rank{0}), collective.pieces());
}

// Only alltoall and alltoallv name their blocks by two ranks; everywhere else the reversed collective numbers them
// alike. Where pieces are to come in order the last one is the first one of the plan read backwards.
BlockId reversed_block(const Problem& problem, const Collective& to, BlockId block) {
  const Collective& from = problem.collective();
  if (problem.model().chunks == Chunks::kInOrder && from.pieces() > 1) {
    const auto piece = index(block) % from.pieces();
    block = id_at<BlockId>(index(block) - piece + (from.pieces() - 1 - piece));
  }
  if (from.kind() != CollectiveKind::kAlltoall && from.counts() == nullptr) return block;
  const uint32_t piece = from.name_form().has_piece ? from.name(block).parts[2] : 0;
  return to.block(from.destination(block), from.origin(block), piece);
}

}  // namespace

Problem reversed(const Problem& problem) {
  const Collective& collective = problem.collective();
  Model model = problem.model();
  std::swap(model.send, model.receive);
  model.combining = Operator::kCommutative;  // what is read backwards need not be in order
  return Problem(transposed(problem.topology()), reversed(collective), model);
}

void reverse(const Problem& problem, const Plan& plan, StepSink& to) {
  const Topology& topology = problem.topology();
  const Topology target = transposed(topology);
  const Collective backwards = reversed(problem.collective());
  const std::vector<ArcId> turned = turned_arcs(topology, target);
  StepBuilder builder;
  std::vector<ArcId> path;
  std::vector<BlockId> blocks;
  for (size_t s = plan.num_steps(); s-- > 0;) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      if (step.op(t) != TransferOp::kDefault) {
        throw InputError(
            fmt::format("step {}, transfer {}: a reduction with copies cannot be reversed", s + 1, t + 1));
      }
      if (step.slots_of(t) != SumSlots{}) {
        throw InputError(fmt::format(
            "step {}, transfer {}: a reduction that keeps partial sums in slots cannot be reversed", s + 1,
            t + 1));
      }
      path.clear();
      for (const ArcId arc : step.arcs(t)) path.push_back(turned[index(arc)]);
      std::reverse(path.begin(), path.end());
      blocks.clear();
      for (const BlockId block : step.blocks(t)) blocks.push_back(reversed_block(problem, backwards, block));
      builder.add(path, blocks);
    }
    builder.flush(to);
  }
}

Plan reverse(const Problem& problem, const Plan& plan) {
  Plan out;
  reverse(problem, plan, out);
  return out;
}

}  // namespace quadrille
