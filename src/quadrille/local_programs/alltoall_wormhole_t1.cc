// "Send M, receive" on the gather-scatter tree of the 1999 paper, dimension after dimension: in each phase of
// a ring a node knows from its coordinate to which node it sends, from which it receives, and how far the
// blocks M have to go that it sends. They are those that it holds, bound for this direction and that distance;
// if there are none it sends an empty message.
//
// Rings of four nodes and fewer have no tree; there a node keeps its own lines of the ring's schedule.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/worm_exchange/worm_ring.h"
#include "quadrille/local/local_program.h"

namespace quadrille::local_programs {

extern const LocalProgram alltoall_wormhole_t1;

namespace alltoall_wormhole_t1_parts {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// What one node does in one phase of its ring.
struct Phase {
  uint32_t to = kNobody;
  uint32_t from = kNobody;
  bool up = true;
  uint32_t least = 0;  // what it sends has to go so far, this way round
  uint32_t most = 0;
  std::vector<RingBlock> only{};  // of a schedule without a tree: exactly these
};

// The phases of the node at a coordinate, found by going through the rule for each of the two halves of the
// ring, in which "up" is the half's own direction.
class TreeRule {
 public:
  TreeRule(uint32_t n, bool lazy, uint32_t self) : n_(n), m_(n - n % 2), lazy_(lazy), self_(self) {
    const uint32_t top = std::max(3U, static_cast<uint32_t>(std::bit_width(m_ - 1))) - 2;
    n_ % 2 == 0 ? gather_even() : gather_odd();
    for (uint32_t l = 1; l <= top; ++l) level(l, l == top, false);
    // With three nodes on the top level, none is more than an arc away from where it is bound.
    const bool all_there = (m_ - 1) / (1U << top) + 1 <= 3;
    for (uint32_t l = all_there ? top - 1 : top; l >= 1; --l) level(l, false, true);
    n_ % 2 == 0 ? scatter_even() : scatter_odd();
  }
  [[nodiscard]] std::vector<Phase> phases() && { return std::move(phases_); }

 private:
  enum Half : uint8_t { kUp, kDown };

  // The down half is the mirror image.
  [[nodiscard]] uint32_t outside(Half half, uint32_t v) const {
    if (half == kUp) return v;
    return n_ % 2 == 0 ? (n_ + 1 - v) % n_ : (2 * n_ - 2 - v) % n_;
  }
  void begin() { phases_.emplace_back(); }
  void add(Half half, uint32_t from, uint32_t to, uint32_t least, uint32_t most) {
    Phase& phase = phases_.back();
    if (outside(half, to) == self_) phase.from = outside(half, from);
    if (outside(half, from) != self_) return;
    phase.to = outside(half, to);
    phase.up = half == kUp;
    phase.least = least;
    phase.most = most;
  }

  void gather_even() {
    begin();
    for (const Half half : {kUp, kDown}) {
      for (uint32_t v = 1; v < n_; v += 2) add(half, v, (v + 1) % n_, 1, n_);
    }
  }
  void scatter_even() {
    begin();
    for (const Half half : {kUp, kDown}) {
      for (uint32_t v = 0; v < n_; v += 2) add(half, v, v + 1, 1, 1);
    }
  }
  // The extra node n-1 of an odd ring lies between n-2 and 0; in the mirror 0 is n-2 and n-2 is 0.
  void gather_odd() {
    begin();
    for (const Half half : {kUp, kDown}) {
      for (uint32_t v = 1; v + 4 <= n_; v += 2) add(half, v, v + 1, 1, n_);
    }
    add(kUp, n_ - 1, 0, 1, n_);
    add(kDown, n_ - 2, 0, 2, n_);
    add(kUp, n_ - 2, n_ - 1, 1, 1);
    begin();
    add(kUp, n_ - 2, 0, 1, n_);
    add(kDown, n_ - 1, 0, 1, n_);
    add(kDown, n_ - 2, n_ - 1, 1, 1);
  }
  void scatter_odd() {
    begin();
    for (const Half half : {kUp, kDown}) {
      for (uint32_t v = 0; v + 5 <= n_; v += 2) add(half, v, v + 1, 1, 1);
    }
    add(kUp, n_ - 3, n_ - 2, 1, 1);
    add(kDown, n_ - 3, n_ - 1, 2, 2);
    begin();
    add(kUp, n_ - 3, n_ - 1, 2, 2);
    add(kDown, n_ - 3, n_ - 2, 1, 1);
  }

