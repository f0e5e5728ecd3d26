#include "quadrille/algorithms/worm_exchange/worm_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/worm_exchange/found_worms.h"
#include "quadrille/base/check.h"
#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// --- levels ---------------------------------------------------------------------------------------------

using Levels = std::vector<std::vector<uint32_t>>;  // levels[l] is V_l, ascending; levels[0] is not used

// Multiples of 2^l below m: the last arc leads over the end of the ring.
Levels wrapped_levels(uint32_t m) {
  const uint32_t d = std::max<uint32_t>(3, static_cast<uint32_t>(std::bit_width(m - 1)));
  Levels out(1);
  for (uint32_t l = 1; l <= d - 2; ++l) {
    std::vector<uint32_t> level;
    for (uint32_t v = 0; v < m; v += 1U << l) level.push_back(v);
    out.push_back(std::move(level));
  }
  return out;
}

// `sparsest` nodes in the last set, twice as many in each one before, spread evenly over the even nodes.
Levels even_levels(uint32_t m, uint32_t sparsest) {
  const uint32_t all = m / 2;
  std::vector<uint32_t> sizes{all};
  if (sparsest < all) {
    uint32_t size = sparsest;
    while (2 * size < all) size *= 2;
    for (; size >= sparsest; size /= 2) sizes.push_back(size);
  }
  Levels out(1);
  for (const uint32_t size : sizes) {
    std::vector<uint32_t> level;
    for (uint32_t j = 0; j < size; ++j) level.push_back(2 * (j * all / size));
    out.push_back(std::move(level));
  }
  return out;
}

// --- one direction --------------------------------------------------------------------------------------

// The blocks that go one way round, in coordinates in which that way is up. Going down is going up in a
// mirror.
class HalfRing {
 public:
  HalfRing(uint32_t n, bool mirrored) : n_(n), mirrored_(mirrored), held_(n), arriving_(n) {}

  [[nodiscard]] uint32_t distance(uint32_t from, uint32_t to) const {
    return to >= from ? to - from : to + n_ - from;
  }
  void start(uint32_t source, uint32_t target) { held_[source].push_back({source, target}); }

  // One worm, of the blocks at `from` whose distance to go the predicate accepts.
  template <typename Accepts>
  void send(RingSchedule& out, uint32_t from, uint32_t to, Accepts accepts) {
    out.add_worm(outside(from), outside(to), !mirrored_);
    std::vector<Block>& held = held_[from];
    size_t kept = 0;
    for (const Block& block : held) {
      if (accepts(distance(from, block.target))) {
        out.add_block(
            {static_cast<uint16_t>(outside(block.source)), static_cast<uint16_t>(outside(block.target))});
        if (block.target != to) arriving_[to].push_back(block);
      } else {
        held[kept++] = block;
      }
    }
    held.resize(kept);
  }
  void end_phase() {
    for (uint32_t v = 0; v < n_; ++v) {
      held_[v].insert(held_[v].end(), arriving_[v].begin(), arriving_[v].end());
      arriving_[v].clear();
    }
  }
  [[nodiscard]] bool done() const {
    return std::all_of(held_.begin(), held_.end(), [](const auto& held) { return held.empty(); });
  }

 private:
  struct Block {
    uint32_t source;
    uint32_t target;
  };

  // Even rings: x -> 1-x; odd ones: x -> n-2-x, which keeps the extra node n-1.
  [[nodiscard]] uint32_t outside(uint32_t v) const {
    if (!mirrored_) return v;
    return n_ % 2 == 0 ? (n_ + 1 - v) % n_ : (2 * n_ - 2 - v) % n_;
  }

  uint32_t n_;
  bool mirrored_;
  std::vector<std::vector<Block>> held_;
  std::vector<std::vector<Block>> arriving_;
};

// --- both directions ------------------------------------------------------------------------------------

