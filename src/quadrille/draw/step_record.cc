#include "quadrille/draw/step_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr size_t kMostUses = size_t{1} << 25U;
constexpr uint32_t kMostNodesToMeasure = 8192;  // distances from all of them are a quarter of a gigabyte

}  // namespace

StepRecord::StepRecord(const Problem& problem, uint64_t first, uint64_t last)
    : problem_(problem), first_(first), last_(last) {
  if (problem.collective().flow() == Flow::kMove) {
    moved_.resize(problem.collective().num_blocks());
  } else {
    distances_.resize(problem.collective().num_ranks());
  }
}

uint32_t StepRecord::hop_of(BlockId block, ArcId arc, bool result) {
  const Collective& collective = problem_.collective();
  const Topology& topology = problem_.topology();
  const auto far = [&](Rank rank, NodeId node) {
    if (topology.num_nodes() > kMostNodesToMeasure) return 1U;
    std::vector<uint32_t>& row = distances_[index(rank)];
    if (row.empty()) row = distances_from(topology, topology.endpoint(rank));
    return row[index(node)];
  };
  switch (collective.flow()) {
    case Flow::kMove:
      if (moved_[index(block)] < UINT16_MAX) ++moved_[index(block)];
      return moved_[index(block)];
    case Flow::kCopy:
      return std::max(1U, far(collective.origin(block), topology.head(arc)));
    case Flow::kCombine:
      if (collective.delivers_to_all()) {
        results_ = results_ || result;
        return result ? 2 : 1;
      }
      return std::max(1U, far(collective.destination(block), topology.tail(arc)));
  }
  return 1;
}

void StepRecord::push(const StepView& step) {
  const bool kept = steps_ >= first_ && steps_ < last_;
  const size_t begin = uses_.size();
  for (size_t t = 0; t < step.size(); ++t) {
    const std::span<const BlockId> blocks = step.blocks(t);
    // A copy into a slot of its own is a sum that waits there.
    const bool result = step.op(t) == TransferOp::kCopy && step.slots_of(t) == SumSlots{};
    for (const ArcId arc : step.arcs(t)) {
      if (arc == kNoArc) continue;
      uint32_t hop = 0;
      for (const BlockId block : blocks) hop = std::max(hop, hop_of(block, arc, result));
      if (kept) uses_.push_back({arc, static_cast<uint32_t>(blocks.size()), hop});
    }
  }
  ++steps_;
  if (!kept) return;
  std::sort(uses_.begin() + static_cast<ptrdiff_t>(begin), uses_.end(),
            [](const DrawnUse& a, const DrawnUse& b) { return a.arc < b.arc; });
  size_t end = begin;
  for (size_t i = begin; i < uses_.size(); ++i) {
    if (end > begin && uses_[end - 1].arc == uses_[i].arc) {
      uses_[end - 1].blocks += uses_[i].blocks;
      uses_[end - 1].hop = std::max(uses_[end - 1].hop, uses_[i].hop);
    } else {
      uses_[end++] = uses_[i];
    }
  }
  uses_.resize(end);
  for (size_t i = begin; i < end; ++i) {
    const uint32_t capacity = problem_.topology().capacity(uses_[i].arc);
    most_blocks_ = std::max(most_blocks_, (uses_[i].blocks + capacity - 1) / capacity);
    most_hops_ = std::max(most_hops_, uses_[i].hop);
  }
  ends_.push_back(end);
  if (end <= kMostUses) return;
  throw InputError(fmt::format(
      "more than {} uses of links, too many for a picture: give fewer steps, such as --steps 0:{}",
      with_thousands(kMostUses), std::max<uint64_t>(1, (steps_ - first_) / 2)));
}

std::span<const DrawnUse> StepRecord::step(uint64_t number) const {
  const uint64_t i = number - first_;
  const uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::span(uses_).subspan(begin, ends_[i] - begin);
}

std::vector<uint64_t> StepRecord::loads() const {
  std::vector<uint64_t> out(problem_.topology().num_arcs());
  for (const DrawnUse& use : uses_) out[index(use.arc)] += use.blocks;
  return out;
}

double StepRecord::value_of(const DrawnUse& use) const {
  if (!shows_blocks()) return use.hop;
  const uint32_t capacity = problem_.topology().capacity(use.arc);
  const uint32_t rounds = (use.blocks + capacity - 1) / capacity;
  return rounds;
}

ValueScale StepRecord::scale() const {
  if (shows_blocks()) return {.name = "blocks", .largest = static_cast<double>(most_blocks_)};
  ValueScale out{.name = "hop of the block", .largest = std::max(1.0, static_cast<double>(most_hops_))};
  const Collective& collective = problem_.collective();
  if (collective.flow() == Flow::kCopy) out.name = "hops from the origin";
  if (collective.flow() == Flow::kCombine) {
    out.name = "hops to the destination";
    if (collective.delivers_to_all()) {
      out.name = results_ ? "what goes there" : "";
      out.words = results_ ? std::vector<std::string>{"sum", "result"} : std::vector<std::string>{"sum"};
      out.largest = results_ ? 2 : 1;
    }
  }
  return out;
}

}  // namespace quadrille
