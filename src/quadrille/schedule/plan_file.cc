#include "quadrille/schedule/plan_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

// Bytes of the UTF-8 character that starts the text; 0 if none does.
size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead > 0xf4 || length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;
  if (lead == 0xed && byte(1) > 0x9f) return 0;
  if (lead == 0xf0 && byte(1) < 0x90) return 0;
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

}  // namespace

bool operator==(const PlanHead& a, const PlanHead& b) {
  const Topology& left = a.problem.topology();
  const Topology& right = b.problem.topology();
  return left.name() == right.name() && left.same_graph(right) &&
         a.problem.collective() == b.problem.collective() && a.problem.model() == b.problem.model() &&
         a.algorithm == b.algorithm && a.stated_figures == b.stated_figures && a.bounds == b.bounds &&
         a.synchronisation == b.synchronisation;
}

void path_nodes(const Topology& topology, std::span<const ArcId> arcs, std::vector<NodeId>& out) {
  out.clear();
  NodeId at = kNoNode;
  for (const ArcId arc : arcs) {
    const bool exists = index(arc) < topology.num_arcs();
    const NodeId tail = exists ? topology.tail(arc) : kNoNode;
    if (out.empty()) {
      out.push_back(tail);
    } else if (at == kNoNode && exists) {
      // One missing arc stands between two nodes; if those are linked all the same, they must not meet.
      const NodeId before = out.size() < 2 ? kNoNode : out[out.size() - 2];
      if (before != kNoNode && topology.find_arc(before, tail)) out.push_back(tail);
      out.back() = tail;
    } else if (exists && at != tail) {
      out.push_back(kNoNode);
      out.push_back(tail);
    }
    at = exists ? topology.head(arc) : kNoNode;
    out.push_back(at);
  }
  if (out.empty()) out.assign(2, kNoNode);
}

void path_arcs(const Topology& topology, std::span<const NodeId> nodes, std::vector<ArcId>& out) {
  out.clear();
  for (size_t i = 1; i < nodes.size(); ++i) {
    out.push_back(nodes[i - 1] == kNoNode || nodes[i] == kNoNode
                      ? kNoArc
                      : topology.find_arc(nodes[i - 1], nodes[i]).value_or(kNoArc));
  }
}

std::string no_such_block(const Problem& problem) {
  const Collective& collective = problem.collective();
  const std::optional<Rank> root = collective.root();
  const bool to_root =
      collective.kind() == CollectiveKind::kGather || collective.kind() == CollectiveKind::kReduce;
  const std::string at_root =
      root ? fmt::format(" (the root, {})", index(problem.topology().endpoint(*root))) : "";
  std::vector<std::string> parts;
  if (collective.flow() != Flow::kCombine) {
    parts.push_back(fmt::format("the endpoint it comes from{}", to_root ? "" : at_root));
  }
  if (collective.flow() != Flow::kCopy && collective.kind() != CollectiveKind::kAllreduce) {
    parts.push_back(fmt::format("the endpoint it goes to{}", to_root ? at_root : ""));
  }
  if (collective.name_form().has_piece) {
    parts.push_back(collective.counts() == nullptr
                        ? fmt::format("its piece, 0 to {}", collective.pieces() - 1)
                        : "its number among those, from 0");
  }
  return fmt::format("no such block: {} names a block by {}", problem.title(), join(parts, ", then "));
}

std::string plain_name(std::string_view text) {
  std::string out(text);
  for (size_t i = 0; i < out.size();) {
    const size_t length = utf8_length(std::string_view(out).substr(i));
    const bool at_end = i == 0 || i + 1 == out.size();
    const bool comment = out[i] == '#' && (i == 0 || out[i - 1] == ' ');
    if (length == 0 || comment || out[i] == '\x7f' || (length == 1 && out[i] < ' ') ||
        (out[i] == ' ' && at_end)) {
      out[i] = '_';
      ++i;
    } else {
      i += length;
    }
  }
  return out;
}

std::string no_such_slot(uint64_t slot) {
  return fmt::format("slot {} does not exist: they are 0 to {}", slot, SumSlots::kCount - 1);
}

std::string no_such_bound(std::string_view value) {
  const std::string shown = plain_name(value.substr(0, 60));
  std::string_view rest = value.substr(value.starts_with('-') ? 1 : 0);
  const size_t slash = rest.find('/');
  const std::string_view numerator = rest.substr(0, slash);
  const std::string_view denominator = slash == std::string_view::npos ? "1" : rest.substr(slash + 1);
  const auto are_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!are_digits(numerator) || !are_digits(denominator)) {
    return fmt::format("a bound is a whole number or a fraction like 15/2, not '{}'", shown);
  }
  if (denominator.find_first_not_of('0') == std::string_view::npos) {
    return fmt::format("a bound with a denominator of 0: '{}'; at least 1 is needed", shown);
  }
  return fmt::format("a bound is too large: '{}'; numerator and denominator are at most {} (2^127 - 1)",
                     shown, to_string(static_cast<Int128>(~UInt128{0} >> 1U)));
}

uint64_t most_blocks_of(size_t bytes) { return std::max<uint64_t>(uint64_t{1} << 24U, bytes); }

void check_plan_size(const Problem& problem, size_t bytes) {
  const Collective& collective = problem.collective();
  const uint64_t blocks = collective.num_blocks();
  if (blocks <= most_blocks_of(bytes)) return;
  throw InputError(
      fmt::format("{} with {} piece(s) has {} blocks; no file of {} bytes can be a plan for them",
                  problem.title(), collective.pieces(), blocks, bytes));
}

}  // namespace quadrille
