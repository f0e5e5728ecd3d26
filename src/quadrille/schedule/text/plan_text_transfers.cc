#include "quadrille/schedule/text/plan_text_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "quadrille/schedule/plan_file.h"

namespace quadrille::plan_text {
namespace {

void append_number(uint64_t number, std::string& out) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace

const TransferLine& TransferLineReader::read() {
  TransferOp op = TransferOp::kDefault;
  if (lines_.at_word("copy")) {
    if (problem_.collective().flow() != Flow::kCombine) lines_.fail(lines_.here(), 4, kCopyElsewhere);
    op = TransferOp::kCopy;
    lines_.skip(4);
    lines_.skip_blanks();
  }
  const SumSlots slots = read_slots();
  if (!lines_.at_end() && !lines_.at_digit() && !lines_.at_char('?')) {
    lines_.fail(
        lines_.here(), std::min(lines_.rest().find(' '), lines_.rest().size()),
        "after the first step come only the lines 'step' and transfers, like '0>1: 0-5' (path: blocks)");
  }
  read_path();
  read_blocks();
  path_arcs(problem_.topology(), nodes_, line_.arcs);
  line_.op = op;
  line_.slots = slots;
  return line_;
}

// "from=0,2 to=1", or only one of them, or nothing.
SumSlots TransferLineReader::read_slots() {
  SumSlots out;
  if (lines_.rest().starts_with("from=")) {
    require_slots_allowed(5);
    lines_.skip(5);
    out.from = 1U << slot_number();
    while (lines_.take(',')) out.from |= 1U << slot_number();
    lines_.skip_blanks();
  }
  if (lines_.rest().starts_with("to=")) {
    require_slots_allowed(3);
    lines_.skip(3);
    out.to = slot_number();
    lines_.skip_blanks();
  }
  return out;
}
void TransferLineReader::require_slots_allowed(size_t length) const {
  if (problem_.collective().flow() != Flow::kCombine) lines_.fail(lines_.here(), length, kSlotsElsewhere);
}
uint32_t TransferLineReader::slot_number() {
  const size_t begin = lines_.here();
  const uint64_t slot = lines_.number("a slot");
  if (slot >= SumSlots::kCount) lines_.fail(begin, lines_.here() - begin, no_such_slot(slot));
  return static_cast<uint32_t>(slot);
}

void TransferLineReader::read_path() {
  const Topology& topology = problem_.topology();
  const size_t begin = lines_.here();
  nodes_.clear();
  while (true) {
    if (lines_.take('?')) {
      nodes_.push_back(kNoNode);
    } else {
      const size_t start = lines_.here();
      const uint64_t node = lines_.number("a node of the path");
      if (node >= topology.num_nodes()) {
        lines_.fail(start, lines_.here() - start,
                    fmt::format("node {} does not exist: the nodes of {} are 0 to {}", node, topology.name(),
                                topology.num_nodes() - 1));
      }
      nodes_.push_back(id_at<NodeId>(node));
    }
    if (!lines_.take('>')) break;
  }
  if (!lines_.at_char(':')) {
    lines_.fail(lines_.here(), 1, "a path goes on with '>' and a node, or ends with ':' and the blocks");
  }
  if (nodes_.size() < 2) lines_.fail(begin, lines_.here() - begin, "a path is at least two nodes, like 0>1");
  lines_.skip(1);
}

void TransferLineReader::read_blocks() {
  line_.blocks.clear();
  for (lines_.skip_blanks(); !lines_.at_end(); lines_.skip_blanks()) {
    const size_t begin = lines_.here();
    std::array<uint32_t, 3> parts{};
    uint32_t count = 0;
    bool fits = true;
    while (true) {
      const uint64_t part = lines_.number("a number of a block", kMaxIds - 1);
      if (count < parts.size()) parts[count] = static_cast<uint32_t>(part);
      ++count;
      if (lines_.at_end() || lines_.at_blank()) break;
      const bool piece_next = block_form_.has_piece && count + 1 == block_form_.size;
      if (!lines_.at_char('-') && !lines_.at_char('.'))
        lines_.fail(lines_.here(), 1, "a block is numbers with '-' or '.' between");
      fits = fits && lines_.at_char(piece_next ? '.' : '-');
      lines_.skip(1);
    }
    std::optional<BlockId> block;
    if (fits && count <= parts.size()) {
      block = problem_.find_block(std::span<const uint32_t>(parts).first(count));
    }
    if (!block) lines_.fail(begin, lines_.here() - begin, no_such_block(problem_));
    line_.blocks.push_back(*block);
  }
}

void append_transfer(const Problem& problem, std::span<const ArcId> arcs, std::span<const BlockId> blocks,
                     TransferOp op, SumSlots slots, std::vector<NodeId>& scratch, std::string& out) {
  const auto append = std::back_inserter(out);
  if (op == TransferOp::kCopy) fmt::format_to(append, "copy ");
  if (slots.from != SumSlots::kAll) {
    std::string_view before = "from=";
    for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot) {
      if ((slots.from >> slot & 1U) == 0) continue;
      fmt::format_to(append, "{}{}", before, slot);
      before = ",";
    }
    out.push_back(' ');
  }
  if (slots.to != 0) fmt::format_to(append, "to={} ", slots.to);
  path_nodes(problem.topology(), arcs, scratch);
  for (size_t i = 0; i < scratch.size(); ++i) {
    if (i > 0) out.push_back('>');
    if (scratch[i] == kNoNode) {
      out.push_back('?');
    } else {
      append_number(index(scratch[i]), out);
    }
  }
  out.push_back(':');
  for (const BlockId block : blocks) {
    const BlockName name = problem.block_name(block);
    out.push_back(' ');
    for (uint32_t i = 0; i < name.size; ++i) {
      if (i > 0) out.push_back(name.has_piece && i + 1 == name.size ? '.' : '-');
      append_number(name.parts[i], out);
    }
  }
  out.push_back('\n');
}

}  // namespace quadrille::plan_text
