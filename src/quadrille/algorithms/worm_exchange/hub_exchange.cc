#include "quadrille/algorithms/worm_exchange/hub_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <span>

#include "quadrille/algorithms/worm_exchange/held_messages.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr size_t kMostDimensions = 32;

uint64_t torus_nodes(const TorusShape& torus) {
  uint64_t out = 1;
  for (const uint32_t side : torus.sides) out *= side;
  return out;
}

// Levels at whose end a hub gathers.
uint32_t levels_of(const HubMember& member) {
  return static_cast<uint32_t>(std::countr_zero(member.apart / member.classes));
}

// The dimension that a class of hubs goes through in a stage.
size_t dimension_of(size_t stage, uint32_t hub_class, size_t dimensions) {
  return (stage + hub_class) % dimensions;
}

// --- cost -------------------------------------------------------------------------------------------------

// Blocks that pass their target early stay there. From then on they would go the way of the target's own block: up to the
// next hub, one hub back, and up again. A node whose coordinates add up to an odd number of 2^m has 2^(Dm+D-1) of them, its
// own among them: each hop and each gathering before that has doubled the nodes whose block for it is with it.

// For the nodes at distances 1 to 2^l - 1 behind one of H_l.
uint64_t stayed_between(uint64_t dimensions, uint32_t l) {
  uint64_t out = 0;
  for (uint32_t m = 0; m < l; ++m) out += uint64_t{1} << (l - 1 - m + dimensions * m + dimensions - 1);
  return out;
}

// For these and a node of H_l that is not in H_(l+1).
uint64_t stayed_up_to(uint64_t dimensions, uint32_t l) {
  return stayed_between(dimensions, l) + (uint64_t{1} << (dimensions * l + dimensions - 1));
}

// The largest worms of a ring among hubs, by phase: each ring block stands for `unit` blocks, and for `missing` less where
// its target is the hub below its source.
std::vector<uint64_t> ring_blocks(uint32_t length, const RingRecipe& recipe, uint64_t unit,
                                  uint64_t missing) {
  const RingSchedule ring = ring_schedule(length, recipe);
  std::vector<uint64_t> out;
  for (size_t p = 0; p < ring.num_phases(); ++p) {
    uint64_t largest = 0;
    for (const RingWorm& worm : ring.phase(p)) {
      uint64_t blocks = 0;
      for (const RingBlock& block : ring.blocks(worm))
        blocks += unit - ((block.target + 1U) % length == block.source ? missing : 0);
      largest = std::max(largest, blocks);
    }
    out.push_back(largest);
  }
  return out;
}

// What is larger, place by place.
void raise_to(std::vector<uint64_t>& largest, const std::vector<uint64_t>& other) {
  if (other.size() > largest.size()) largest.resize(other.size(), 0);
  for (size_t p = 0; p < other.size(); ++p) largest[p] = std::max(largest[p], other[p]);
}

// --- steps ------------------------------------------------------------------------------------------------

