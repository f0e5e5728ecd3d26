// The stages of the 2000 broadcast by address alone.
//
// Where a node stands relative to the root says everything: on which position of a stage's ring its translate
// is, whether it is in the translate that lands there, or in the one that is shifted there; so it knows whom
// it will hear from and when, and to whom it will send in which step. It sends nothing to a node that knows
// already, which it finds out in the same way, from that node's address. What it computes with is a table of
// one ring for each stage: where the translates land, and how they are shifted.
#include <algorithm>
#include <optional>

#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"
#include "quadrille/local/local_program.h"

namespace quadrille::local_programs {

extern const LocalProgram broadcast_spans;

namespace broadcast_spans_parts {
namespace {

// Relative to the root.
using Address = std::vector<int64_t>;

struct Arrival {
  uint64_t tick;
  Address from;
};
struct Departure {
  uint64_t tick;
  std::span<const int32_t> hops;
};

class SpanRule {
 public:
  explicit SpanRule(const GridShape& shape)
      : k_(shape.dimensions()), n_(shape.sides.front()), stages_(span_stages(shape)) {
    for (const SpanStage& stage : stages_) {
      begins_.push_back(ticks_);
      ticks_ += stage.steps.size() + (stage.shifts.empty() ? 0 : 1);
    }
  }

  // When the node hears for the first time; never, if it is the root.
  [[nodiscard]] std::optional<Arrival> arrival(const Address& x) const {
    for (size_t i = 0; i < stages_.size(); ++i) {
      const SpanStage& stage = stages_[i];
      const int64_t position = position_in(x, i);
      const std::vector<int32_t>& landed = stage.landed.at(position);
      if (is_member(x, i, landed)) {
        for (size_t s = 0; s < stage.steps.size(); ++s) {
          for (const SpanStage::Send& send : stage.steps[s]) {
            if (send.to == position) return Arrival{begins_[i] + s, moved(x, send.hops, -1)};
          }
        }
        return std::nullopt;  // position 0: the root, in the first stage
      }
      const auto shift = stage.shifts.find(position);
      if (shift == stage.shifts.end()) continue;
      if (Address before = moved(x, shift->second, -1); is_member(before, i, landed))
        return Arrival{begins_[i] + stage.steps.size(), std::move(before)};
    }
    return std::nullopt;
  }

  // What the node sends to those who do not know, in order.
  [[nodiscard]] std::vector<Departure> departures(const Address& x) const {
    std::vector<Departure> out;
    const auto add = [&](uint64_t tick, const std::vector<int32_t>& hops) {
      const std::optional<Arrival> there = arrival(moved(x, hops, 1));
      if (there && there->tick == tick) out.push_back({tick, hops});
    };
    for (size_t i = 0; i < stages_.size(); ++i) {
      const SpanStage& stage = stages_[i];
      const int64_t position = position_in(x, i);
      if (!is_member(x, i, stage.landed.at(position))) continue;
      for (size_t s = 0; s < stage.steps.size(); ++s) {
        for (const SpanStage::Send& send : stage.steps[s]) {
          if (send.from == position) add(begins_[i] + s, send.hops);
        }
      }
      const auto shift = stage.shifts.find(position);
      if (shift != stage.shifts.end()) add(begins_[i] + stage.steps.size(), shift->second);
    }
    return out;
  }

 private:
  [[nodiscard]] int64_t modulo(int64_t x) const { return (x % n_ + n_) % n_; }
  [[nodiscard]] Address moved(const Address& x, std::span<const int32_t> hops, int64_t sign) const {
    Address out(k_);
    for (size_t d = 0; d < k_; ++d) out[d] = modulo(x[d] + sign * hops[d]);
    return out;
  }
  // Along the ring of stage i (from 0), in (-n/2, n/2].
  [[nodiscard]] int64_t position_in(const Address& x, size_t i) const {
    int64_t at = x[0];
    if (i == 0) {
      at = x[k_ - 1];
    } else {
      for (size_t d = k_ - i; d < k_; ++d) at -= x[d];
    }
    at = modulo(at);
    return 2 * at > n_ ? at - n_ : at;
  }
  // Whether x is in the span of the first i vectors, moved by an offset.
  [[nodiscard]] bool is_member(const Address& x, size_t i, std::span<const int32_t> offset) const {
    const Address y = moved(x, offset, -1);
    int64_t sum = 0;
    for (size_t d = 1; d < k_; ++d) {
      if (d + i < k_ && y[d] != 0) return false;
      sum += y[d];
    }
    return modulo(sum) == y[0];
  }

