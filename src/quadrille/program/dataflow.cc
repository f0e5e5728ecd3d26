#include "quadrille/program/dataflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/buffer_layout.h"

namespace quadrille {
namespace {

// A value on its way: it left its rank in that step, or is still there (kHere).
struct Parcel {
  static constexpr uint32_t kHere = UINT32_MAX;

  ValueId value = kNoValue;
  uint32_t sent = kHere;
};

// What every node holds of every block, in each slot: nothing, or the number of a list of parcels. Where blocks
// move there is one holder, elsewhere a table of slots, nodes and blocks.
class Holdings {
 public:
  static constexpr uint32_t kNothing = UINT32_MAX;

  explicit Holdings(const Problem& problem)
      : moves_(problem.collective().flow() == Flow::kMove),
        blocks_(problem.collective().num_blocks()),
        nodes_(problem.topology().num_nodes()) {
    if (moves_) node_.assign(blocks_, kNoNode);
    cell_.assign(moves_ ? blocks_ : size_t{blocks_} * problem.topology().num_nodes(), kNothing);
  }

  [[nodiscard]] uint32_t slots() const { return slots_; }
  void need_slots(uint32_t slots) {
    if (slots <= slots_) return;
    cell_.resize(cell_.size() / slots_ * slots, kNothing);
    slots_ = slots;
  }

  [[nodiscard]] uint32_t at(NodeId node, BlockId block, uint32_t slot = 0) const {
    if (!moves_) return cell_[cell(node, block, slot)];
    return node_[index(block)] == node ? cell_[index(block)] : kNothing;
  }
  void put(NodeId node, BlockId block, uint32_t list, uint32_t slot = 0) {
    if (moves_) node_[index(block)] = node;
    cell_[moves_ ? index(block) : cell(node, block, slot)] = list;
  }

 private:
  [[nodiscard]] size_t cell(NodeId node, BlockId block, uint32_t slot) const {
    return (slot * nodes_ + index(node)) * blocks_ + index(block);
  }

  bool moves_;
  size_t blocks_;
  size_t nodes_;
  uint32_t slots_ = 1;
  std::vector<NodeId> node_;
  std::vector<uint32_t> cell_;
};

struct Arrival {
  NodeId node;
  BlockId block;
  TransferOp op;
  uint32_t list;
  NodeId from;
  uint32_t slot = 0;
};

class Tracer {
 public:
  explicit Tracer(const Schedule& schedule)
      : problem_(schedule.problem()), plan_(schedule.plan()), holdings_(problem_) {}

  Dataflow trace() {
    if (plan_.num_steps() >= Value::kFromInput) {
      throw InputError(fmt::format("a plan of {} steps is too long to run", plan_.num_steps()));
    }
    out_.steps = static_cast<uint32_t>(plan_.num_steps());
    start();
    for (uint32_t s = 0; s < out_.steps; ++s) take_step(s);
    finish();
    return std::move(out_);
  }

 private:
  void start() {
    const Collective& collective = problem_.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const BlockId block{b};
      const bool everywhere = collective.flow() == Flow::kCombine;
      const Rank first = everywhere ? Rank{0} : collective.origin(block);
      const uint32_t holders = everywhere ? collective.num_ranks() : 1;
      for (uint32_t i = 0; i < holders; ++i) {
        const Rank rank = id_at<Rank>(index(first) + i);
        hold_value(rank, block, new_value({rank, block}));
      }
    }
  }

