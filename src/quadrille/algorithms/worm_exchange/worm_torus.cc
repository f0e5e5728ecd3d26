#include "quadrille/algorithms/worm_exchange/worm_torus.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint32_t kNoWorm = UINT32_MAX;

uint16_t narrow(uint32_t coordinate) { return static_cast<uint16_t>(coordinate); }

}  // namespace

WormTorus::WormTorus(TorusShape shape, uint32_t groups)
    : shape_(std::move(shape)), groups_(groups), num_nodes_(1), states_(shape_.sides.size()) {
  for (size_t k = 0; k < shape_.sides.size(); ++k) {
    const uint32_t side = line(k);
    QUADRILLE_CHECK(side % groups == 0 && side <= kLongestWormRing,
                    fmt::format("side {}, {} groups", side, groups));
    num_nodes_ *= side;
    Holdings start(side);
    for (uint32_t c = 0; c < side; ++c) {
      for (uint32_t t = 0; t < side; ++t) start[c].push_back({narrow(c), narrow(t)});
    }
    states_[k].push_back(std::move(start));
  }
  current_.assign(groups_, std::vector<size_t>(shape_.sides.size(), 0));
}

uint32_t WormTorus::offset(uint32_t coordinate, uint32_t target) const {
  return (target % groups_ + groups_ - coordinate % groups_) % groups_;
}

// Adds the track of one phase of hops, and the state after it.
template <typename Moves, typename Goes>
size_t WormTorus::add_hops(size_t dimension, size_t before, uint32_t distance, Moves moves, Goes goes_up) {
  const uint32_t side = line(dimension);
  const Holdings& held = states_[dimension][before];
  Holdings after(side);
  RingSchedule out(side);
  for (uint32_t c = 0; c < side; ++c) {
    const bool up = goes_up(c);
    const uint32_t to = (up ? c + distance : c + side - distance) % side;
    out.add_worm(c, to, up);
    for (const RingBlock& block : held[c]) {
      const bool moving = moves(offset(c, block.target));
      if (moving) out.add_block(block);
      after[moving ? to : c].push_back(block);
    }
  }
  out.end_phase();
  states_[dimension].push_back(std::move(after));
  tracks_.push_back(
      {dimension, before, states_[dimension].size() - 1, true, std::move(out), {}, RingPhases(1, {}), {}});
  return tracks_.size() - 1;
}

void WormTorus::push_stage(std::vector<std::optional<size_t>> tracks) {
  states_in_stage_.push_back(current_);
  for (uint32_t g = 0; g < groups_; ++g) {
    if (tracks[g]) current_[g][tracks_[*tracks[g]].dimension] = tracks_[*tracks[g]].after;
  }
  stages_.push_back({std::move(tracks)});
}

void WormTorus::hop(size_t dimension, uint32_t distance, HopWay way) {
  const size_t track = add_hops(
      dimension, current_[0][dimension], distance, [=](uint32_t rest) { return (rest & distance) != 0; },
      [=](uint32_t c) { return way == HopWay::kUp || c % 2 == 0; });
  push_stage(std::vector<std::optional<size_t>>(groups_, track));
}

void WormTorus::creep(size_t dimension) {
  const size_t track = add_hops(
      dimension, current_[0][dimension], 1, [](uint32_t rest) { return rest != 0; },
      [](uint32_t) { return true; });
  push_stage(std::vector<std::optional<size_t>>(groups_, track));
}

void WormTorus::hop_by_groups(size_t first, uint32_t distance) {
  const size_t dimensions = shape_.sides.size();
  std::vector<std::optional<size_t>> tracks(groups_);
  for (uint32_t g = 0; g < groups_; ++g) {
    if (g >= distance) {
      tracks[g] = tracks[g - distance];
      continue;
    }
    if (g / 2 >= dimensions) continue;
    const size_t dimension = (first + g / 2) % dimensions;
    tracks[g] = add_hops(
        dimension, current_[g][dimension], distance, [=](uint32_t rest) { return (rest & distance) != 0; },
        [=](uint32_t) { return g % 2 == 0; });
  }
  push_stage(std::move(tracks));
}

WormTorus::Sources::Sources(const Holdings& held, uint32_t side)
    : side_(side), begin_(size_t{side} * side + 1, 0), sources_(size_t{side} * side) {
  const auto at = [&](uint32_t c, const RingBlock& block) { return size_t{c} * side + block.target; };
  for (uint32_t c = 0; c < side; ++c) {
    for (const RingBlock& block : held[c]) ++begin_[at(c, block) + 1];
  }
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (uint32_t c = 0; c < side; ++c) {
    for (const RingBlock& block : held[c]) sources_[next[at(c, block)]++] = block.source;
  }
}

