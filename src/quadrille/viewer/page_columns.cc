#include "quadrille/viewer/page_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {
namespace {

constexpr uint32_t kMagic = 0x31575651;  // "QVW1"

void append_word(std::string& out, uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(static_cast<uint8_t>(value >> (8 * i)));
}

void append_float(std::string& out, float value) { append_word(out, std::bit_cast<uint32_t>(value)); }

void append_varint(std::string& out, uint64_t value) {
  for (; value > 127; value >>= 7U) out += static_cast<char>(static_cast<uint8_t>(value | 128U));
  out += static_cast<char>(static_cast<uint8_t>(value));
}

void append_signed(std::string& out, int64_t value) {
  append_varint(out, value < 0 ? 2 * static_cast<uint64_t>(-value) - 1 : 2 * static_cast<uint64_t>(value));
}

void append_column(std::string& out, uint32_t id, std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<uint32_t>::max())
    throw InputError("the page would have more than 4 GiB of data: show some steps alone, --steps 0:200");
  append_word(out, id);
  append_word(out, static_cast<uint32_t>(bytes.size()));
  out += bytes;
}

uint32_t raw(ArcId arc) { return static_cast<uint32_t>(index(arc)); }
uint32_t raw(NodeId node) { return static_cast<uint32_t>(index(node)); }

// A block's name without the piece: none, one or two nodes.
uint32_t named_nodes(const BlockName& name) { return name.size - (name.has_piece ? 1 : 0); }

void append_network(const Topology& net, std::string& out) {
  std::string tails;
  std::string heads;
  std::string capacities;
  uint32_t before = 0;
  bool all_one = true;
  for (const ArcId arc : net.arcs()) {
    const uint32_t tail = raw(net.tail(arc));
    append_varint(tails, tail - before);
    before = tail;
    append_signed(heads, int64_t{raw(net.head(arc))} - tail);
    append_varint(capacities, net.capacity(arc));
    all_one &= net.capacity(arc) == 1;
  }
  append_column(out, 1, tails);
  append_column(out, 2, heads);
  if (!all_one) append_column(out, 3, capacities);
}

void append_layout(const NetworkLayout& layout, std::string& out) {
  const auto any = [](const std::vector<uint8_t>& bytes) {
    return std::any_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b != 0; });
  };
  std::string places;
  for (size_t v = 0; v < layout.x.size(); ++v) {
    append_float(places, layout.x[v]);
    append_float(places, layout.y[v]);
    append_float(places, layout.is_flat() ? 0.0F : layout.z[v]);
  }
  append_column(out, 4, places);
  if (any(layout.wraps)) append_column(out, 5, std::string(layout.wraps.begin(), layout.wraps.end()));
  if (any(layout.group)) append_column(out, 6, std::string(layout.group.begin(), layout.group.end()));
  if (layout.bends.empty()) return;
  std::string bends;
  for (const float bend : layout.bends) append_float(bends, bend);
  append_column(out, 7, bends);
}

void append_nodes(const Topology& net, std::string& out) {
  std::string labels;
  std::string routers(net.num_nodes(), '\1');
  bool only_numbers = true;
  for (const NodeId node : net.nodes()) {
    std::string label = net.label(node);
    std::replace(label.begin(), label.end(), '\n', ' ');
    only_numbers &= label == std::to_string(raw(node));
    if (raw(node) > 0) labels += '\n';
    labels += label;
  }
  if (!only_numbers) append_column(out, 20, labels);
  if (!net.has_routers()) return;
  for (const NodeId node : net.endpoints()) routers[index(node)] = '\0';
  append_column(out, 21, routers);
}

// Of collectives whose blocks have one holder first; what is at home already is not among them.
void append_own(const Problem& problem, std::string& out) {
  const Collective& collective = problem.collective();
  if (collective.flow() == Flow::kCombine) return;
  std::vector<uint32_t> own(problem.topology().num_nodes());
  for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
    const NodeId origin = problem.origin(BlockId{b});
    if (collective.delivers_to_all() || problem.destination(BlockId{b}) != origin) ++own[index(origin)];
  }
  std::string column;
  for (const uint32_t blocks : own) append_varint(column, blocks);
  append_column(out, 22, column);
}

std::optional<uint64_t> bytes_with_times(const Problem& problem, std::optional<uint64_t> message_bytes) {
  if (!message_bytes) return std::nullopt;
  const uint64_t pieces = problem.collective().pieces();
  return *message_bytes / pieces + (*message_bytes % pieces == 0 ? 0 : 1);
}

}  // namespace

PageColumns::PageColumns(Problem problem, PageSelection selection, std::optional<uint64_t> message_bytes,
                         uint64_t most_entries)
    : problem_(std::move(problem)),
      selection_(selection),
      most_entries_(most_entries),
      chunk_bytes_(bytes_with_times(problem_, message_bytes)),
      form_(problem_.collective().name_form()),
      sums_(problem_),
      over_(problem_.topology().num_arcs()),
      messages_(problem_) {
  selection_.end_step = std::max(selection_.first_step, selection_.end_step);
}