class TreeExchange {
 public:
  TreeExchange(uint32_t n, const RingRecipe& recipe, bool keeps_blocks)
      : n_(n), m_(n - n % 2), recipe_(recipe), out_(n, keeps_blocks), up_(n, false), down_(n, true) {
    const bool even = recipe.evenly > 0;
    levels_ = even ? even_levels(m_, recipe.evenly) : wrapped_levels(m_);
    top_ = levels_.size() - 1;
    rotating_ = recipe.form == RingForm::kRotation;
    if (rotating_ && !even) top_ = std::clamp<size_t>(recipe.level, 1, top_);
    start();
  }

  RingSchedule run() {
    if (n_ % 2 == 0) {
      gather_even();
    } else {
      gather_odd();
    }
    for (size_t l = 1; l < top_; ++l) gather(l);
    if (rotating_) {
      rotate();
    } else {
      gather(top_);
      scatter(top_);
    }
    for (size_t l = top_ - 1; l >= 1; --l) scatter(l);
    if (n_ % 2 == 0) {
      scatter_even();
    } else {
      scatter_odd();
    }
    QUADRILLE_CHECK(up_.done() && down_.done(), fmt::format("a ring of {}, {}", n_, recipe_.name()));
    return std::move(out_);
  }

 private:
  void start() {
    for (uint32_t s = 0; s < n_; ++s) {
      for (uint32_t x = 1; x < n_; ++x) {
        const bool opposite = 2 * x == n_;
        const bool goes_up = opposite ? recipe_.published || s % 2 == 1 : 2 * x < n_;
        if (goes_up) {
          up_.start(s, (s + x) % n_);
        } else {
          down_.start(mirror(s), mirror((s + x) % n_));
        }
      }
    }
  }
  [[nodiscard]] uint32_t mirror(uint32_t v) const {
    return n_ % 2 == 0 ? (n_ + 1 - v) % n_ : (2 * n_ - 2 - v) % n_;
  }
  void end_phase() {
    up_.end_phase();
    down_.end_phase();
    out_.end_phase();
  }
  template <typename Work>
  void both(Work work) {
    work(up_);
    work(down_);
    end_phase();
  }

  void gather_even() {
    both([this](HalfRing& half) {
      for (uint32_t v = 1; v < n_; v += 2) half.send(out_, v, (v + 1) % n_, [](uint32_t) { return true; });
    });
  }
  void scatter_even() {
    both([this](HalfRing& half) {
      for (uint32_t v = 0; v < n_; v += 2) half.send(out_, v, v + 1, [](uint32_t x) { return x == 1; });
    });
  }

  // The extra node x = n-1 lies between n-2 and 0. In the mirror 0 is n-2 and n-2 is 0.
  void gather_odd() {
    const uint32_t extra = n_ - 1;
    const auto all = [](uint32_t) { return true; };
    const auto one = [](uint32_t x) { return x == 1; };
    const auto far = [](uint32_t x) { return x > 1; };
    // The ordinary pairs swap; upwards the extra node feeds 0, downwards 0 feeds n-2.
    for (HalfRing* half : {&up_, &down_}) {
      for (uint32_t v = 1; v + 4 <= n_; v += 2) half->send(out_, v, v + 1, all);
    }
    up_.send(out_, extra, 0, all);
    down_.send(out_, n_ - 2, 0, far);
    up_.send(out_, n_ - 2, extra, one);
    end_phase();
    up_.send(out_, n_ - 2, 0, all);
    down_.send(out_, extra, 0, all);
    down_.send(out_, n_ - 2, extra, one);
    end_phase();
  }
  void scatter_odd() {
    const auto one = [](uint32_t x) { return x == 1; };
    const auto two = [](uint32_t x) { return x == 2; };
    for (uint32_t v = 0; v + 5 <= n_; v += 2) {
      up_.send(out_, v, v + 1, one);
      down_.send(out_, v, v + 1, one);
    }
    up_.send(out_, n_ - 3, n_ - 2, one);
    down_.send(out_, n_ - 3, n_ - 1, two);
    end_phase();
    up_.send(out_, n_ - 3, n_ - 1, two);
    down_.send(out_, n_ - 3, n_ - 2, one);
    end_phase();
  }

