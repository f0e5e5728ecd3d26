// The lines of transfers of a plan in text form: "0>1>2: 0-2 0-3", in a reduction with "copy", "from=" and "to=" before it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/schedule/text/text_lines.h"

namespace quadrille::plan_text {

struct TransferLine {
  std::vector<ArcId> arcs;
  std::vector<BlockId> blocks;
  TransferOp op = TransferOp::kDefault;
  SumSlots slots{};
};

/// Reads what is left of the line; both must outlive it.
class TransferLineReader {
 public:
  TransferLineReader(TextLines& lines, const Problem& problem)
      : lines_(lines), problem_(problem), block_form_(problem.collective().name_form()) {}

  /// Valid until the next call. Throws InputError with its place.
  const TransferLine& read();

 private:
  SumSlots read_slots();
  void require_slots_allowed(size_t length) const;
  uint32_t slot_number();
  void read_path();
  void read_blocks();

  TextLines& lines_;
  const Problem& problem_;
  BlockName block_form_;
  std::vector<NodeId> nodes_;
  TransferLine line_;
};

/// Appends a line that reads back to the transfer. `scratch` keeps its memory from line to line.
void append_transfer(const Problem& problem, std::span<const ArcId> arcs, std::span<const BlockId> blocks,
                     TransferOp op, SumSlots slots, std::vector<NodeId>& scratch, std::string& out);

}  // namespace quadrille::plan_text