  size_t k_;
  int64_t n_;
  std::vector<SpanStage> stages_;
  std::vector<uint64_t> begins_;  // by stage: its first tick
  uint64_t ticks_ = 0;
};

class Node final : public LocalNode {
 public:
  struct Worm {
    uint64_t tick;
    uint32_t route_end;
  };

  Node(std::vector<Worm> worms, std::vector<NodeId> routes, NodeId from, uint64_t heard_in, uint32_t pieces)
      : worms_(std::move(worms)),
        routes_(std::move(routes)),
        from_(from),
        heard_in_(heard_in),
        missing_(from == kNoNode ? 0 : pieces) {}

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override { message_.assign(own.begin(), own.end()); }
  void send(uint64_t tick, LocalOutbox& out) override {
    for (; next_ < worms_.size() && worms_[next_].tick == tick; ++next_) {
      const uint32_t begin = next_ == 0 ? 0 : worms_[next_ - 1].route_end;
      out.send_worm(std::span(routes_).subspan(begin, worms_[next_].route_end - begin), message_,
                    LocalOutbox::Copy::kKept);
    }
  }
  void hears(uint64_t tick, std::vector<NodeId>& from) const override {
    if (missing_ > 0 && tick == heard_in_) from.push_back(from_);
  }
  void receive(uint64_t, NodeId, const LocalMessage& message) override {
    message_.push_back(message);
    --missing_;
  }
  [[nodiscard]] bool done() const override { return missing_ == 0 && next_ == worms_.size(); }
  [[nodiscard]] size_t table_bytes() const override { return bytes_of(worms_) + bytes_of(routes_); }

 private:
  std::vector<Worm> worms_;
  std::vector<NodeId> routes_;  // of one worm after another
  NodeId from_;
  uint64_t heard_in_;
  uint32_t missing_;
  size_t next_ = 0;
  std::vector<LocalMessage> message_;
};

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  const Topology& topology = problem.topology();
  const WormGrid grid = *WormGrid::of(topology);
  const GridShape& shape = grid.shape();
  if (shape.dimensions() == 0)
    return std::make_unique<Node>(std::vector<Node::Worm>{}, std::vector<NodeId>{}, kNoNode, 0, 0);
  const std::vector<uint32_t> root = shape.coordinates(grid.place(hub_of(problem, grid)));
  const std::vector<uint32_t> here = shape.coordinates(grid.place(self));
  Address x(here.begin(), here.end());
  for (size_t d = 0; d < x.size(); ++d) x[d] = (x[d] + shape.sides[d] - root[d]) % shape.sides[d];

  const SpanRule rule(shape);
  std::vector<Node::Worm> worms;
  std::vector<NodeId> routes;
  std::vector<ArcId> path;
  for (const Departure& departure : rule.departures(x)) {
    path.clear();
    grid.append_path(grid.place(self), departure.hops, path);
    for (const ArcId arc : path) routes.push_back(topology.head(arc));
    worms.push_back({departure.tick, static_cast<uint32_t>(routes.size())});
  }
  NodeId from = kNoNode;
  uint64_t heard_in = 0;
  if (std::optional<Arrival> arrival = rule.arrival(x)) {
    heard_in = arrival->tick;
    for (size_t d = 0; d < x.size(); ++d) arrival->from[d] += root[d];
    from = grid.node(shape.place(arrival->from));
  }
  return std::make_unique<Node>(std::move(worms), std::move(routes), from, heard_in,
                                problem.collective().pieces());
}

}  // namespace
}  // namespace broadcast_spans_parts

constinit const LocalProgram broadcast_spans = {
    .name = "broadcast_spans",
    .rule = "tells from its address when it will hear, from whom, and to whom it will send in which step",
    .knows =
        "where the translates of a span land along one ring, and how they are shifted; of that, its own sends",
    .node = broadcast_spans_parts::node,
};

}  // namespace quadrille::local_programs