bool PageColumns::is_chosen(std::span<const ArcId> arcs) const {
  if (selection_.all_nodes()) return true;
  const auto within = [&](NodeId node) {
    return raw(node) >= selection_.first_node && raw(node) < selection_.end_node;
  };
  return within(problem_.topology().tail(arcs.front())) || within(problem_.topology().head(arcs.back()));
}

double PageColumns::time_of_step(const StepView& step) {
  TimedFigures figures{.start_ups = step.size() == 0 ? uint64_t{0} : 1};
  const bool shared = shares_arcs(problem_.model());
  for (size_t t = 0; t < step.size(); ++t) {
    const uint64_t blocks = step.blocks(t).size();
    figures.critical_hops = std::max<uint64_t>(figures.critical_hops, step.arcs(t).size());
    if (!shared) figures.critical_blocks = std::max(figures.critical_blocks, blocks);
    if (!shared) continue;
    for (const ArcId arc : step.arcs(t)) {
      if (arc == kNoArc) continue;
      over_[index(arc)] += static_cast<uint32_t>(blocks);
      const uint32_t capacity = problem_.topology().capacity(arc);
      figures.critical_blocks =
          std::max<uint64_t>(figures.critical_blocks, (over_[index(arc)] + capacity - 1) / capacity);
    }
  }
  if (shared)
    for (const ArcId arc : step.all_arcs)
      if (arc != kNoArc) over_[index(arc)] = 0;
  if (problem_.model().cost.to > 0) figures.further_messages = further_messages(step);
  return time_of(problem_.model().cost, figures, *chunk_bytes_);
}

// Of a step with a transfer that has no way the time means nothing.
uint64_t PageColumns::further_messages(const StepView& step) {
  for (size_t t = 0; t < step.size(); ++t)
    if (step.arcs(t).empty() || std::ranges::find(step.arcs(t), kNoArc) != step.arcs(t).end()) return 0;
  const Topology& net = problem_.topology();
  messages_.look_at({.view = step, .number = static_cast<uint32_t>(total_steps_)});
  at_node_.assign(2 * size_t{net.num_nodes()}, 0);
  uint32_t most = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    if (!messages_.is_new(t)) continue;
    most = std::max({most, ++at_node_[2 * index(net.tail(step.arcs(t).front()))],
                     ++at_node_[2 * index(net.head(step.arcs(t).back())) + 1]});
  }
  return most > 1 ? most - 1 : 0;
}

void PageColumns::push(const StepView& step) {
  const uint64_t number = total_steps_++;
  if (number < selection_.first_step || number >= selection_.end_step) {
    if (number >= selection_.end_step) return;
    if (chunk_bytes_) time_ += time_of_step(step);
    for (size_t t = 0; t < step.size(); ++t) add_up(step, t);
    sums_.end_step();
    return;
  }
  if (chunk_bytes_) {
    starts_.push_back(time_);
    time_ += time_of_step(step);
  }
  const uint64_t before_step = transfers_;
  order_.resize(step.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const auto first_arc = [&](uint32_t t) { return step.arcs(t).empty() ? kNoArc : step.arcs(t).front(); };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return first_arc(a) < first_arc(b); });
  uint32_t before = 0;
  for (const uint32_t t : order_) {
    links_.clear();
    for (const ArcId arc : step.arcs(t))
      if (arc != kNoArc) links_.push_back(arc);
    missing_hops_ += step.arcs(t).size() - links_.size();
    add_up(step, t);
    if (links_.empty() || !is_chosen(links_)) continue;
    add(links_, step.blocks(t), step.op(t) == TransferOp::kCopy, before);
  }
  sums_.end_step();
  if (sums_.counts()) add_held(step);
  append_varint(in_step_, transfers_ - before_step);
  ++steps_;
}

void PageColumns::add_held(const StepView& step) {
  for (const uint32_t t : order_) {
    links_.clear();
    for (const ArcId arc : step.arcs(t))
      if (arc != kNoArc) links_.push_back(arc);
    if (links_.empty() || !is_chosen(links_)) continue;
    for (const BlockId block : step.blocks(t))
      append_varint(held_, sums_.held(problem_.topology().head(links_.back()), block));
  }
}

void PageColumns::add_up(const StepView& step, size_t transfer) {
  carried_.clear();
  if (!sums_.counts()) return;
  const std::span<const ArcId> arcs = step.arcs(transfer);
  if (arcs.empty() || arcs.front() == kNoArc || arcs.back() == kNoArc) {
    carried_.assign(step.blocks(transfer).size(), 0);
    return;
  }
  sums_.send(step, transfer, problem_.topology().tail(arcs.front()), problem_.topology().head(arcs.back()),
             carried_);
}