  [[nodiscard]] uint32_t arc(size_t l, size_t j) const {
    const std::vector<uint32_t>& level = levels_[l];
    return up_.distance(level[j % level.size()], level[(j + 1) % level.size()]);
  }
  [[nodiscard]] bool sparser(size_t l, size_t j) const {
    const std::vector<uint32_t>& level = levels_[l];
    return std::binary_search(levels_[l + 1].begin(), levels_[l + 1].end(), level[j % level.size()]);
  }

  void gather(size_t l) {
    const std::vector<uint32_t>& level = levels_[l];
    const bool to_top = l + 1 == levels_.size();
    both([&](HalfRing& half) {
      for (size_t j = 0; j < level.size(); ++j) {
        const uint32_t next = level[(j + 1) % level.size()];
        uint32_t least = arc(l, j);
        uint32_t most = n_;
        if (to_top || (sparser(l, j) && sparser(l, j + 1))) {
          if (!to_top && recipe_.lazy) continue;
        } else if (sparser(l, j)) {
          most = least + arc(l, j + 1) + arc(l, j + 2) - 1;
        } else {
          least += arc(l, j + 1);
        }
        half.send(out_, level[j], next, [=](uint32_t x) { return least <= x && x <= most; });
      }
    });
  }
  void scatter(size_t l) {
    const std::vector<uint32_t>& level = levels_[l];
    both([&](HalfRing& half) {
      for (size_t j = 0; j < level.size(); ++j) {
        const uint32_t least = arc(l, j);
        half.send(out_, level[j], level[(j + 1) % level.size()], [=](uint32_t x) { return x >= least; });
      }
    });
  }

  // Whole arcs of the top level within a distance, starting at its j-th node.
  [[nodiscard]] std::vector<uint32_t> arcs_within(size_t j) const {
    const size_t size = levels_[top_].size();
    std::vector<uint32_t> out(n_, 0);
    uint32_t reached = 0;
    uint32_t arcs = 0;
    for (uint32_t x = 0; x < n_; ++x) {
      while (arcs < size && x >= reached + arc(top_, j + arcs)) {
        reached += arc(top_, j + arcs);
        ++arcs;
      }
      out[x] = arcs;
    }
    return out;
  }

  void rotate() {
    const std::vector<uint32_t>& level = levels_[top_];
    const size_t size = level.size();
    std::vector<std::vector<uint32_t>> arcs;
    uint32_t most = 0;
    for (size_t j = 0; j < size; ++j) {
      arcs.push_back(arcs_within(j));
      most = std::max(most, arcs.back()[n_ / 2]);
    }
    for (uint32_t h = 1; h <= most; h *= 2) {
      // As many worms of h arcs as fit side by side, then the next ones.
      const size_t side_by_side = std::max<size_t>(1, size / h);
      std::vector<bool> sent(size, false);
      for (size_t first = 0, left = size; left > 0; ++first) {
        both([&](HalfRing& half) {
          for (size_t i = 0; i < side_by_side; ++i) {
            const size_t j = (first + i * h) % size;
            if (sent[j]) continue;
            half.send(out_, level[j], level[(j + h) % size],
                      [&](uint32_t x) { return (arcs[j][x] & h) != 0; });
          }
        });
        for (size_t i = 0; i < side_by_side; ++i) {
          const size_t j = (first + i * h) % size;
          left -= sent[j] ? 0 : 1;
          sent[j] = true;
        }
      }
    }
  }

  uint32_t n_;
  uint32_t m_;  // n, or n-1 where n is odd
  RingRecipe recipe_;
  RingSchedule out_;
  HalfRing up_;
  HalfRing down_;
  Levels levels_;
  size_t top_;
  bool rotating_;
};

// --- without a tree -------------------------------------------------------------------------------------

