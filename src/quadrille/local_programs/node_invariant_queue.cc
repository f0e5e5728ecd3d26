#include "quadrille/local_programs/node_invariant_queue.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "quadrille/algorithms/cayley/relative_messages.h"

namespace quadrille {
namespace {

// W as a node has it, its neighbours, and where its own messages go.
struct RouteTable {
  std::vector<uint16_t> generator;  // by r: W(r)
  std::vector<uint32_t> rest;       // by r: W(r)^-1 r; 0: there
  std::vector<NodeId> to;           // by generator: the node along it
  std::vector<NodeId> from;         // by generator: the node that has this one along it
  std::vector<uint32_t> end;        // by r: the node that its own message r goes to

  [[nodiscard]] size_t bytes() const {
    return bytes_of(generator) + bytes_of(rest) + bytes_of(to) + bytes_of(from) + bytes_of(end);
  }
};

// The queue, in the order of f.
class MessageQueue {
 public:
  MessageQueue(const RouteTable& table, QueueOrder order) : order_(order) {
    const auto n = static_cast<uint32_t>(table.rest.size());
    turn_.resize(n - 1);
    std::iota(turn_.begin(), turn_.end(), 1U);
    if (order == QueueOrder::kWindow) return;
    length_.assign(n, 0);
    for (uint32_t r = 1; r < n; ++r) {
      for (uint32_t left = r; left != 0; left = table.rest[left]) ++length_[r];
    }
    lines_.resize(1 + *std::max_element(length_.begin(), length_.end()));
    if (order == QueueOrder::kClosest) {
      std::stable_sort(turn_.begin(), turn_.end(),
                       [this](uint32_t a, uint32_t b) { return length_[a] < length_[b]; });
    }
  }

  // Own messages, by r, as far as they may join now.
  template <typename Own>
  void fill(Own own) {
    const size_t most = order_ == QueueOrder::kWindow    ? kQueueWindow
                        : order_ == QueueOrder::kClosest ? 1
                                                         : turn_.size() + 1;
    for (; next_ < turn_.size() && size_ < most; ++next_) push(own(turn_[next_]));
  }
  void push(const LocalMessage& message) {
    line_of(message).push_back(message);
    ++size_;
  }
  [[nodiscard]] LocalMessage pop() {
    size_t l = lines_.size() - 1;
    while (lines_[l].empty()) --l;
    const LocalMessage message = lines_[l].front();
    lines_[l].pop_front();
    --size_;
    return message;
  }
  [[nodiscard]] bool is_over() const { return size_ == 0 && next_ == turn_.size(); }
  void restart() { next_ = 0; }
  [[nodiscard]] size_t table_bytes() const { return bytes_of(length_) + bytes_of(turn_); }

 private:
  // Furthest first has a line for each number of hops.
  std::deque<LocalMessage>& line_of(const LocalMessage& message) {
    return lines_[order_ == QueueOrder::kFurthest ? length_[message.word] : 0];
  }

  QueueOrder order_;
  std::vector<uint32_t> turn_;  // of own messages
  size_t next_ = 0;
  std::vector<uint16_t> length_;  // by r; only where f asks for it
  std::vector<std::deque<LocalMessage>> lines_{1};
  size_t size_ = 0;
};

class Node final : public LocalNode {
 public:
  Node(const Collective& collective, uint32_t self, RouteTable table, QueueOrder order)
      : pieces_(collective.pieces()), self_(self), table_(std::move(table)), queue_(table_, order) {}

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override {
    own_.assign(own.begin(), own.end());
    if (own_.empty()) piece_ = pieces_;
    fill();
  }
  void send(uint64_t, LocalOutbox& out) override {
    LocalMessage message = queue_.pop();
    along_ = table_.generator[message.word];
    message.word = table_.rest[message.word];
    out.send(table_.to[along_], message);
  }
  void hears(uint64_t, std::vector<NodeId>& from) const override { from.push_back(table_.from[along_]); }
  void receive(uint64_t, NodeId, const LocalMessage& message) override {
    if (message.word != 0) queue_.push(message);
    if (queue_.is_over()) {
      ++piece_;
      queue_.restart();
    }
    if (!done()) fill();
  }
  [[nodiscard]] bool done() const override { return piece_ == pieces_; }
  [[nodiscard]] size_t table_bytes() const override { return table_.bytes() + queue_.table_bytes(); }

 private:
  void fill() {
    queue_.fill([this](uint32_t r) {
      const uint32_t to = table_.end[r];
      LocalMessage message = own_[(to < self_ ? to : to - 1) * pieces_ + piece_];
      message.word = r;
      return message;
    });
  }

  uint32_t pieces_;
  uint32_t self_;
  RouteTable table_;
  MessageQueue queue_;
  uint32_t piece_ = 0;
  size_t along_ = 0;
  std::vector<LocalMessage> own_;
};

}  // namespace

std::unique_ptr<LocalNode> node_invariant_queue(const Problem& problem, NodeId self, QueueOrder order) {
  RelativeMessages messages = relative_messages(problem);
  RouteTable table;
  table.generator.assign(messages.generator.begin(), messages.generator.end());
  table.rest = std::move(messages.rest);
  const Topology& topology = problem.topology();
  const CayleyStructure& cayley = *topology.cayley();
  for (size_t k = 0; k < cayley.generators.size(); ++k) {
    table.to.push_back(topology.head(cayley.arc(self, k)));
    table.from.push_back(topology.head(cayley.arc(self, cayley.inverses[k])));
  }
  const auto x = static_cast<uint32_t>(index(self));
  for (uint32_t r = 0; r < table.rest.size(); ++r) table.end.push_back(cayley.group->multiply(x, r));
  return std::make_unique<Node>(problem.collective(), x, std::move(table), order);
}

}  // namespace quadrille
