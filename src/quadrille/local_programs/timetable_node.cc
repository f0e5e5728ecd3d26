#include "quadrille/local_programs/timetable_node.h"

#include <fmt/format.h>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

class TimetableNode final : public LocalNode {
 public:
  TimetableNode(const Collective& collective, NodeId self, std::shared_ptr<const Timetable> timetable)
      : collective_(collective), self_(self), timetable_(std::move(timetable)) {}

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override {
    return std::make_unique<TimetableNode>(*this);
  }
  void start(std::span<const LocalMessage> own) override {
    held_.reserve(2 * own.size());
    for (const LocalMessage& message : own) held_.emplace(message.block, message);
    if (own.empty()) now_ = timetable_->ticks();
  }
  void send(uint64_t tick, LocalOutbox& out) override {
    now_ = tick + 1;
    sent_.clear();
    heard_.clear();
    timetable_->rides(tick, sent_, heard_);
    for (const Ride& ride : sent_) {
      const auto found = held_.find(collective_.block(Rank{ride.source}, Rank{ride.destination}, ride.piece));
      QUADRILLE_CHECK(found != held_.end(), fmt::format("node {} has no message {} -> {}", index(self_),
                                                        ride.source, ride.destination));
      out.send(NodeId{ride.neighbour}, found->second);
      held_.erase(found);
    }
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override {
    for (const Ride& ride : heard_) from.push_back(NodeId{ride.neighbour});
  }
  void receive(uint64_t, NodeId, const LocalMessage& message) override {
    if (index(collective_.destination(message.block)) != index(self_)) held_.emplace(message.block, message);
  }
  [[nodiscard]] bool done() const override { return now_ == timetable_->ticks(); }
  [[nodiscard]] size_t table_bytes() const override { return timetable_->table_bytes(); }

 private:
  Collective collective_;
  NodeId self_;
  std::shared_ptr<const Timetable> timetable_;
  uint64_t now_ = 0;
  std::vector<Ride> sent_;
  std::vector<Ride> heard_;
  std::unordered_map<BlockId, LocalMessage> held_;
};

}  // namespace

std::unique_ptr<LocalNode> timetable_node(const Collective& collective, NodeId self,
                                          std::shared_ptr<const Timetable> timetable) {
  return std::make_unique<TimetableNode>(collective, self, std::move(timetable));
}

FactorRow::FactorRow(const Topology& factor, const Plan& exchange, uint32_t self) {
  const uint32_t n = factor.num_nodes();
  for (size_t s = 0; s < exchange.num_steps(); ++s) {
    const StepView step = exchange.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const auto tail = static_cast<uint32_t>(index(factor.tail(step.all_arcs[t])));
      const auto head = static_cast<uint32_t>(index(factor.head(step.all_arcs[t])));
      const auto message = static_cast<uint32_t>(index(step.all_blocks[t]));
      if (tail == self) sent_.push_back({head, message / n, message % n, 0});
      if (head == self) heard_.push_back({tail, message / n, message % n, 0});
    }
    sent_end_.push_back(static_cast<uint32_t>(sent_.size()));
    heard_end_.push_back(static_cast<uint32_t>(heard_.size()));
  }
}

}  // namespace quadrille
