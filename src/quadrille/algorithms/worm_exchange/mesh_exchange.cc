#include "quadrille/algorithms/worm_exchange/mesh_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "quadrille/algorithms/worm_exchange/held_messages.h"

namespace quadrille {
namespace {

using Dimension = MeshShape::Dimension;

// The dimensions as numbered here, at least two (a single line gets one of width 1 before it), and in which
// order each group takes them.
class Groups {
 public:
  Groups(const Topology& topology, MeshExchangeOptions::Order order)
      : dimensions_(mesh_within(topology)->dimensions) {
    const bool longest_last = order == MeshExchangeOptions::Order::kLongestLast;
    std::ranges::stable_sort(dimensions_, [longest_last](const Dimension& a, const Dimension& b) {
      return longest_last ? a.side < b.side : a.side > b.side;
    });
    while (dimensions_.size() < 2) {
      dimensions_.insert(dimensions_.begin(), {1, std::vector<uint32_t>(topology.num_nodes(), 0), {}, {}});
    }
    for (uint32_t group = 0; group < num_groups(); ++group) orders_.push_back(make_order(group));
  }

  [[nodiscard]] size_t size() const { return dimensions_.size(); }
  [[nodiscard]] const Dimension& dimension(size_t d) const { return dimensions_[d]; }
  [[nodiscard]] uint32_t side(size_t d) const { return dimensions_[d].side; }
  [[nodiscard]] uint32_t coordinate(size_t d, NodeId v) const { return dimensions_[d].coordinate[index(v)]; }

  // A group is a number whose bit d is the parity of coordinate d. With sides of 1 some are empty.
  [[nodiscard]] uint32_t num_groups() const { return uint32_t{1} << dimensions_.size(); }
  [[nodiscard]] bool exists(uint32_t group) const {
    for (size_t d = 0; d < size(); ++d) {
      if (side(d) == 1 && parity(group, d) == 1) return false;
    }
    return true;
  }
  [[nodiscard]] static uint32_t parity(uint32_t group, size_t d) { return group >> d & 1U; }
  [[nodiscard]] uint32_t group_of(NodeId v) const {
    uint32_t group = 0;
    for (size_t d = 0; d < size(); ++d) group |= (coordinate(d, v) & 1U) << d;
    return group;
  }
  // The dimension that a group takes in a ring phase.
  [[nodiscard]] size_t taken(uint32_t group, size_t phase) const { return orders_[group][phase]; }
  // How many nodes its rings have there.
  [[nodiscard]] uint32_t ring_length(uint32_t group, size_t d) const {
    return (side(d) + 1 - parity(group, d)) / 2;
  }
  [[nodiscard]] uint32_t ring_steps(size_t phase) const {
    uint32_t steps = 0;
    for (uint32_t group = 0; group < num_groups(); ++group) {
      if (exists(group)) steps = std::max(steps, ring_length(group, taken(group, phase)) - 1);
    }
    return steps;
  }

 private:
  [[nodiscard]] std::vector<size_t> make_order(uint32_t group) const {
    std::vector<size_t> order{1, 0};
    if (parity(group, 0) != parity(group, 1)) order = {0, 1};
    for (size_t d = 2; d < size(); ++d) {
      order.insert(parity(group, d) == 0 ? order.end() : order.begin(), d);
    }
    return order;
  }

  std::vector<Dimension> dimensions_;
  std::vector<std::vector<size_t>> orders_;
};

// --- the plan -------------------------------------------------------------------------------------------

class MeshExchange {
 public:
  MeshExchange(const Problem& problem, const MeshExchangeOptions& options, StepSink& sink)
      : topology_(problem.topology()),
        half_duplex_(problem.model().duplex == Duplex::kHalf),
        odd_rings_(options.odd_rings),
        groups_(problem.topology(), options.order),
        held_(problem),
        sink_(sink) {
    for (const NodeId v : topology_.nodes()) group_.push_back(groups_.group_of(v));
  }

  void run() {
    for (size_t d = groups_.size(); d-- > 0;) {
      if (groups_.side(d) % 2 != 0 && groups_.side(d) > 1) prepare(d);
    }
    for (size_t phase = 0; phase < groups_.size(); ++phase) {
      for (uint32_t step = 0; step < groups_.ring_steps(phase); ++step) ring_step(phase, step);
    }
    for (size_t d = groups_.size(); d-- > 0;) {
      if (groups_.side(d) > 1) swap(d);
    }
  }