class HubExchange {
 public:
  HubExchange(const Problem& problem, const HubMember& member, StepSink& sink)
      : net_(problem.topology()),
        torus_(*as_torus(net_)),
        member_(member),
        held_(problem),
        sink_(sink),
        levels_(levels_of(member)),
        hubs_(member.apart / member.classes) {
    coordinates_.resize(size_t{net_.num_nodes()} * dimensions());
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
      for (size_t k = 0; k < dimensions(); ++k)
        coordinates_[v * dimensions() + k] = v / torus_.strides[k] % torus_.sides[k];
    }
  }

  void run() {
    for (uint32_t l = 0; l < levels_; ++l) {
      for (size_t j = 1; j < dimensions(); ++j) hop(l, j);
      gather(l);
    }
    if (member_.classes == 2) {
      for (size_t j = 1; j < dimensions(); ++j) hop(levels_, j);
    }
    for (size_t stage = 0; stage < dimensions(); ++stage) exchange(stage);
    if (member_.classes == 2) scatter(levels_, hubs_);
    for (uint32_t l = levels_; l-- > 0;) scatter(l, 2U << l);
  }

 private:
  using Place = std::array<uint32_t, kMostDimensions>;

  [[nodiscard]] size_t dimensions() const { return torus_.sides.size(); }
  [[nodiscard]] uint32_t at(uint32_t node, size_t k) const { return coordinates_[node * dimensions() + k]; }
  [[nodiscard]] uint32_t sum(uint32_t node) const {
    uint32_t out = 0;
    for (size_t k = 0; k < dimensions(); ++k) out += at(node, k);
    return out;
  }
  // How far up from one coordinate to another.
  [[nodiscard]] uint32_t up(size_t k, uint32_t from, uint32_t to) const {
    return (to + torus_.sides[k] - from) % torus_.sides[k];
  }

  // Where a block is when the levels are over.
  [[nodiscard]] Place after_levels(uint32_t source, uint32_t target) const {
    Place v{};
    uint32_t total = 0;
    for (size_t k = 0; k < dimensions(); ++k) total += v[k] = at(source, k);
    const auto move = [&](size_t k, uint32_t by) { v[k] = (v[k] + by) % torus_.sides[k]; };
    for (uint32_t l = 0; l < levels_; ++l) {
      const uint32_t far = 1U << l;
      for (size_t j = 1; j < dimensions(); ++j) {
        if ((up(j, v[j], at(target, j)) & far) == 0) continue;
        move(0, torus_.sides[0] - far);
        move(j, far);
      }
      if ((total & far) == 0) continue;
      move(0, far);
      total += far;
    }
    if (member_.classes == 1) return v;
    for (size_t j = 1; j < dimensions(); ++j) {
      if ((up(j, v[j], at(target, j)) & hubs_) == 0) continue;
      move(0, torus_.sides[0] - hubs_);
      move(j, hubs_);
    }
    return v;
  }

  // Appends the arcs of a way and returns its end.
  uint32_t walk(uint32_t from, size_t k, uint32_t far, bool upwards) {
    for (uint32_t i = 0; i < far; ++i) {
      const ArcId arc = net_.cayley()->arc(NodeId{from}, upwards ? torus_.up[k] : torus_.down[k]);
      path_.push_back(arc);
      from = static_cast<uint32_t>(index(net_.head(arc)));
    }
    return from;
  }

  // What is not there already, of what is wanted.
  template <typename Wanted>
  void send(uint32_t from, uint32_t to, const Wanted& wanted) {
    held_.send(
        step_, NodeId{from}, NodeId{to}, path_, HeldMessages::From::kAll,
        [&](const HeldMessages::Message& message) { return message.destination != from && wanted(message); });
  }
  void end_phase() {
    held_.arrive();
    step_.flush(sink_);
  }

  void hop(uint32_t l, size_t j) {
    const uint32_t far = 1U << l;
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
      if (sum(v) % far != 0) continue;
      path_.clear();
      const uint32_t to = walk(walk(v, 0, far, false), j, far, true);
      send(v, to, [&](const HeldMessages::Message& message) {
        return (up(j, at(v, j), at(message.destination, j)) & far) != 0;
      });
    }
    end_phase();
  }

  void gather(uint32_t l) {
    const uint32_t far = 1U << l;
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
      if (sum(v) % (2 * far) != far) continue;
      path_.clear();
      const uint32_t to = walk(v, 0, far, true);
      send(v, to, [](const HeldMessages::Message&) { return true; });
    }
    end_phase();
  }

  // A ring schedule among the hubs of every line of one dimension.
  struct RingOfHubs {
    static constexpr uint32_t kNone = UINT32_MAX;

    size_t dimension;
    uint32_t length;
    RingSchedule ring;
    // In the phase under way the worm that takes a ring block, and that of a hub.
    std::vector<uint32_t> takes;
    std::vector<uint32_t> of_hub;

    RingOfHubs(size_t k, uint32_t hubs, const RingRecipe& recipe)
        : dimension(k),
          length(hubs),
          ring(ring_schedule(hubs, recipe)),
          takes(size_t{hubs} * hubs),
          of_hub(hubs) {}

    void start(size_t p) {
      std::fill(takes.begin(), takes.end(), kNone);
      std::fill(of_hub.begin(), of_hub.end(), kNone);
      if (p >= ring.num_phases()) return;
      const std::span<const RingWorm> worms = ring.phase(p);
      for (uint32_t w = 0; w < worms.size(); ++w) {
        of_hub[worms[w].from] = w;
        for (const RingBlock& block : ring.blocks(worms[w]))
          takes[size_t{block.source} * length + block.target] = w;
      }
    }
  };

  // Every class of hubs in its dimension.
  void exchange(size_t stage) {
    std::vector<RingOfHubs> rings;
    size_t phases = 0;
    for (uint32_t c = 0; c < member_.classes; ++c) {
      const size_t k = dimension_of(stage, c, dimensions());
      rings.emplace_back(k, torus_.sides[k] / member_.apart, member_.rings[k]);
      phases = std::max(phases, rings.back().ring.num_phases());
    }
    for (size_t p = 0; p < phases; ++p) {
      for (RingOfHubs& ring : rings) ring.start(p);
      for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
        if (sum(v) % hubs_ == 0) send_on(rings[sum(v) / hubs_ % member_.classes], p, v);
      }
      end_phase();
    }
  }

  void send_on(const RingOfHubs& hubs, size_t p, uint32_t v) {
    const uint32_t apart = member_.apart;
    const uint32_t length = hubs.length;
    const size_t k = hubs.dimension;
    const uint32_t w = hubs.of_hub[at(v, k) / apart];
    if (w == RingOfHubs::kNone) return;
    const RingWorm& worm = hubs.ring.phase(p)[w];
    const uint32_t arcs =
        worm.up ? (worm.to + length - worm.from) % length : (worm.from + length - worm.to) % length;
    path_.clear();
    const uint32_t to = walk(v, k, arcs * apart, worm.up);
    const uint32_t first = at(v, k) % apart;  // of the hubs of this class on this line
    send(v, to, [&](const HeldMessages::Message& message) {
      const uint32_t from_hub = after_levels(message.source, message.destination)[k] / apart;
      const uint32_t to_hub = up(k, first, at(message.destination, k)) / apart;
      return hubs.takes[size_t{from_hub} * length + to_hub] == w;
    });
  }

  // From those whose coordinates add up to a multiple of `hubs` up the first dimension.
  void scatter(uint32_t l, uint32_t hubs) {
    const uint32_t far = 1U << l;
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) {
      if (sum(v) % hubs != 0) continue;
      path_.clear();
      const uint32_t to = walk(v, 0, far, true);
      send(v, to, [&](const HeldMessages::Message& message) {
        return up(0, at(v, 0), at(message.destination, 0)) >= far;
      });
    }
    end_phase();
  }

  const Topology& net_;
  TorusShape torus_;
  const HubMember& member_;
  HeldMessages held_;
  StepSink& sink_;
  uint32_t levels_;
  uint32_t hubs_;  // apart on a line, of whatever class
  std::vector<uint32_t> coordinates_;
  std::vector<ArcId> path_{};
  StepBuilder step_{};
};

}  // namespace