// Packs the worms, longest first, into phases without overlap. The order among equals decides a good deal:
// the best of a few is taken.
class DirectExchange {
 public:
  explicit DirectExchange(uint32_t n) : n_(n), up_used_(n), down_used_(n), sends_(n), gets_(n) {
    for (uint32_t x = n / 2; x >= 1; --x) {
      for (const bool up : {true, false}) {
        for (uint32_t s = 0; s < n; ++s) {
          if (2 * x != n || up == (s % 2 == 0)) worms_.push_back({s, x, up});
        }
      }
    }
  }

  RingSchedule run() {
    constexpr uint32_t kTries = 40;
    Rng rng(n_);
    RingSchedule best = pack();
    for (uint32_t i = 0; i < kTries; ++i) {
      rng.shuffle(worms_);
      std::stable_sort(worms_.begin(), worms_.end(),
                       [](const Worm& a, const Worm& b) { return a.distance > b.distance; });
      RingSchedule other = pack();
      if (other.num_phases() < best.num_phases()) best = std::move(other);
    }
    return best;
  }

 private:
  struct Worm {
    uint32_t source;
    uint32_t distance;
    bool up;
  };

  RingSchedule pack() {
    for (auto* used : {&up_used_, &down_used_, &sends_, &gets_}) std::fill(used->begin(), used->end(), 0);
    RingSchedule out(n_);
    std::vector<Worm> waiting = worms_;
    for (uint32_t phase = 1; !waiting.empty(); ++phase) {
      std::erase_if(waiting, [&](const Worm& worm) { return try_send(worm, phase, out); });
      out.end_phase();
    }
    return out;
  }

  bool try_send(const Worm& worm, uint32_t phase, RingSchedule& out) {
    const uint32_t s = worm.source;
    const uint32_t t = (worm.up ? s + worm.distance : s + n_ - worm.distance) % n_;
    if (sends_[s] == phase || gets_[t] == phase) return false;
    std::vector<uint32_t>& used = worm.up ? up_used_ : down_used_;
    const uint32_t first = worm.up ? s : t;
    for (uint32_t i = 0; i < worm.distance; ++i) {
      if (used[(first + i) % n_] == phase) return false;
    }
    for (uint32_t i = 0; i < worm.distance; ++i) used[(first + i) % n_] = phase;
    sends_[s] = gets_[t] = phase;
    out.add_worm(s, t, worm.up);
    out.add_block({static_cast<uint16_t>(s), static_cast<uint16_t>(t)});
    return true;
  }

  uint32_t n_;
  std::vector<Worm> worms_;
  std::vector<uint32_t> up_used_;  // by link, the last phase
  std::vector<uint32_t> down_used_;
  std::vector<uint32_t> sends_;  // by node, the last phase
  std::vector<uint32_t> gets_;
};

RingSchedule found(uint32_t n, uint32_t start_ups) {
  RingSchedule out(n);
  for (const std::vector<FoundWorm>& phase : found_ring(n, start_ups).phases) {
    for (const FoundWorm& worm : phase) {
      out.add_worm(worm.from, worm.to, worm.up);
      for (const FoundBlock& block : worm.blocks)
        out.add_block({static_cast<uint16_t>(block.source), static_cast<uint16_t>(block.target)});
    }
    out.end_phase();
  }
  return out;
}

// In phase p every node passes on what has come p nodes far and is not there yet.
void add_one_way_phase(RingSchedule& out, uint32_t p) {
  const uint32_t n = out.length();
  for (uint32_t v = 0; v < n; ++v) {
    out.add_worm(v, (v + 1) % n, true);
    const uint32_t s = (v + n - p) % n;
    for (uint32_t x = p + 1; x < n; ++x) {
      out.add_block({static_cast<uint16_t>(s), static_cast<uint16_t>((s + x) % n)});
    }
  }
  out.end_phase();
}

RingSchedule one_way(uint32_t n, bool keeps_blocks) {
  RingSchedule out(n, keeps_blocks);
  for (uint32_t p = 0; p + 1 < n; ++p) add_one_way_phase(out, p);
  return out;
}

}  // namespace