 private:
  // What is for the last coordinate goes to the partner below.
  void prepare(size_t d) {
    const std::vector<uint32_t>& coordinate = groups_.dimension(d).coordinate;
    const uint32_t last = groups_.side(d) - 1;
    for (const NodeId v : topology_.nodes()) {
      const uint32_t c = coordinate[index(v)];
      if (c % 2 == 0) continue;
      send(forth_, v, d, c - 1, HeldMessages::From::kAll,
           [&](const HeldMessages::Message& m) { return coordinate[m.destination] == last; });
    }
    end_step();
  }

  void ring_step(size_t phase, uint32_t step) {
    const HeldMessages::From which = step == 0 ? HeldMessages::From::kAll : HeldMessages::From::kLatest;
    for (const NodeId v : topology_.nodes()) {
      const size_t d = groups_.taken(group_[index(v)], phase);
      const uint32_t length = groups_.ring_length(group_[index(v)], d);
      if (step + 1 >= length) continue;
      const std::vector<uint32_t>& coordinate = groups_.dimension(d).coordinate;
      const uint32_t c = coordinate[index(v)];
      const auto [next, goes_back] = next_in_ring(c, length);
      send(goes_back ? back_ : forth_, v, d, next, which, [&, cell = c / 2](const HeldMessages::Message& m) {
        return coordinate[m.destination] / 2 != cell;
      });
    }
    end_step();
  }

  // The next coordinate, and whether the whole line lies between.
  [[nodiscard]] std::pair<uint32_t, bool> next_in_ring(uint32_t c, uint32_t length) const {
    const uint32_t parity = c % 2;
    const uint32_t first = parity;
    const uint32_t last = 2 * (length - 1) + parity;
    if (parity == 1 && odd_rings_ == MeshExchangeOptions::OddRings::kBackward) {
      return c == first ? std::pair(last, true) : std::pair(c - 2, false);
    }
    return c == last ? std::pair(first, true) : std::pair(c + 2, false);
  }

  void swap(size_t d) {
    const std::vector<uint32_t>& coordinate = groups_.dimension(d).coordinate;
    for (const NodeId v : topology_.nodes()) {
      const uint32_t c = coordinate[index(v)];
      const uint32_t partner = c ^ 1U;
      if (partner >= groups_.side(d)) continue;
      send(c < partner ? forth_ : back_, v, d, partner, HeldMessages::From::kAll,
           [&](const HeldMessages::Message& m) { return coordinate[m.destination] == partner; });
    }
    end_step();
  }

  template <typename Wanted>
  void send(StepBuilder& step, NodeId v, size_t d, uint32_t to, HeldMessages::From which,
            const Wanted& wanted) {
    path_.clear();
    NodeId at = v;
    while (groups_.coordinate(d, at) != to) {
      const Dimension& dimension = groups_.dimension(d);
      path_.push_back(groups_.coordinate(d, at) < to ? dimension.up[index(at)] : dimension.down[index(at)]);
      at = topology_.head(path_.back());
    }
    held_.send(half_duplex_ ? step : forth_, v, at, path_, which, wanted);
  }

  void end_step() {
    held_.arrive();
    if (!forth_.empty()) forth_.flush(sink_);
    if (!back_.empty()) back_.flush(sink_);
  }

  const Topology& topology_;
  bool half_duplex_;
  MeshExchangeOptions::OddRings odd_rings_;
  Groups groups_;
  HeldMessages held_;
  StepSink& sink_;
  std::vector<uint32_t> group_;  // per node
  StepBuilder forth_;            // the whole step on full-duplex links
  StepBuilder back_;             // half duplex: the worms that would meet those of forth_
  std::vector<ArcId> path_;
};

// --- the prediction
// ------------------------------------------------------------------------------------------

// What one dimension contributes to the number of messages at a node: pairs (source, destination) of its
// coordinates. The messages of a node are the product over all dimensions, and dimensions are independent of
// each other, so the largest worm is a product of maxima.
class DimensionLoad {
 public:
  explicit DimensionLoad(uint32_t side) : side_(side) {
    for (const uint32_t parity : {0U, 1U}) {
      const uint32_t length = (side + 1 - parity) / 2;
      if (length > 0) fill_ring(parity, length);
    }
  }