void PageColumns::add(std::span<const ArcId> arcs, std::span<const BlockId> blocks, bool copies,
                      uint32_t& before) {
  if (hops_ + blocks_ + arcs.size() + blocks.size() > most_entries_) {
    throw InputError(fmt::format(
        "a page of more than {} hops and blocks is too large for a browser, and step {} is not the last: show some steps "
        "alone, such as --steps {}:{}, or what some nodes send and receive, such as --nodes 0:16",
        with_thousands(most_entries_), with_thousands(total_steps_), selection_.first_step,
        selection_.first_step + std::max<uint64_t>(1, steps_ / 4)));
  }
  if (transfers_ % 8 == 0) copies_ += '\0';
  if (copies) {
    copies_.back() = static_cast<char>(static_cast<uint8_t>(copies_.back()) | (1U << (transfers_ % 8)));
    any_copies_ = true;
  }
  ++transfers_;
  hops_ += arcs.size();
  blocks_ += blocks.size();
  one_hop_ &= arcs.size() == 1;
  one_block_ &= blocks.size() == 1;
  append_varint(hops_of_, arcs.size());
  append_varint(blocks_of_, blocks.size());
  for (const ArcId arc : arcs) {
    append_signed(arcs_, int64_t{raw(arc)} - before);
    before = raw(arc);
  }
  const uint32_t sender = raw(problem_.topology().tail(arcs.front()));
  for (const BlockId block : blocks) add_block(block, sender);
  for (const uint32_t contributions : carried_) append_varint(contributions_, contributions);
}

void PageColumns::add_block(BlockId block, uint32_t sender) {
  const BlockName name = problem_.block_name(block);
  const uint32_t nodes = problem_.topology().num_nodes();
  const uint32_t named = named_nodes(name);
  const auto relative = [&](uint32_t node) { return (node + nodes - sender) % nodes; };
  if (named > 0) append_varint(first_names_, relative(name.parts[0]));
  if (named > 1) append_varint(second_names_, relative(name.parts[1]));
  if (!name.has_piece) return;
  append_signed(pieces_, int64_t{name.parts[named]} - piece_before_);
  piece_before_ = name.parts[named];
}

// When each step on the page begins, and when the last one ends. A step begins with what is rearranged for it.
std::string PageColumns::packed_starts() const {
  std::string out;
  double late = 0;
  size_t next = 0;
  const auto add = [&](uint64_t step, double time) {
    for (; rearranged_ && next < rearranged_->size() && (*rearranged_)[next].step < step; ++next)
      late += time_of(problem_.model().cost, {.rearranged = (*rearranged_)[next].blocks}, *chunk_bytes_);
    append_float(out, static_cast<float>(time + late));
  };
  for (size_t i = 0; i < starts_.size(); ++i) add(selection_.first_step + i, starts_[i]);
  add(selection_.first_step + starts_.size(), time_);
  return out;
}

std::string PageColumns::pack(const NetworkLayout& layout) const {
  const Topology& net = problem_.topology();
  const uint32_t named = named_nodes(form_);
  const uint32_t flags =
      (one_hop_ ? 1U : 0U) | (one_block_ ? 2U : 0U) | ((2 - named) << 2U) | (form_.has_piece ? 16U : 0U);
  std::string out;
  append_word(out, kMagic);
  for (const uint64_t number :
       {uint64_t{net.num_nodes()}, uint64_t{net.num_arcs()}, steps_, transfers_, hops_, blocks_})
    append_word(out, static_cast<uint32_t>(number));
  append_word(out, flags);
  append_network(net, out);
  append_layout(layout, out);
  append_column(out, 10, in_step_);
  if (!one_hop_) append_column(out, 11, hops_of_);
  if (!one_block_) append_column(out, 12, blocks_of_);
  append_column(out, 13, arcs_);
  if (named > 0) append_column(out, 14, first_names_);
  if (named > 1) append_column(out, 15, second_names_);
  if (form_.has_piece) append_column(out, 16, pieces_);
  if (any_copies_) append_column(out, 17, copies_);
  if (chunk_bytes_ && (rearranged_ || !rearranging_costs(problem_))) append_column(out, 18, packed_starts());
  if (sums_.counts()) {
    append_column(out, 19, contributions_);
    append_column(out, 23, held_);
  }
  append_nodes(net, out);
  if (selection_.everything()) append_own(problem_, out);
  return out;
}

void PageColumns::append_numbers(std::string& packed, uint32_t id, std::span<const uint64_t> numbers) {
  std::string column;
  uint64_t before = 0;
  for (const uint64_t number : numbers) {
    append_signed(column, static_cast<int64_t>(number - before));
    before = number;
  }
  append_column(packed, id, column);
}

std::string page_block_key(const Problem& problem, BlockId block) {
  const BlockName name = problem.block_name(block);
  const uint32_t named = named_nodes(name);
  std::string out;
  for (uint32_t i = 0; i < named; ++i) out += (i == 0 ? "" : "-") + std::to_string(name.parts[i]);
  if (named == 0) return std::to_string(name.has_piece ? name.parts[0] : 0);
  return name.has_piece ? fmt::format("{}.{}", out, name.parts[named]) : out;
}

}  // namespace quadrille