std::span<const uint16_t> WormTorus::Sources::of(uint32_t coordinate, uint32_t target) const {
  const size_t at = size_t{coordinate} * side_ + target;
  return std::span(sources_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
}

size_t WormTorus::exchange_track(const Work& work, size_t before) {
  for (size_t i = 0; i < tracks_.size(); ++i) {
    const Track& t = tracks_[i];
    if (!t.hops && t.dimension == work.dimension && t.before == before && t.work.up == work.up &&
        t.work.recipe == work.recipe)
      return i;
  }
  const uint32_t side = line(work.dimension);
  const Holdings& held = states_[work.dimension][before];
  Holdings after(side);
  for (uint32_t c = 0; c < side; ++c) {
    for (const RingBlock& block : held[c])
      QUADRILLE_CHECK(offset(c, block.target) == 0, "a block outside its class");
    for (uint32_t s = 0; s < side; ++s) after[c].push_back({narrow(s), narrow(c)});
  }
  Track track{work.dimension,  before, states_[work.dimension].size(),          false,
              RingSchedule(1), work,   RingPhases(side / groups_, work.recipe), Sources(held, side)};
  tracks_.push_back(std::move(track));
  states_[work.dimension].push_back(std::move(after));
  return tracks_.size() - 1;
}

// One phase of a track. Of an exchange: the ring schedule on each class of the lines, with every ring block
// replaced by the pairs that it stands for.
RingSchedule WormTorus::moves(const Track& track, size_t p, bool keeps_blocks) const {
  if (track.hops) return track.hop;
  const uint32_t side = line(track.dimension);
  const uint32_t length = side / groups_;
  const bool up = track.work.up;
  const auto place = [&](uint32_t in_ring, uint32_t cls) {
    return (up ? in_ring : (length - in_ring) % length) * groups_ + cls;
  };
  RingSchedule out(side, keeps_blocks);
  track.ring.for_each_worm(p, [&](const RingWorm& worm, std::span<const RingBlock> blocks) {
    for (uint32_t cls = 0; cls < groups_; ++cls) {
      out.add_worm(place(worm.from, cls), place(worm.to, cls), worm.up == up);
      for (const RingBlock& block : blocks) {
        const uint32_t target = place(block.target, cls);
        for (const uint16_t source : track.sources.of(place(block.source, cls), target))
          out.add_block({source, narrow(target)});
      }
    }
  });
  out.end_phase();
  return out;
}

void WormTorus::exchange(const WorkOfGroups& groups) {
  QUADRILLE_CHECK(groups.size() == groups_, fmt::format("{} of {} groups", groups.size(), groups_));
  std::vector<std::optional<size_t>> tracks(groups_);
  for (uint32_t g = 0; g < groups_; ++g) {
    if (groups[g]) tracks[g] = exchange_track(*groups[g], current_[g][groups[g]->dimension]);
  }
  push_stage(std::move(tracks));
}

WormCost WormTorus::cost() const {
  WormCost out;
  for (const Stage& stage : stages_) {
    std::vector<uint64_t> largest;
    for (const std::optional<size_t>& at : stage.track_of_group) {
      if (!at) continue;
      const Track& track = tracks_[*at];
      largest.resize(std::max(largest.size(), track.num_phases()), 0);
      for (size_t p = 0; p < track.num_phases(); ++p) {
        const uint64_t pairs = moves(track, p, false).largest(0);
        largest[p] = std::max(largest[p], pairs * (num_nodes_ / line(track.dimension)));
      }
    }
    out.start_ups += largest.size();
    for (const uint64_t blocks : largest) out.blocks += blocks;
  }
  return out;
}

uint64_t WormTorus::critical_hops() const {
  uint64_t out = 0;
  for (const Stage& stage : stages_) {
    std::vector<uint64_t> longest;
    for (const std::optional<size_t>& at : stage.track_of_group) {
      if (!at) continue;
      const Track& track = tracks_[*at];
      longest.resize(std::max(longest.size(), track.num_phases()), 0);
      for (size_t p = 0; p < track.num_phases(); ++p)
        longest[p] = std::max<uint64_t>(longest[p], moves(track, p, false).longest(0));
    }
    for (const uint64_t links : longest) out += links;
  }
  return out;
}

// Turns coordinate pairs into blocks, worm by worm.
class WormTorus::Emitter {
 public:
  Emitter(const WormTorus& torus, const Problem& problem, StepSink& sink)
      : torus_(torus), problem_(problem), sink_(sink), coordinates_(torus.shape_.sides.size()) {
    for (size_t k = 0; k < torus_.shape_.sides.size(); ++k) {
      offsets_.emplace_back();
      for (const Holdings& state : torus_.states_[k]) {
        offsets_[k].emplace_back();
        for (const auto& held : state) offsets_[k].back().push_back(offsets_of(k, held));
      }
    }
  }

  void emit() {
    for (size_t i = 0; i < torus_.stages_.size(); ++i) {
      const Stage& stage = torus_.stages_[i];
      size_t phases = 0;
      for (const std::optional<size_t>& at : stage.track_of_group) {
        if (at) phases = std::max(phases, torus_.tracks_[*at].num_phases());
      }
      for (size_t p = 0; p < phases; ++p) emit_phase(stage, torus_.states_in_stage_[i], p);
    }
  }

 private:
  using Offsets = std::vector<uint32_t>;

  // The worms of one track in one phase, by the coordinate that they start at.
  struct Senders {
    size_t dimension;
    RingSchedule moves;
    std::vector<uint32_t> worm_from;
    std::vector<Offsets> pairs;  // by worm
  };

  // What the coordinates of one dimension add to the number of a block.
  [[nodiscard]] Offsets offsets_of(size_t k, std::span<const RingBlock> pairs) const {
    const uint32_t unit = torus_.shape_.strides[k] * problem_.collective().pieces();
    Offsets out;
    out.reserve(pairs.size());
    for (const RingBlock& pair : pairs) out.push_back((pair.source * torus_.num_nodes_ + pair.target) * unit);
    return out;
  }

  [[nodiscard]] Senders senders_of(const Track& track, size_t p) const {
    Senders out{track.dimension, torus_.moves(track, p), Offsets(torus_.line(track.dimension), kNoWorm), {}};
    for (const RingWorm& worm : out.moves.phase(0)) {
      QUADRILLE_CHECK(out.worm_from[worm.from] == kNoWorm, "two worms from one node");
      out.worm_from[worm.from] = static_cast<uint32_t>(out.pairs.size());
      out.pairs.push_back(offsets_of(track.dimension, out.moves.blocks(worm)));
    }
    return out;
  }

  void emit_phase(const Stage& stage, const std::vector<std::vector<size_t>>& states, size_t p) {
    std::vector<std::optional<Senders>> senders(torus_.tracks_.size());
    for (const std::optional<size_t>& at : stage.track_of_group) {
      if (!at || senders[*at] || p >= torus_.tracks_[*at].num_phases()) continue;
      senders[*at] = senders_of(torus_.tracks_[*at], p);
    }
    for (uint32_t v = 0; v < torus_.num_nodes_; ++v) {
      uint32_t sum = 0;
      for (size_t k = 0; k < coordinates_.size(); ++k) {
        coordinates_[k] = v / torus_.shape_.strides[k] % torus_.shape_.sides[k];
        sum += coordinates_[k];
      }
      const uint32_t group = sum % torus_.groups_;
      const std::optional<size_t>& at = stage.track_of_group[group];
      if (!at || !senders[*at]) continue;
      const Senders& from = *senders[*at];
      const uint32_t w = from.worm_from[coordinates_[from.dimension]];
      if (w != kNoWorm) emit_worm(v, from.moves.phase(0)[w], from.dimension, from.pairs[w], states[group]);
    }
    step_.flush(sink_);
  }

  void emit_worm(uint32_t v, const RingWorm& worm, size_t dimension, const Offsets& moving,
                 const std::vector<size_t>& states) {
    blocks_.resize(problem_.collective().pieces());
    for (uint32_t piece = 0; piece < blocks_.size(); ++piece) blocks_[piece] = BlockId{piece};
    for (size_t k = coordinates_.size(); k-- > 0;) {
      multiply(k == dimension ? moving : offsets_[k][states[k]][coordinates_[k]]);
    }
    const CayleyStructure& cayley = *problem_.topology().cayley();
    const uint32_t side = torus_.line(dimension);
    const uint32_t generator = worm.up ? torus_.shape_.up[dimension] : torus_.shape_.down[dimension];
    const uint32_t hops = (worm.up ? worm.to + side - worm.from : worm.from + side - worm.to) % side;
    path_.clear();
    NodeId at{v};
    for (uint32_t i = 0; i < hops; ++i) {
      path_.push_back(cayley.arc(at, generator));
      at = problem_.topology().head(path_.back());
    }
    step_.add(path_, blocks_);
  }

  void multiply(const Offsets& offsets) {
    others_.resize(offsets.size() * blocks_.size());
    auto out = others_.begin();
    for (const uint32_t add : offsets) {
      for (const BlockId block : blocks_) *out++ = BlockId{static_cast<uint32_t>(index(block)) + add};
    }
    blocks_.swap(others_);
  }

  const WormTorus& torus_;
  const Problem& problem_;
  StepSink& sink_;
  std::vector<std::vector<std::vector<Offsets>>> offsets_;  // by dimension, state, coordinate
  StepBuilder step_;
  std::vector<uint32_t> coordinates_;
  std::vector<ArcId> path_;
  std::vector<BlockId> blocks_;
  std::vector<BlockId> others_;
};

void WormTorus::generate(const Problem& problem, StepSink& sink) const {
  Emitter(*this, problem, sink).emit();
}

}  // namespace quadrille