  [[nodiscard]] uint64_t side() const { return side_; }
  // Pairs at a node of that parity before the ring phase (after the preparation) and after it.
  [[nodiscard]] uint64_t before(uint32_t parity) const {
    if (side_ % 2 == 0 || side_ == 1) return side_;
    return parity == 1 ? side_ - 1 : side_ + 1;
  }
  [[nodiscard]] uint64_t after(uint32_t parity) const { return rings_[parity].after; }
  // The largest worm in a step of the ring phase, of those that go forward or of the one that goes back.
  [[nodiscard]] uint64_t worm(uint32_t parity, uint32_t step, bool back) const {
    const std::vector<uint64_t>& worms = back ? rings_[parity].back : rings_[parity].forth;
    return step < worms.size() ? worms[step] : 0;
  }
  // The worm of a swap: a message from every node of the ring.
  [[nodiscard]] uint64_t swapped(uint32_t parity) const { return (side_ + 1 - parity) / 2; }

 private:
  struct Ring {
    std::vector<uint64_t> forth;
    std::vector<uint64_t> back;
    uint64_t after = 0;
  };

  // Messages of the i-th ring node for the m-th cell of the ring.
  [[nodiscard]] uint64_t messages(uint32_t parity, uint32_t length, uint32_t i, uint32_t m) const {
    const bool single = side_ % 2 != 0 && parity == 0 && m + 1 == length;
    return single && i + 1 == length ? 1 : 2;
  }

  // Numbers the ring in the direction of travel of even nodes; that of odd ones is its mirror image, and
  // their cells are all alike.
  void fill_ring(uint32_t parity, uint32_t length) {
    Ring& ring = rings_[parity];
    ring.forth.assign(length - 1, 0);
    ring.back.assign(length - 1, 0);
    for (uint32_t source = 0; source < length; ++source) {
      uint64_t rest = 0;  // for the cells that are farther than `step` hops
      for (uint32_t step = length - 1; step-- > 0;) {
        rest += messages(parity, length, source, (source + step + 1) % length);
        const uint32_t holder = (source + step) % length;
        std::vector<uint64_t>& worms = holder + 1 == length ? ring.back : ring.forth;
        worms[step] = std::max(worms[step], rest);
      }
    }
    for (uint32_t m = 0; m < length; ++m) {
      uint64_t held = 0;
      for (uint32_t i = 0; i < length; ++i) held += messages(parity, length, i, m);
      ring.after = std::max(ring.after, held);
    }
  }

  uint64_t side_;
  std::array<Ring, 2> rings_{};
};

class PredictionSum {
 public:
  PredictionSum(const Problem& problem, const MeshExchangeOptions& options)
      : half_duplex_(problem.model().duplex == Duplex::kHalf),
        pieces_(problem.collective().pieces()),
        groups_(problem.topology(), options.order) {
    for (size_t d = 0; d < groups_.size(); ++d) loads_.emplace_back(groups_.side(d));
  }

  Prediction sum() {
    for (size_t d = groups_.size(); d-- > 0;) {
      if (groups_.side(d) % 2 != 0 && groups_.side(d) > 1) add_preparation(d);
    }
    for (size_t phase = 0; phase < groups_.size(); ++phase) {
      for (uint32_t step = 0; step < groups_.ring_steps(phase); ++step) add_ring_step(phase, step);
    }
    for (size_t d = groups_.size(); d-- > 0;) {
      if (groups_.side(d) > 1) add_swap(d);
    }
    Prediction prediction{.steps = start_ups_,
                          .start_ups = start_ups_,
                          .critical_blocks = blocks_ * pieces_,
                          .critical_hops = hops_};
    prediction.rearranged = rearranged();
    return prediction;
  }

 private:
  // The blocks of the largest worm and the hops of the longest one.
  struct Worms {
    uint64_t blocks = 0;
    uint64_t hops = 0;
  };

