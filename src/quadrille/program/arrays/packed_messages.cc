#include "quadrille/program/arrays/packed_messages.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "quadrille/program/arrays/runs_in_order.h"

namespace quadrille {
namespace {

constexpr size_t kMessagesAhead = 64;  // that an order of a row looks at
constexpr int32_t kNotHere = INT32_MIN;

// A message that a node sends.
struct Message {
  uint32_t step;
  std::span<const BlockId> blocks;
};

std::vector<std::vector<Message>> messages_of_nodes(const Schedule& schedule) {
  const Topology& topology = schedule.problem().topology();
  std::vector<std::vector<Message>> out(topology.num_nodes());
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t t = 0; t < step.size(); ++t)
      out[index(topology.tail(step.arcs(t).front()))].push_back({static_cast<uint32_t>(s), step.blocks(t)});
  }
  return out;
}

// Per block that moves its hops, as step and transfer.
std::vector<std::vector<uint64_t>> hops_of_blocks(const Schedule& schedule) {
  std::vector<std::vector<uint64_t>> out(schedule.problem().collective().num_blocks());
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t t = 0; t < step.size(); ++t)
      for (const BlockId block : step.blocks(t)) out[index(block)].push_back(uint64_t{s} << 32U | t);
  }
  return out;
}

// What a node holds.
struct Row {
  std::vector<int32_t> place{};        // per block
  std::vector<uint32_t> sends_left{};  // per block: messages that take it along
  int32_t low = 0;                     // the ends
  int32_t high = 0;
  size_t next = 0;  // of its messages
  std::vector<RearrangedBefore> moved{};

  [[nodiscard]] bool is_run(std::span<const BlockId> blocks) const {
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    for (const BlockId block : blocks) {
      const int64_t at = place[index(block)];
      first = std::min(first, at);
      last = std::max(last, at);
    }
    return first != kNotHere && last - first + 1 == static_cast<int64_t>(blocks.size());
  }
  void sort(std::vector<BlockId>& blocks) const {
    std::ranges::sort(blocks, {}, [&](BlockId block) { return place[index(block)]; });
  }
  void moves(uint32_t step, uint64_t blocks) {
    if (moved.empty() || moved.back().step != step) moved.push_back({step, 0});
    moved.back().blocks += blocks;
  }
};