  // V_l are the multiples of 2^l below m; the last arc leads over the end of the ring.
  [[nodiscard]] uint32_t next(uint32_t l, uint32_t v) const { return v + (1U << l) < m_ ? v + (1U << l) : 0; }
  [[nodiscard]] uint32_t arc(uint32_t l, uint32_t v) const {
    const uint32_t to = next(l, v);
    return to > v ? to - v : to + n_ - v;
  }
  void level(uint32_t l, bool is_top, bool scatters) {
    begin();
    const auto sparser = [l](uint32_t v) { return v % (2U << l) == 0; };
    for (const Half half : {kUp, kDown}) {
      for (uint32_t v = 0; v < m_; v += 1U << l) {
        const uint32_t to = next(l, v);
        uint32_t least = arc(l, v);
        uint32_t most = n_;
        if (!scatters && !is_top) {
          if (sparser(v) && sparser(to)) {
            if (lazy_) continue;
          } else if (sparser(v)) {
            most = least + arc(l, to) + arc(l, next(l, to)) - 1;
          } else {
            least += arc(l, to);
          }
        }
        add(half, v, to, least, most);
      }
    }
  }

  uint32_t n_;
  uint32_t m_;
  bool lazy_;
  uint32_t self_;
  std::vector<Phase> phases_;
};

std::vector<Phase> phases_of(uint32_t n, bool lazy, uint32_t self) {
  if (n > 4) return TreeRule(n, lazy, self).phases();
  const RingSchedule ring = ring_schedule(n, {.published = true, .lazy = lazy});
  std::vector<Phase> out(ring.num_phases());
  for (size_t p = 0; p < out.size(); ++p) {
    for (const RingWorm& worm : ring.phase(p)) {
      if (worm.to == self) out[p].from = worm.from;
      if (worm.from != self) continue;
      const std::span<const RingBlock> blocks = ring.blocks(worm);
      out[p] = {worm.to, out[p].from, worm.up, 1, n, {blocks.begin(), blocks.end()}};
    }
  }
  return out;
}

class Node final : public LocalNode {
 public:
  Node(const Problem& problem, const TorusShape& torus, bool lazy, uint32_t self)
      : collective_(problem.collective()), self_(self), sides_(torus.sides), strides_(torus.strides) {
    for (size_t k = 0; k < sides_.size(); ++k) {
      for (Phase& phase : phases_of(sides_[k], lazy, coordinate(self, k))) {
        phases_.push_back(std::move(phase));
        dimension_.push_back(static_cast<uint8_t>(k));
      }
    }
  }

  [[nodiscard]] std::unique_ptr<LocalNode> copy() const override { return std::make_unique<Node>(*this); }

  void start(std::span<const LocalMessage> own) override { held_.assign(own.begin(), own.end()); }

  void send(uint64_t tick, LocalOutbox& out) override {
    const Phase& phase = phases_[tick];
    now_ = tick + 1;
    if (phase.to == kNobody) return;
    const size_t k = dimension_[tick];
    const auto stays = std::stable_partition(held_.begin(), held_.end(),
                                             [&](const LocalMessage& m) { return !goes(m, phase, k); });
    moving_.assign(stays, held_.end());
    held_.erase(stays, held_.end());
    route_.clear();
    const uint32_t side = sides_[k];
    uint32_t at = coordinate(self_, k);
    while (at != phase.to) {
      at = phase.up ? (at + 1) % side : (at + side - 1) % side;
      route_.push_back(on_line(k, at));
    }
    out.send_worm(route_, moving_);
  }
  void hears(uint64_t tick, std::vector<NodeId>& from) const override {
    const Phase& phase = phases_[tick];
    if (phase.from != kNobody) from.push_back(on_line(dimension_[tick], phase.from));
  }
  void receive(uint64_t, NodeId, const LocalMessage& message) override {
    if (index(collective_.destination(message.block)) != self_) held_.push_back(message);
  }
  [[nodiscard]] bool done() const override { return now_ == phases_.size(); }
  [[nodiscard]] size_t table_bytes() const override {
    size_t bytes = bytes_of(phases_) + bytes_of(dimension_);
    for (const Phase& phase : phases_) bytes += bytes_of(phase.only);
    return bytes;
  }