  // Two dimensions with even sides: before the second ring phase and before the swaps. Where rings have one
  // step or none, one order serves for both of its neighbours.
  [[nodiscard]] std::optional<uint64_t> rearranged() const {
    if (half_duplex_ || groups_.size() != 2) return std::nullopt;
    const uint64_t shorter = std::min(groups_.side(0), groups_.side(1));
    const uint64_t longer = std::max(groups_.side(0), groups_.side(1));
    if (shorter % 2 != 0 || longer % 2 != 0) return std::nullopt;
    const uint64_t times = longer == 2 ? 0 : shorter == 2 || longer == 4 ? 1 : 2;
    return times * (shorter * longer - 1) * pieces_;
  }

  void add_preparation(size_t d) {
    uint64_t worm = 1;
    for (size_t e = 0; e < groups_.size(); ++e) {
      if (e < d) worm *= loads_[e].side();
      if (e > d) worm *= std::max(loads_[e].before(0), loads_[e].before(1));
    }
    add({worm, 1}, {});
  }

  void add_ring_step(size_t phase, uint32_t step) {
    std::array<Worms, 2>
        largest{};  // those that go two forward, and those that go back through their whole ring
    for (uint32_t group = 0; group < groups_.num_groups(); ++group) {
      if (!groups_.exists(group)) continue;
      uint64_t others = 1;
      for (size_t k = 0; k < groups_.size(); ++k) {
        const size_t d = groups_.taken(group, k);
        const uint32_t parity = Groups::parity(group, d);
        if (k < phase) others *= loads_[d].after(parity);
        if (k > phase) others *= loads_[d].before(parity);
      }
      const size_t d = groups_.taken(group, phase);
      for (const bool back : {false, true}) {
        Worms& most = largest[back ? 1 : 0];
        const uint64_t worm = others * loads_[d].worm(Groups::parity(group, d), step, back);
        if (worm == 0) continue;
        const uint64_t hops = back ? uint64_t{2} * (groups_.ring_length(group, d) - 1) : 2;
        most = {std::max(most.blocks, worm), std::max(most.hops, hops)};
      }
    }
    add(largest[0], largest[1]);
  }

  void add_swap(size_t d) {
    uint64_t others = 1;
    for (size_t e = 0; e < groups_.size(); ++e) {
      if (e < d) others *= std::max(loads_[e].after(0), loads_[e].after(1));
      if (e > d) others *= loads_[e].side();
    }
    add({others * loads_[d].swapped(0), 1}, {others * loads_[d].swapped(1), 1});
  }

  void add(const Worms& forth, const Worms& back) {
    if (half_duplex_) {
      start_ups_ += (forth.blocks > 0 ? 1U : 0U) + (back.blocks > 0 ? 1U : 0U);
      blocks_ += forth.blocks + back.blocks;
      hops_ += forth.hops + back.hops;
    } else {
      start_ups_ += 1;
      blocks_ += std::max(forth.blocks, back.blocks);
      hops_ += std::max(forth.hops, back.hops);
    }
  }

  bool half_duplex_;
  uint64_t pieces_;
  Groups groups_;
  std::vector<DimensionLoad> loads_;
  uint64_t start_ups_ = 0;
  uint64_t blocks_ = 0;
  uint64_t hops_ = 0;
};

}  // namespace

Applicability mesh_exchange_applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kWormhole) {
    return Applicability::no("it combines blocks into worms; with packet switching alltoall_product serves");
  }
  if (topology.has_routers()) {
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  }
  const std::optional<MeshShape> shape = mesh_within(topology);
  if (!shape) {
    return Applicability::no(
        fmt::format("it needs a mesh, a line or a hypercube, or a torus, which contains one; {} is none",
                    topology.name()));
  }
  if (problem.model().routing == Routing::kAny) return Applicability::yes();
  // In a ring of four both ways from a node to the second next are as long.
  const auto around = std::ranges::find_if(
      shape->dimensions, [](const Dimension& dimension) { return dimension.closed && dimension.side != 4; });
  if (around == shape->dimensions.end()) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it uses the links of the mesh alone, so its worms go the long way round a ring of {} nodes: it needs "
      "routing any there, not {}",
      around->side, to_text(problem.model().routing)));
}

Prediction mesh_exchange_prediction(const Problem& problem, const MeshExchangeOptions& options) {
  return PredictionSum(problem, options).sum();
}

void mesh_exchange(const Problem& problem, const MeshExchangeOptions& options, StepSink& sink) {
  MeshExchange(problem, options, sink).run();
}

}  // namespace quadrille
