// Step: a set of transfers that happen at once, and the sinks that steps flow into.
//
// A transfer takes a path of arcs and carries blocks. All transfers of a step read the state before the step;
// nothing sent in a step was received in it. Generators do not return a plan: they push one step after
// another into a StepSink, which may store it (Plan), judge it, count it, or write it out. So one generator
// fills a plan of eight transfers and streams a plan of a billion.
//
//     StepBuilder step;
//     step.add(arc, block);                    // one arc, one block: packet switching
//     step.add(path, blocks);                  // a worm
//     step.flush(sink);                        // pushes the step and starts the next one
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

/// What a transfer of a reduction does at the receiver. Elsewhere (moves, copies) it has no meaning and is
/// kDefault.
enum class TransferOp : uint8_t {
  kDefault,  ///< in a reduction: add the sender's contributions to the receiver's
  kCopy,     ///< in a reduction: replace what the receiver has by what the sender has (the second half of an
             ///< allreduce)
};

/// Which partial sums a transfer of a reduction sends, and where its receiver keeps what comes. A node may keep
/// sums of a block apart, each in a slot: its own contribution begins in slot 0. What a plan that says nothing
/// of slots does: all that a node has is sent, and goes into slot 0.
struct SumSlots {
  static constexpr uint32_t kCount = 32;
  static constexpr uint32_t kAll = UINT32_MAX;

  uint32_t from = kAll;  ///< a bit for each slot; their sum is sent
  /// A sum is added to this slot. A copy replaces what is in it; in slot 0, what is in any.
  uint32_t to = 0;

  friend bool operator==(const SumSlots&, const SumSlots&) = default;
};

/// A view of one step's transfers, stored flat. Valid until the call that received it returns.
///
/// Transfer t takes arcs(t) and carries blocks(t). In the unit form (both end arrays empty) it takes arc t
/// and carries block t: eight bytes a transfer, which is what packet switching uses.
struct StepView {
  std::span<const ArcId> all_arcs;
  std::span<const uint32_t> arcs_end;  ///< empty: one arc each
  std::span<const BlockId> all_blocks;
  std::span<const uint32_t> blocks_end;  ///< empty: one block each
  std::span<const TransferOp> ops;       ///< empty: all kDefault
  std::span<const SumSlots> slots{};     ///< empty: all as if nothing was said

  [[nodiscard]] size_t size() const { return arcs_end.empty() ? all_arcs.size() : arcs_end.size(); }
  [[nodiscard]] bool is_unit() const { return arcs_end.empty() && blocks_end.empty(); }
  [[nodiscard]] std::span<const ArcId> arcs(size_t t) const { return part(all_arcs, arcs_end, t); }
  [[nodiscard]] std::span<const BlockId> blocks(size_t t) const { return part(all_blocks, blocks_end, t); }
  [[nodiscard]] TransferOp op(size_t t) const { return ops.empty() ? TransferOp::kDefault : ops[t]; }
  [[nodiscard]] SumSlots slots_of(size_t t) const { return slots.empty() ? SumSlots{} : slots[t]; }

 private:
  template <typename Id>
  static std::span<const Id> part(std::span<const Id> all, std::span<const uint32_t> ends, size_t t) {
    if (ends.empty()) return all.subspan(t, 1);
    const uint32_t begin = t == 0 ? 0 : ends[t - 1];
    return all.subspan(begin, ends[t] - begin);
  }
};

class SymmetricSink;
class MendedSink;

/// Receives the steps of a plan in order. An empty step is a step in which nothing is sent; it counts.
class StepSink {
 public:
  virtual ~StepSink() = default;

  virtual void push(const StepView& step) = 0;
  /// Where steps may go instead if all of a plan's are the same at all nodes (symmetric/symmetric_step.h); null: they are written out.
  [[nodiscard]] virtual SymmetricSink* symmetric() { return nullptr; }
  /// Where those of a plan may go that is the same at all nodes of a network but for some blocks (symmetric/mended_step.h).
  [[nodiscard]] virtual MendedSink* mended() { return nullptr; }

 protected:
  // Only as a part of a whole sink, such as a Plan, which is a value.
  StepSink() = default;
  StepSink(const StepSink&) = default;
  StepSink(StepSink&&) noexcept = default;
  StepSink& operator=(const StepSink&) = default;
  StepSink& operator=(StepSink&&) noexcept = default;
};

/// Collects the transfers of one step at a time. Keeps its memory from step to step.
class StepBuilder {
 public:
  void add(ArcId arc, BlockId block, TransferOp op = TransferOp::kDefault);
  void add(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op = TransferOp::kDefault,
           SumSlots slots = {});

  [[nodiscard]] size_t size() const { return arcs_end_.empty() ? arcs_.size() : arcs_end_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] StepView view() const { return {arcs_, arcs_end_, blocks_, blocks_end_, ops_, slots_}; }
  void clear();
  /// Pushes what was added, empty or not, and clears it.
  void flush(StepSink& sink);

 private:
  void leave_unit_form();
  void treat_last(TransferOp op, SumSlots slots);

  std::vector<ArcId> arcs_;
  std::vector<uint32_t> arcs_end_;  // empty while every transfer has one arc and one block
  std::vector<BlockId> blocks_;
  std::vector<uint32_t> blocks_end_;
  std::vector<TransferOp> ops_;  // empty while all are kDefault
  std::vector<SumSlots> slots_;  // empty while none is named
};

/// Counts and forgets: the figures of a plan that nobody keeps.
class CountingSink final : public StepSink {
 public:
  void push(const StepView& step) override;

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t transfers() const { return transfers_; }

 private:
  uint64_t steps_ = 0;
  uint64_t transfers_ = 0;
};

}  // namespace quadrille