 private:
  [[nodiscard]] uint32_t coordinate(size_t node, size_t k) const {
    return static_cast<uint32_t>(node / strides_[k] % sides_[k]);
  }
  [[nodiscard]] NodeId on_line(size_t k, uint32_t coordinate_there) const {
    return id_at<NodeId>(self_ + (int64_t{coordinate_there} - coordinate(self_, k)) * strides_[k]);
  }
  [[nodiscard]] bool goes(const LocalMessage& message, const Phase& phase, size_t k) const {
    const uint32_t side = sides_[k];
    const uint32_t source = coordinate(index(collective_.origin(message.block)), k);
    const uint32_t target = coordinate(index(collective_.destination(message.block)), k);
    if (!phase.only.empty()) {
      const RingBlock wanted{static_cast<uint16_t>(source), static_cast<uint16_t>(target)};
      return std::find(phase.only.begin(), phase.only.end(), wanted) != phase.only.end();
    }
    const uint32_t here = coordinate(self_, k);
    if (target == here) return false;
    // Opposite blocks all go up, as published.
    if ((2 * ((target + side - source) % side) <= side) != phase.up) return false;
    const uint32_t left = phase.up ? (target + side - here) % side : (here + side - target) % side;
    return phase.least <= left && left <= phase.most;
  }

  Collective collective_;
  uint32_t self_;
  std::vector<uint32_t> sides_;
  std::vector<uint32_t> strides_;
  std::vector<Phase> phases_;
  std::vector<uint8_t> dimension_;  // by phase
  uint64_t now_ = 0;
  std::vector<LocalMessage> held_;
  std::vector<LocalMessage> moving_;
  std::vector<NodeId> route_;
};

// Of the two readings of the paper the one that the card takes: the cheaper, by what the ring's schedules
// cost.
bool is_lazy(const Problem& problem, const TorusShape& torus) {
  const auto time = [&](bool lazy) {
    TimedFigures figures;
    for (const uint32_t side : torus.sides) {
      const RingSchedule ring = ring_schedule(side, {.published = true, .lazy = lazy}, false);
      figures.start_ups += ring.cost().start_ups;
      figures.critical_blocks +=
          ring.cost().blocks * (problem.topology().num_nodes() / side) * problem.collective().pieces();
      for (size_t p = 0; p < ring.num_phases(); ++p) figures.critical_hops += ring.longest(p);
    }
    return std::tuple(time_of(problem.model().cost, figures, 1), figures.start_ups, figures.critical_blocks);
  };
  return time(true) < time(false);
}

std::unique_ptr<LocalNode> node(const Problem& problem, NodeId self) {
  const TorusShape torus = *as_torus(problem.topology());
  return std::make_unique<Node>(problem, torus, is_lazy(problem, torus), static_cast<uint32_t>(index(self)));
}

}  // namespace
}  // namespace alltoall_wormhole_t1_parts

constinit const LocalProgram alltoall_wormhole_t1 = {
    .name = "alltoall_wormhole_t1",
    .rule =
        "in each phase sends, to one node of its line, all blocks that have a certain way to go; and receives",
    .knows = "for each phase of one ring per dimension: to whom, from whom, how far",
    .node = alltoall_wormhole_t1_parts::node,
};

}  // namespace quadrille::local_programs