std::string HubMember::name() const {
  std::string out = fmt::format("hubs{}{}/{}", apart, classes == 1 ? "" : "x2", rings.front().name());
  if (std::all_of(rings.begin(), rings.end(), [&](const RingRecipe& r) { return r == rings.front(); }))
    return out;
  for (size_t k = 1; k < rings.size(); ++k) out += "+" + rings[k].name();
  return out;
}

WormCost hub_exchange_cost(const TorusShape& torus, const HubMember& member) {
  const uint64_t nodes = torus_nodes(torus);
  const uint64_t apart = member.apart;
  const uint64_t dimensions = torus.sides.size();
  const uint32_t levels = levels_of(member);
  WormCost out{(dimensions + 1) * levels, 0};
  for (uint32_t l = 0; l < levels; ++l) {
    const uint64_t hops = (dimensions - 1) * (nodes << l) / 2;
    const uint64_t gathered = (nodes << l) - stayed_up_to(dimensions, l);
    out.blocks += hops + 2 * gathered;
  }
  if (member.classes == 2) {
    // Every hub scatters what is for half of the nodes up to the next one of its class, of half of all sources.
    out.start_ups += dimensions;
    out.blocks += dimensions * (nodes << levels) / 2 - stayed_between(dimensions, levels);
  }
  for (size_t stage = 0; stage < torus.sides.size(); ++stage) {
    std::vector<uint64_t> phases;
    for (uint32_t c = 0; c < member.classes; ++c) {
      const size_t k = dimension_of(stage, c, dimensions);
      const auto length = static_cast<uint32_t>(torus.sides[k] / apart);
      const uint64_t unit = apart * apart / member.classes * (nodes / torus.sides[k]);
      raise_to(phases,
               ring_blocks(length, member.rings[k], unit, k == 0 ? stayed_between(dimensions, levels) : 0));
    }
    out.start_ups += phases.size();
    out.blocks += std::accumulate(phases.begin(), phases.end(), uint64_t{0});
  }
  return out;
}