// All rows, through the steps.
class Rows {
 public:
  Rows(const Schedule& schedule, bool packs)
      : plan_(schedule.plan()),
        topology_(schedule.problem().topology()),
        flow_(schedule.problem().collective().flow()),
        packs_(packs),
        messages_(messages_of_nodes(schedule)),
        rows_(topology_.num_nodes()) {
    const Collective& collective = schedule.problem().collective();
    for (size_t v = 0; v < rows_.size(); ++v) {
      rows_[v].place.assign(collective.num_blocks(), kNotHere);
      rows_[v].sends_left.assign(collective.num_blocks(), 0);
      for (const Message& message : messages_[v])
        for (const BlockId block : message.blocks) ++rows_[v].sends_left[index(block)];
    }
    if (flow_ == Flow::kMove) hops_ = hops_of_blocks(schedule);
    std::vector<std::vector<BlockId>> held(rows_.size());
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      if (flow_ == Flow::kCombine) {
        for (const NodeId node : topology_.endpoints()) held[index(node)].push_back(BlockId{b});
      } else {
        held[index(topology_.endpoint(collective.origin(BlockId{b})))].push_back(BlockId{b});
      }
    }
    for (size_t v = 0; v < rows_.size(); ++v) put_in_order(v, std::move(held[v]));
  }

  std::vector<RearrangedBefore> moved_most() {
    for (size_t s = 0; s < plan_.num_steps(); ++s) take_step(s);
    return std::move(std::ranges::max(rows_, {}, [](const Row& row) { return total(row.moved); }).moved);
  }

 private:
  void take_step(size_t s) {
    const StepView step = plan_.step(s);
    for (size_t v = 0; v < rows_.size(); ++v) prepare(v, static_cast<uint32_t>(s));
    // As they lie at their senders.
    std::vector<std::vector<BlockId>> carried(step.size());
    for (size_t t = 0; t < step.size(); ++t) {
      carried[t].assign(step.blocks(t).begin(), step.blocks(t).end());
      sender(step, t).sort(carried[t]);
    }
    for (size_t t = 0; t < step.size() && flow_ == Flow::kMove; ++t)
      for (const BlockId block : carried[t]) sender(step, t).place[index(block)] = kNotHere;
    for (size_t t = 0; t < step.size(); ++t) {
      const bool adds = flow_ == Flow::kCombine && step.op(t) == TransferOp::kDefault;
      land(index(topology_.head(step.arcs(t).back())), carried[t], adds);
    }
  }

  [[nodiscard]] Row& sender(const StepView& step, size_t t) {
    return rows_[index(topology_.tail(step.arcs(t).front()))];
  }

  // What a node moves before it sends.
  void prepare(size_t v, uint32_t step) {
    Row& row = rows_[v];
    const std::vector<Message>& messages = messages_[v];
    const size_t first = row.next;
    size_t end = first;
    while (end < messages.size() && messages[end].step == step) ++end;
    const auto now = std::span(messages).subspan(first, end - first);
    const auto lies_ready = [&](const Message& message) { return row.is_run(message.blocks); };
    if (!packs_ && !std::ranges::all_of(now, lies_ready)) {
      std::vector<BlockId> needed;
      for (uint32_t b = 0; b < row.place.size(); ++b)
        if (row.place[b] != kNotHere && row.sends_left[b] > 0) needed.push_back(BlockId{b});
      row.moves(step, needed.size());
      row.sort(needed);
      put_in_order(v, std::move(needed));
    }
    for (const Message& message : now) {
      if (!lies_ready(message)) row.moves(step, message.blocks.size());
      for (const BlockId block : message.blocks) --row.sends_left[index(block)];
    }
    row.next = end;
  }

  [[nodiscard]] std::span<const Message> ahead(size_t v) const {
    const std::vector<Message>& messages = messages_[v];
    const size_t next = rows_[v].next;
    return std::span(messages).subspan(next, std::min(kMessagesAhead, messages.size() - next));
  }

  // As the next messages would have it, beside what stays where it is.
  void put_in_order(size_t v, std::vector<BlockId> held) {
    Row& row = rows_[v];
    const auto next = ahead(v);
    if (flow_ == Flow::kMove && !next.empty()) sort_by_journey(held, next.front().step);
    std::vector<char> is_moved(row.place.size(), 0);
    for (const BlockId block : held) is_moved[index(block)] = 1;
    RunsInOrder runs(held);
    for (const Message& message : next) {
      std::vector<BlockId> here;
      std::ranges::copy_if(message.blocks, std::back_inserter(here),
                           [&](BlockId block) { return is_moved[index(block)] != 0; });
      if (here.size() > 1) runs.take(here);
    }
    row.low = ++row.high;
    for (const BlockId block : runs.order()) row.place[index(block)] = row.high++;
  }

  // Blocks that go the same ways lie together, those that leave later first.
  void sort_by_journey(std::vector<BlockId>& held, uint32_t step) const {
    const auto rest = [&](BlockId block) {
      const std::vector<uint64_t>& hops = hops_[index(block)];
      return std::span(std::ranges::lower_bound(hops, uint64_t{step} << 32U), hops.end());
    };
    std::ranges::stable_sort(
        held, [&](BlockId a, BlockId b) { return std::ranges::lexicographical_compare(rest(b), rest(a)); });
  }

  // What comes is put where that is which the next message takes with it; what is added, where its blocks are.
  void land(size_t v, const std::vector<BlockId>& blocks, bool adds) {
    Row& row = rows_[v];
    std::vector<BlockId> fresh;
    for (const BlockId block : blocks)
      if (!adds || row.place[index(block)] == kNotHere) fresh.push_back(block);
    if (fresh.empty()) return;
    const bool in_front = goes_in_front(v, fresh.front());
    if (in_front) row.low -= static_cast<int32_t>(fresh.size());
    int32_t at = in_front ? row.low : row.high;
    if (!in_front) row.high += static_cast<int32_t>(fresh.size());
    for (const BlockId block : fresh) row.place[index(block)] = at++;
  }

  [[nodiscard]] bool goes_in_front(size_t v, BlockId block) const {
    const Row& row = rows_[v];
    for (const Message& message : ahead(v)) {
      const auto blocks = message.blocks;
      if (blocks.size() < 2 || std::ranges::find(blocks, block) == blocks.end()) continue;
      const auto has = [&](int32_t place) {
        return std::ranges::any_of(blocks, [&](BlockId other) { return row.place[index(other)] == place; });
      };
      return !has(row.high - 1) && has(row.low);
    }
    return false;
  }

  const Plan& plan_;
  const Topology& topology_;
  Flow flow_;
  bool packs_;
  std::vector<std::vector<Message>> messages_;  // per node
  std::vector<std::vector<uint64_t>> hops_;
  std::vector<Row> rows_;  // per node
};

}  // namespace

std::vector<RearrangedBefore> packed_before(const Schedule& schedule) {
  const Plan& plan = schedule.plan();
  const auto is_single = [&](size_t s) { return plan.step(s).blocks_end.empty(); };
  size_t first_of_many = 0;
  while (first_of_many < plan.num_steps() && is_single(first_of_many)) ++first_of_many;
  if (first_of_many == plan.num_steps()) return {};
  std::vector<RearrangedBefore> packed = Rows(schedule, true).moved_most();
  if (packed.empty()) return packed;
  std::vector<RearrangedBefore> in_order = Rows(schedule, false).moved_most();
  return total(in_order) < total(packed) ? in_order : packed;
}

}  // namespace quadrille
