// PageColumns: the steps of a plan packed for the page that shows them (web/).
//
//     PageColumns steps(problem);
//     schedule.plan().replay(steps);            // or as steps are made or judged: it is a StepSink
//     std::string bytes = steps.pack(layout_of(problem.topology()));
//
// A plan may be a bad one: a page shows what is wrong with it. A hop where the network has no link is left out, and
// counted.
//
// The bytes ("QVW1"), all numbers little-endian: eight words of 32 bits (0x31575651, nodes, arcs, steps, transfers, hops,
// blocks, flags), then columns until the end: u32 id, u32 length in bytes, and the bytes. A reader skips columns that it
// does not know. Flags: bit 0, every transfer has one hop (no column 11); bit 1, every transfer has one block (no column
// 12); bits 2 and 3, how blocks are named (0 by origin and destination, 1 by one node, 2 by a piece alone); bit 4, they have
// pieces. In a step transfers are sorted by their first arc. V is LEB128, Z a zigzag number, d the difference to the one before.
//
//     1 tail of each arc        V d                         13 arc of each hop           V Z d, anew in each step
//     2 head                    V Z, less the tail          14 the first name of blocks  V, relative
//     3 capacity; none: all 1   V                           15 the second name           V, relative
//     4 x, y, z of each node    f32                         16 piece                     V Z d
//     5 wraps (of each arc)     u8                          17 transfers that copy a sum one bit each
//     6 group of rows           u8                          18 when each step starts, and the last one ends   f32
//     7 bends; none: all straight  f32
//    10 transfers of each step  V                           20 names of nodes            UTF-8, joined by newlines
//    11 hops of each transfer   V                           21 routers                   u8, 1 for a router
//    12 blocks of each transfer V                           22 blocks that each node has first                V
//
// Of a simulated run: 30 the link that is held, 31 from which cycle, 32 for how many, 33 by which step, each V Z d.
//
// Relative means (node - tail of the transfer's first arc) modulo the number of nodes: a plan that looks alike from every node
// becomes a text that repeats itself, a seventeenth of the size once it is compressed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/layout/network_layout.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/verify/messages.h"
#include "quadrille/viewer/carried_sums.h"

namespace quadrille {

/// What of a plan a page shows: steps from `first_step` up to, without, `end_step`, and transfers that start or end at a
/// node from `first_node` up to, without, `end_node`.
struct PageSelection {
  uint64_t first_step = 0;
  uint64_t end_step = UINT64_MAX;
  uint32_t first_node = 0;
  uint32_t end_node = UINT32_MAX;

  [[nodiscard]] bool all_nodes() const { return first_node == 0 && end_node == UINT32_MAX; }
  [[nodiscard]] bool everything() const { return first_step == 0 && end_step == UINT64_MAX && all_nodes(); }
};

class PageColumns final : public StepSink {
 public:
  /// More hops and blocks than this, and a browser takes seconds and gigabytes.
  static constexpr uint64_t kMostEntries = 100'000'000;

  /// With the bytes of a message, steps have times by the model's constants, where a step alone decides them: where
  /// rearranging costs, only once rearrange() has said what.
  explicit PageColumns(Problem problem, PageSelection selection = {},
                       std::optional<uint64_t> message_bytes = std::nullopt,
                       uint64_t most_entries = kMostEntries);

  /// Throws InputError, naming --steps and --nodes, once the page would have more than `most_entries`.
  void push(const StepView& step) override;

  /// What is rearranged before steps, which then take that much longer.
  void rearrange(std::vector<RearrangedBefore> before) { rearranged_ = std::move(before); }

  [[nodiscard]] std::string pack(const NetworkLayout& layout) const;
  /// A column more, of numbers that follow each other: V Z d.
  static void append_numbers(std::string& packed, uint32_t id, std::span<const uint64_t> numbers);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const PageSelection& selection() const { return selection_; }
  [[nodiscard]] uint64_t steps() const { return steps_; }              ///< on the page
  [[nodiscard]] uint64_t total_steps() const { return total_steps_; }  ///< of the plan
  [[nodiscard]] uint64_t transfers() const { return transfers_; }
  [[nodiscard]] uint64_t missing_hops() const { return missing_hops_; }  ///< over no link, so not on the page

 private:
  // One transfer: its arcs, blocks and whether it copies. `before` is the arc before it in the step.
  void add(std::span<const ArcId> arcs, std::span<const BlockId> blocks, bool copies, uint32_t& before);
  // For a step, or one that is not on the page: what it adds up where.
  void add_up(const StepView& step, size_t transfer);
  // For a step that is on the page and over: what its receivers have.
  void add_held(const StepView& step);
  void add_block(BlockId block, uint32_t sender);
  [[nodiscard]] bool is_chosen(std::span<const ArcId> arcs) const;
  [[nodiscard]] double time_of_step(const StepView& step);
  [[nodiscard]] std::string packed_starts() const;
  [[nodiscard]] uint64_t further_messages(const StepView& step);

  Problem problem_;
  PageSelection selection_;
  uint64_t most_entries_;
  std::optional<uint64_t> chunk_bytes_;  // where steps have times
  BlockName form_;

  uint64_t steps_ = 0;
  uint64_t total_steps_ = 0;
  uint64_t transfers_ = 0;
  uint64_t hops_ = 0;
  uint64_t blocks_ = 0;
  uint64_t missing_hops_ = 0;
  bool one_hop_ = true;
  bool one_block_ = true;
  bool any_copies_ = false;
  uint32_t piece_before_ = 0;
  double time_ = 0.0;

  std::string in_step_, hops_of_, blocks_of_, arcs_, first_names_, second_names_, pieces_, copies_;
  std::vector<double> starts_;
  std::optional<std::vector<RearrangedBefore>> rearranged_;

  CarriedSums sums_;
  std::vector<uint32_t> carried_;  // by a transfer
  std::string contributions_;
  std::string held_;  // by receivers, at the end of the step

  std::vector<uint32_t> order_;  // of the transfers of a step
  std::vector<ArcId> links_;     // of a path, those that there are
  std::vector<uint32_t> over_;   // blocks over each arc, all 0 between steps
  Messages messages_;
  std::vector<uint32_t> at_node_{};  // messages that each node starts, then those it ends
};

/// How the page names a block, in its address too: "5-14", "5", with a piece "5-14.2"; of an allreduce the piece.
[[nodiscard]] std::string page_block_key(const Problem& problem, BlockId block);

}  // namespace quadrille