uint64_t hub_exchange_hops(const TorusShape& torus, const HubMember& member) {
  // On level l D-1 hops of two legs, a gathering and a scattering, over 2^l links each.
  const uint64_t dimensions = torus.sides.size();
  const uint64_t hubs = member.apart / member.classes;
  uint64_t out = 2 * dimensions * (hubs - 1);
  if (member.classes == 2) out += (2 * dimensions - 1) * hubs;
  for (size_t stage = 0; stage < dimensions; ++stage) {
    std::vector<uint64_t> phases;
    for (uint32_t c = 0; c < member.classes; ++c) {
      const size_t k = dimension_of(stage, c, dimensions);
      const RingSchedule ring = ring_schedule(torus.sides[k] / member.apart, member.rings[k], false);
      std::vector<uint64_t> longest;
      for (size_t p = 0; p < ring.num_phases(); ++p)
        longest.push_back(uint64_t{member.apart} * ring.longest(p));
      raise_to(phases, longest);
    }
    out += std::accumulate(phases.begin(), phases.end(), uint64_t{0});
  }
  return out;
}

std::vector<HubMember> hub_members(const TorusShape& torus) {
  count_work(Work::kSearching);
  const auto fits = [&](uint32_t apart) {
    return std::all_of(torus.sides.begin(), torus.sides.end(),
                       [=](uint32_t side) { return side % apart == 0; });
  };
  std::vector<HubMember> out;
  for (uint32_t apart = 2; fits(apart); apart *= 2) {
    std::map<uint32_t, std::vector<RingOption>> fronts;
    for (const uint32_t side : torus.sides) {
      if (!fronts.contains(side)) fronts[side] = ring_front(side / apart);
    }
    // Equal sides take equal rings.
    std::vector<std::map<uint32_t, RingRecipe>> choices(1);
    for (const auto& [side, options] : fronts) {
      std::vector<std::map<uint32_t, RingRecipe>> longer;
      for (const auto& choice : choices) {
        for (const RingOption& option : options) {
          longer.push_back(choice);
          longer.back()[side] = option.recipe;
        }
      }
      choices = std::move(longer);
    }
    for (const auto& choice : choices) {
      for (const uint32_t classes : {1U, 2U}) {
        HubMember member{.apart = apart, .classes = classes};
        for (const uint32_t side : torus.sides) member.rings.push_back(choice.at(side));
        member.cost = hub_exchange_cost(torus, member);
        member.hops = hub_exchange_hops(torus, member);
        out.push_back(std::move(member));
      }
    }
    keep_front(out);
  }
  return out;
}

void hub_exchange(const Problem& problem, const HubMember& member, StepSink& sink) {
  HubExchange(problem, member, sink).run();
}

}  // namespace quadrille