std::span<const RingWorm> RingSchedule::phase(size_t p) const {
  const size_t begin = p == 0 ? 0 : phase_ends_[p - 1];
  return std::span(worms_).subspan(begin, phase_ends_[p] - begin);
}

std::span<const RingBlock> RingSchedule::blocks(const RingWorm& worm) const {
  QUADRILLE_CHECK(keeps_blocks_, "a schedule without its blocks");
  return std::span(blocks_).subspan(worm.begin, worm.size());
}

uint32_t RingSchedule::largest(size_t p) const {
  uint32_t out = 0;
  for (const RingWorm& worm : phase(p)) out = std::max(out, worm.size());
  return out;
}

uint32_t RingSchedule::longest(size_t p) const {
  uint32_t out = 0;
  for (const RingWorm& worm : phase(p)) {
    const uint32_t up = (worm.to + length_ - worm.from) % length_;
    out = std::max(out, worm.up ? up : length_ - up);
  }
  return out;
}

WormCost RingSchedule::cost() const {
  WormCost out{num_phases(), 0};
  for (size_t p = 0; p < num_phases(); ++p) out.blocks += largest(p);
  return out;
}

void RingSchedule::add_worm(uint32_t from, uint32_t to, bool up) {
  if (!worms_.empty() && worms_.back().size() == 0) worms_.pop_back();
  worms_.push_back({static_cast<uint16_t>(from), static_cast<uint16_t>(to), up, num_blocks_, num_blocks_});
}

void RingSchedule::add_block(RingBlock block) {
  if (keeps_blocks_) blocks_.push_back(block);
  worms_.back().end = ++num_blocks_;
}

void RingSchedule::end_phase() {
  if (!worms_.empty() && worms_.back().size() == 0) worms_.pop_back();
  const size_t begin = phase_ends_.empty() ? 0 : phase_ends_.back();
  if (worms_.size() > begin) phase_ends_.push_back(worms_.size());
}

std::string RingRecipe::name() const {
  switch (form) {
    case RingForm::kDirect:
      return "direct";
    case RingForm::kOneWay:
      return "one-way";
    case RingForm::kFound:
      return fmt::format("found{}", start_ups);
    case RingForm::kRotation:
      return (evenly > 0 ? fmt::format("rotation-even{}", evenly) : fmt::format("rotation-wrap{}", level)) +
             (lazy ? "-lazy" : "");
    case RingForm::kTree:
      break;
  }
  const std::string kind = published ? "published" : "tree";
  return kind + (evenly > 0 ? fmt::format("-even{}", evenly) : "") + (lazy ? "-lazy" : "");
}

RingSchedule ring_schedule(uint32_t length, const RingRecipe& recipe, bool keeps_blocks) {
  QUADRILLE_CHECK(length >= 1 && length <= kLongestWormRing, fmt::format("length {}", length));
  if (length == 1) return RingSchedule(1, keeps_blocks);
  if (recipe.form == RingForm::kOneWay) return one_way(length, keeps_blocks);
  if (recipe.form == RingForm::kFound) return found(length, recipe.start_ups);
  if (recipe.form == RingForm::kDirect || length < 4 || (length == 4 && recipe.published))
    return DirectExchange(length).run();
  return TreeExchange(length, recipe, keeps_blocks).run();
}

RingPhases::RingPhases(uint32_t length, const RingRecipe& recipe)
    : one_way_(recipe.form == RingForm::kOneWay),
      kept_(one_way_ ? RingSchedule(length) : ring_schedule(length, recipe)) {}

size_t RingPhases::size() const { return one_way_ ? kept_.length() - 1 : kept_.num_phases(); }

RingSchedule RingPhases::one_way_phase(size_t p) const {
  RingSchedule out(kept_.length());
  add_one_way_phase(out, static_cast<uint32_t>(p));
  return out;
}

}  // namespace quadrille
