// Routers of a fat tree with one buffer for each incoming branch. A message is owed on all branches but the
// one that it came on; every branch offers one that is owed on it: the parent's first, then the oldest, then
// the leftmost child's. It goes only if the buffer at the other end is empty, or is emptied in this step.
//
// Whether it is, the routers ask each other before they send. What goes down depends only on what goes down
// farther below, what goes up only on that and on what goes up above: so in the first h - 1 ticks of a step
// permits for what comes from the parent go up, level by level, in the next h those for what comes from the
// children go down, and in the last tick the messages go.
#include <algorithm>

#include "quadrille/local/local_program.h"
#include "quadrille/local_programs/tree_seat.h"

namespace quadrille::local_programs {

extern const LocalProgram allgather_fat_tree_one_buffer;

namespace allgather_fat_tree_one_buffer_parts {
namespace {

constexpr uint32_t kNoBuffer = UINT32_MAX;

class Node final : public LocalNode {
 public:
  explicit Node(TreeSeat seat) : seat_(std::move(seat)), buffers_(seat_.neighbours.size()) {
    for (uint32_t b = 0; b < seat_.neighbours.size(); ++b) {
      to_hear_.push_back(seat_.beyond(b));
      to_send_.push_back(seat_.leaves - seat_.beyond(b));
      left_ += seat_.leaves;
      buffers_[b].owed.assign(seat_.neighbours.size(), false);
    }
    offers_.assign(seat_.neighbours.size(), kNoBuffer);
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    if (seat_.level != 0) return;
    own_ = own.front();
  }

  void send(uint64_t tick, LocalOutbox& out) override {
    const uint64_t t = tick % ticks();
    if (t == 0) make_offers();
    if (t == up_tick() && to_hear_[seat_.up()] > 0) permit(seat_.up(), out);
    if (t == down_tick()) {
      for (uint32_t b = 0; b < seat_.children(); ++b) {
        if (to_hear_[b] > 0) permit(b, out);
      }
    }
    if (t + 1 == ticks()) carry_out(out);
  }
  void hears(uint64_t tick, std::vector<NodeId>& from) const override {
    const uint64_t t = tick % ticks();
    // Permits: of the children, a tick before this one's to the parent, and of the parent.
    if (seat_.level >= 2 && t == seat_.level - 2) {
      for (uint32_t b = 0; b < seat_.children(); ++b) add(to_send_[b], b, from);
    }
    if (!seat_.is_root() && t + 1 == down_tick()) add(to_send_[seat_.up()], seat_.up(), from);
    if (t + 1 == ticks()) {
      for (uint32_t b = 0; b < to_hear_.size(); ++b) add(to_hear_[b], b, from);
    }
  }
  void receive(uint64_t tick, NodeId from, const LocalMessage& message) override {
    const uint32_t branch = seat_.position(from);
    if (tick % ticks() + 1 < ticks()) {
      if (message.word == 0) strike(branch);
      return;
    }
    if (message.is_word()) return;
    --to_hear_[branch];
    --left_;
    if (seat_.level == 0) return;
    Buffer& buffer = buffers_[branch];
    buffer.message = message;
    buffer.arrived = tick;
    buffer.debts = static_cast<uint32_t>(seat_.neighbours.size()) - 1;
    buffer.owed.assign(seat_.neighbours.size(), true);
    buffer.owed[branch] = false;
  }
  [[nodiscard]] bool done() const override { return left_ == 0; }
  [[nodiscard]] size_t table_bytes() const override { return seat_.table_bytes(); }

 private:
  // What came over a branch.
  struct Buffer {
    LocalMessage message;
    uint64_t arrived = 0;
    uint32_t debts = 0;  // branches on which it is owed; 0: empty
    uint32_t unmet = 0;  // those of them over which it does not go in this step
    std::vector<bool> owed;
  };

  [[nodiscard]] uint64_t ticks() const { return 2 * uint64_t{seat_.height}; }
  // When this router tells its parent, and when its children. A leaf tells nobody, the root no parent.
  [[nodiscard]] uint64_t up_tick() const {
    return seat_.level == 0 || seat_.is_root() ? ticks() : seat_.level - 1;
  }
  [[nodiscard]] uint64_t down_tick() const { return 2 * uint64_t{seat_.height} - 1 - seat_.level; }

  void add(uint32_t quota, uint32_t branch, std::vector<NodeId>& from) const {
    if (quota > 0) from.push_back(seat_.neighbours[branch]);
  }

  void make_offers() {
    for (Buffer& buffer : buffers_) buffer.unmet = buffer.debts;
    for (uint32_t out = 0; out < offers_.size(); ++out) {
      uint32_t& best = offers_[out] = kNoBuffer;
      for (uint32_t in = 0; in < buffers_.size(); ++in) {
        if (buffers_[in].debts > 0 && buffers_[in].owed[out] && (best == kNoBuffer || is_before(in, best)))
          best = in;
      }
      if (best != kNoBuffer) --buffers_[best].unmet;
    }
    permitted_ = true;
  }
  [[nodiscard]] bool is_before(uint32_t a, uint32_t b) const {
    if (seat_.is_root() || (a != seat_.up() && b != seat_.up()))
      return buffers_[a].arrived < buffers_[b].arrived;
    return a == seat_.up();
  }
  void strike(uint32_t branch) {
    permitted_ = false;
    if (offers_[branch] == kNoBuffer) return;
    ++buffers_[offers_[branch]].unmet;
    offers_[branch] = kNoBuffer;
  }
  void permit(uint32_t branch, LocalOutbox& out) const {
    out.say(seat_.neighbours[branch], buffers_[branch].unmet == 0 ? 1 : 0);
  }

  void carry_out(LocalOutbox& out) {
    for (uint32_t b = 0; b < offers_.size(); ++b) {
      if (to_send_[b] == 0) continue;
      if (seat_.level == 0 && permitted_) {
        out.send(seat_.neighbours[b], own_);
      } else if (offers_[b] != kNoBuffer) {
        Buffer& buffer = buffers_[offers_[b]];
        buffer.owed[b] = false;
        out.send(seat_.neighbours[b], buffer.message,
                 --buffer.debts > 0 ? LocalOutbox::Copy::kKept : LocalOutbox::Copy::kGiven);
      } else {
        out.say(seat_.neighbours[b]);
        continue;
      }
      --to_send_[b];
      --left_;
    }
  }

  TreeSeat seat_;
  std::vector<uint32_t> to_send_;
  std::vector<uint32_t> to_hear_;
  uint64_t left_ = 0;             // sends and receptions
  std::vector<Buffer> buffers_;   // per branch that they came on
  std::vector<uint32_t> offers_;  // per branch: which buffer's message
  LocalMessage own_;              // of a leaf
  bool permitted_ = true;         // a leaf's
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  return std::make_unique<Node>(TreeSeat(*problem.topology().tree(), self));
}
uint32_t ticks(const Problem& problem) { return 2 * problem.topology().tree()->height(); }

}  // namespace
}  // namespace allgather_fat_tree_one_buffer_parts

constinit const LocalProgram allgather_fat_tree_one_buffer = {
    .name = "allgather_fat_tree_one_buffer",
    .rule =
        "if a router, keeps one message for each branch that it came on, owes it on all others, and sends it where "
        "the other end permits",
    .knows = "its level, its parent and its children",
    .node = allgather_fat_tree_one_buffer_parts::node,
    .ticks = allgather_fat_tree_one_buffer_parts::ticks,
};

}  // namespace quadrille::local_programs