  void take_step(uint32_t step) {
    const StepView view = plan_.step(step);
    const Topology& net = problem_.topology();
    arrivals_.clear();
    sums_.clear();
    for (size_t t = 0; t < view.size(); ++t) {
      const std::span<const ArcId> path = view.arcs(t);
      const NodeId from = net.tail(path.front());
      const NodeId to = net.head(path.back());
      const SumSlots slots = view.slots_of(t);
      holdings_.need_slots(slots.to + 1);
      for (const BlockId block : view.blocks(t)) {
        const uint32_t list = summed(from, block, slots.from, step);
        QUADRILLE_CHECK(list != Holdings::kNothing,
                        fmt::format("step {}: {} has no block {}", step, net.label(from), index(block)));
        arrivals_.push_back({to, block, view.op(t), list, from, slots.to});
      }
    }
    if (problem_.collective().flow() != Flow::kCombine) {
      for (const Arrival& arrival : arrivals_) take_block(arrival, step);
      return;
    }
    const auto key = [](const Arrival& a) { return std::tuple(a.node, a.block, a.slot); };
    std::ranges::stable_sort(arrivals_, {}, key);
    for (size_t i = 0, end = 0; i < arrivals_.size(); i = end) {
      while (end < arrivals_.size() && key(arrivals_[end]) == key(arrivals_[i])) ++end;
      take_contributions(std::span(arrivals_).subspan(i, end - i), step);
    }
  }

  // A block that was moved or copied: one parcel.
  void take_block(const Arrival& arrival, uint32_t step) {
    const auto& [node, block, op, list, from, slot] = arrival;
    const Parcel parcel = parcel_leaving(list, from, step).front();
    const std::optional<Rank> rank = problem_.topology().rank(node);
    if (!rank) return hold_parcels(node, block, std::span(&parcel, 1));
    if (out_.values[parcel.value].rank == *rank) return hold_value(*rank, block, parcel.value);
    Value value{*rank, block, step};
    add_message(value, parcel, step);
    hold_value(*rank, block, new_value(value));
  }

  // What a node has in those slots of a block at the start of a step: a list that there is, or their sum, which
  // an endpoint makes at the end of the step before.
  uint32_t summed(NodeId node, BlockId block, uint32_t mask, uint32_t step) {
    uint32_t one = Holdings::kNothing;
    std::vector<Parcel> all;
    uint32_t full = 0;
    for (uint32_t slot = 0; slot < holdings_.slots(); ++slot) {
      const uint32_t list = (mask >> slot & 1U) != 0 ? holdings_.at(node, block, slot) : Holdings::kNothing;
      if (list == Holdings::kNothing) continue;
      one = list;
      append(all, parcels(list));
      full |= 1U << slot;
    }
    if (std::popcount(full) < 2) return one;
    // What goes to several neighbours is added up once.
    const auto [sum_at, is_new] = sums_.try_emplace(std::tuple(node, block, full), Holdings::kNothing);
    if (is_new) sum_at->second = added_up(node, block, all, step);
    return sum_at->second;
  }

  uint32_t added_up(NodeId node, BlockId block, std::vector<Parcel>& all, uint32_t step) {
    const std::optional<Rank> rank = problem_.topology().rank(node);
    if (rank) {
      Value sum{*rank, block, step - 1};
      sum.locals_begin = static_cast<uint32_t>(out_.locals.size());
      for (const Parcel& parcel : all) out_.locals.push_back(parcel.value);
      sum.locals_end = static_cast<uint32_t>(out_.locals.size());
      all.assign(1, Parcel{new_value(sum), Parcel::kHere});
    }
    return new_list(all);
  }

  // All that reaches one slot of one block of a reduction in a step.
  void take_contributions(std::span<const Arrival> arrivals, uint32_t step) {
    const auto [node, block, op, list, from, slot] = arrivals.front();
    const bool replaced =
        std::ranges::any_of(arrivals, [](const Arrival& a) { return a.op == TransferOp::kCopy; });
    std::vector<Parcel> sum;
    const uint32_t held = holdings_.at(node, block, slot);
    if (replaced && slot == 0) {
      for (uint32_t s = 0; s < holdings_.slots(); ++s) holdings_.put(node, block, Holdings::kNothing, s);
    }
    if (!replaced && held != Holdings::kNothing) append(sum, parcels(held));
    for (const Arrival& arrival : arrivals) append(sum, parcel_leaving(arrival.list, arrival.from, step));
    const std::optional<Rank> rank = problem_.topology().rank(node);
    if (!rank) return hold_parcels(node, block, sum, slot);

    Value value{*rank, block, step};
    value.locals_begin = value.locals_end = static_cast<uint32_t>(out_.locals.size());
    for (const Parcel& parcel : sum) {
      if (out_.values[parcel.value].rank == *rank) {
        out_.locals.push_back(parcel.value);
        ++value.locals_end;
      } else {
        add_message(value, parcel, step);
      }
    }
    if (value.messages_begin == value.messages_end && value.locals_end - value.locals_begin == 1) {
      return hold_value(*rank, block, out_.locals.back(), slot);  // its own value came back
    }
    hold_value(*rank, block, new_value(value), slot);
  }

