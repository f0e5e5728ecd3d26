// Structured cut: the blocks that must cross a cut, over the transfers that can cross it in one step.
//
// The cuts are those that the structure of the topology suggests (topology/queries/cuts.h), or the structure that it had
// before its faults (topology/faults/slices_of_whole.h); each is a witness by itself (bounds/cut_bound.h).
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/cut_bound.h"
#include "quadrille/topology/faults/slices_of_whole.h"
#include "quadrille/topology/queries/cuts.h"

namespace quadrille::bounds {

extern const BoundCard structured_cut;

namespace structured_cut_parts {
namespace {

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().num_ranks() < 2) return std::nullopt;
  CutBound bound(problem, structured_cut.name);
  for_each_structured_cut(
      problem.topology(), [&](const Slice& slice) { bound.hold(slice); },
      [&](const Cut& cut) { bound.hold(cut); });
  for_each_slice_of_whole(problem.topology(), [&](const Cut& cut) { bound.hold(cut); });
  return bound.take();
}

}  // namespace
}  // namespace structured_cut_parts

constinit const BoundCard structured_cut = {
    .name = "structured_cut",
    .summary = "blocks that must cross a cut, over what can cross it in a step",
    .source =
        "collective communication dissertation 1996, section 4.1, over the cuts that the structure suggests",
    .in_proportion = true,
    .knows_counts = true,
    .knows_outlines = true,
    .evaluate = structured_cut_parts::evaluate,
};

}  // namespace quadrille::bounds