  void finish() {
    sums_.clear();
    const BufferLayout layout(problem_.collective());
    for (uint32_t r = 0; r < problem_.collective().num_ranks(); ++r) {
      for (const BlockId block : layout.output_blocks(Rank{r})) {
        const uint32_t list =
            summed(problem_.topology().endpoint(Rank{r}), block, SumSlots::kAll, out_.steps);
        QUADRILLE_CHECK(list != Holdings::kNothing, fmt::format("rank {} lacks block {}", r, index(block)));
        out_.results.push_back(parcels(list).front().value);
      }
    }
  }

  ValueId new_value(const Value& value) {
    check_room(out_.values.size());
    const auto id = static_cast<ValueId>(out_.values.size());
    out_.values.push_back(value);
    for (uint32_t m = value.messages_begin; m < value.messages_end; ++m) out_.messages[m].to = id;
    return id;
  }

  void add_message(Value& value, const Parcel& parcel, uint32_t step) {
    check_room(out_.messages.size());
    const auto id = static_cast<uint32_t>(out_.messages.size());
    if (value.messages_begin == value.messages_end) value.messages_begin = id;
    value.messages_end = id + 1;
    out_.messages.push_back({parcel.value, kNoValue, parcel.sent, step});
  }

  static void check_room(size_t used) {
    if (used >= kMaxIds) throw InputError("the plan has more than 2^32 messages: too large to run");
  }

  // An endpoint's list is one parcel that is here.
  void hold_value(Rank rank, BlockId block, ValueId value, uint32_t slot = 0) {
    const Parcel here{value, Parcel::kHere};
    hold_parcels(problem_.topology().endpoint(rank), block, std::span(&here, 1), slot);
  }

  void hold_parcels(NodeId node, BlockId block, std::span<const Parcel> list, uint32_t slot = 0) {
    holdings_.put(node, block, new_list(list), slot);
  }

  uint32_t new_list(std::span<const Parcel> list) {
    check_room(lists_end_.size());
    append(parcels_, list);
    lists_end_.push_back(parcels_.size());
    return static_cast<uint32_t>(lists_end_.size() - 1);
  }

  [[nodiscard]] std::span<const Parcel> parcels(uint32_t list) const {
    const size_t begin = list == 0 ? 0 : lists_end_[list - 1];
    return std::span(parcels_).subspan(begin, lists_end_[list] - begin);
  }

  // The parcels of a list as they leave a node in a step.
  std::span<const Parcel> parcel_leaving(uint32_t list, NodeId from, uint32_t step) {
    leaving_.assign(parcels(list).begin(), parcels(list).end());
    if (problem_.topology().rank(from)) leaving_.front().sent = step;
    return leaving_;
  }

  static void append(std::vector<Parcel>& to, std::span<const Parcel> items) {
    to.insert(to.end(), items.begin(), items.end());
  }

  const Problem& problem_;
  const Plan& plan_;
  Dataflow out_;
  Holdings holdings_;
  std::vector<Parcel> parcels_;  // of all lists, one after another
  std::vector<size_t> lists_end_;
  std::vector<Arrival> arrivals_;
  std::map<std::tuple<NodeId, BlockId, uint32_t>, uint32_t>
      sums_;  // of this step: lists, by the slots that are added
  std::vector<Parcel> leaving_;
};

}  // namespace

Dataflow trace_dataflow(const Schedule& schedule) { return Tracer(schedule).trace(); }

}  // namespace quadrille
