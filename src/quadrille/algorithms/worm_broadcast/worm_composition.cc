#include "quadrille/algorithms/worm_broadcast/worm_composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// One dimension cut into blocks: where the place `residue` of block `block` is, for any whole numbers, as if
// the circle were unrolled.
class Blocks {
 public:
  Blocks(int64_t nodes, int64_t blocks, int64_t width, const std::vector<uint32_t>& quiet)
      : nodes_(nodes), blocks_(blocks), width_(width) {
    const int64_t missing = blocks * width - nodes;
    int64_t next = 0;
    for (int64_t i = 0; i < blocks; ++i) {
      // Evenly spread, so that no hop over half of the blocks is longer than half of the circle.
      const int64_t drop = (i + 1) * missing / blocks - i * missing / blocks;
      for (int64_t r = 0; r < width; ++r) {
        bool dropped = false;
        for (int64_t j = 0; j < drop; ++j) dropped = dropped || quiet[static_cast<size_t>(j)] == r;
        there_.push_back(!dropped);
        at_.push_back(next);
        if (!dropped) ++next;
      }
    }
    QUADRILLE_CHECK(next == nodes, fmt::format("{} of {}", next, nodes));
  }

  [[nodiscard]] bool exists(int64_t number) const { return there_[static_cast<size_t>(wrapped(number))]; }
  /// Only for places that exist.
  [[nodiscard]] int64_t position(int64_t number) const {
    const int64_t all = blocks_ * width_;
    const int64_t inside = wrapped(number);
    return (number - inside) / all * nodes_ + at_[static_cast<size_t>(inside)];
  }
  [[nodiscard]] int64_t width() const { return width_; }

 private:
  [[nodiscard]] int64_t wrapped(int64_t number) const {
    const int64_t all = blocks_ * width_;
    return (number % all + all) % all;
  }

  int64_t nodes_;
  int64_t blocks_;
  int64_t width_;
  std::vector<bool> there_;
  std::vector<int64_t> at_;
};

// A worm between two numbers in each dimension; nothing if one of its ends is left out.
void add(const GridShape& torus, const std::vector<Blocks>& blocks, const std::vector<int64_t>& from,
         const std::vector<int64_t>& to, WormStep& step) {
  std::vector<int64_t> source(from.size());
  std::vector<int32_t> hops(from.size());
  for (size_t d = 0; d < from.size(); ++d) {
    if (!blocks[d].exists(to[d])) return;
    QUADRILLE_CHECK(blocks[d].exists(from[d]), "a quiet place sends");
    source[d] = blocks[d].position(from[d]);
    hops[d] = static_cast<int32_t>(blocks[d].position(to[d]) - source[d]);
  }
  step.add(torus.place(source), hops);
}

// One step, from place 0.
WormPattern one_step(GridShape shape, const std::vector<std::vector<int32_t>>& worms, bool paired) {
  WormStep step(shape.dimensions());
  for (const std::vector<int32_t>& hops : worms) step.add(0, hops);
  WormPlan plan{std::move(step)};
  std::vector<std::vector<uint32_t>> quiet = quiet_coordinates(shape, plan);
  return {std::move(shape), 1, paired, std::move(quiet), [plan = std::move(plan)] { return plan; }};
}

}  // namespace

WormPattern pattern_of(const StoredBroadcast& entry) {
  return {entry.shape(), entry.steps(), entry.paired(), entry.quiet(), [&entry] { return entry.plan(); }};
}

std::vector<WormPattern> one_step_patterns(size_t dimensions, uint32_t sends) {
  std::vector<WormPattern> out;
  const GridShape point{std::vector<uint32_t>(dimensions, 1), std::vector<bool>(dimensions, true)};
  const auto hops = [&](size_t d, int32_t by, size_t e = 0, int32_t by_e = 0) {
    std::vector<int32_t> worm(dimensions, 0);
    worm[e] += by_e;
    worm[d] += by;
    return worm;
  };
  if (sends >= 3) {
    for (size_t d = 0; d < dimensions; ++d) {
      for (size_t e = d + 1; e < dimensions; ++e) {
        GridShape shape = point;
        shape.sides[d] = shape.sides[e] = 2;
        out.push_back(one_step(shape, {hops(d, 1), hops(e, 1), hops(d, -1, e, 1)}, true));
      }
    }
  }
  for (const uint32_t side : {3U, 2U}) {
    if (sends + 1 < side) continue;
    for (size_t d = 0; d < dimensions; ++d) {
      GridShape shape = point;
      shape.sides[d] = side;
      std::vector<std::vector<int32_t>> worms{hops(d, 1)};
      if (side == 3) worms.push_back(hops(d, -1));
      out.push_back(one_step(std::move(shape), worms, false));
    }
  }
  return out;
}

std::optional<std::vector<uint32_t>> blocks_of(const GridShape& torus, const WormPattern& inner,
                                               bool paired) {
  if (torus.dimensions() != inner.shape.dimensions() || !torus.all_circular()) return std::nullopt;
  std::vector<uint32_t> out;
  uint64_t all = 1;
  for (size_t d = 0; d < torus.dimensions(); ++d) {
    const uint32_t n = torus.sides[d];
    const uint32_t b = inner.shape.sides[d];
    const uint32_t a = (n + b - 1) / b;
    if (n < uint64_t{a} * (b - inner.quiet[d].size())) return std::nullopt;
    // The two links of a pair must not be one.
    if (inner.paired && b == 2 && n < (paired ? 2 : 3)) return std::nullopt;
    out.push_back(a);
    all *= a;
  }
  if (all == 1 || out == torus.sides) return std::nullopt;
  return out;
}

WormPlan compose(const GridShape& torus, const WormPlan& outer, const WormPattern& inner) {
  const std::vector<uint32_t> counts = *blocks_of(torus, inner, true);
  const size_t k = torus.dimensions();
  std::vector<Blocks> blocks;
  for (size_t d = 0; d < k; ++d)
    blocks.emplace_back(torus.sides[d], counts[d], inner.shape.sides[d], inner.quiet[d]);
  const GridShape coarse{counts, std::vector<bool>(k, true)};
  const auto num_blocks = static_cast<uint32_t>(coarse.num_places());
  WormPlan plan;
  std::vector<int64_t> from(k);
  std::vector<int64_t> to(k);
  for (const WormStep& worms : outer) {
    WormStep step(k);
    for (size_t w = 0; w < worms.size(); ++w) {
      const std::vector<uint32_t> block = coarse.coordinates(worms.source(w));
      for (size_t d = 0; d < k; ++d) {
        from[d] = block[d] * blocks[d].width();
        to[d] = from[d] + worms.hops(w)[d] * blocks[d].width();
      }
      add(torus, blocks, from, to, step);
    }
    plan.push_back(std::move(step));
  }
  for (const WormStep& worms : inner.plan()) {
    WormStep step(k);
    for (uint32_t b = 0; b < num_blocks; ++b) {
      const std::vector<uint32_t> block = coarse.coordinates(b);
      for (size_t w = 0; w < worms.size(); ++w) {
        const std::vector<uint32_t> residue = inner.shape.coordinates(worms.source(w));
        for (size_t d = 0; d < k; ++d) {
          from[d] = block[d] * blocks[d].width() + residue[d];
          to[d] = from[d] + worms.hops(w)[d];
        }
        add(torus, blocks, from, to, step);
      }
    }
    plan.push_back(std::move(step));
  }
  return without_repeats(torus, 0, plan);
}

std::pair<GridShape, GridShape> split_at(const GridShape& shape, size_t cut) {
  const auto at = static_cast<std::ptrdiff_t>(cut);
  return {
      {{shape.sides.begin(), shape.sides.begin() + at},
       {shape.circular.begin(), shape.circular.begin() + at}},
      {{shape.sides.begin() + at, shape.sides.end()}, {shape.circular.begin() + at, shape.circular.end()}}};
}

WormPlan one_after_another(const GridShape& shape, size_t cut, const WormPlan& first, const WormPlan& second,
                           const std::vector<uint32_t>& position_in_second) {
  const auto [a, b] = split_at(shape, cut);
  const auto width = static_cast<uint32_t>(b.num_places());
  const uint32_t start = b.place(std::vector<int64_t>(position_in_second.begin(), position_in_second.end()));
  WormPlan plan;
  std::vector<int32_t> hops(shape.dimensions(), 0);
  for (const WormStep& worms : first) {
    WormStep& step = plan.emplace_back(shape.dimensions());
    for (size_t w = 0; w < worms.size(); ++w) {
      std::copy(worms.hops(w).begin(), worms.hops(w).end(), hops.begin());
      step.add(worms.source(w) * width + start, hops);
    }
  }
  std::fill(hops.begin(), hops.end(), 0);
  for (const WormStep& worms : second) {
    WormStep& step = plan.emplace_back(shape.dimensions());
    for (size_t w = 0; w < worms.size(); ++w) {
      std::copy(worms.hops(w).begin(), worms.hops(w).end(), hops.begin() + static_cast<std::ptrdiff_t>(cut));
      for (uint32_t copy = 0; copy < a.num_places(); ++copy) step.add(copy * width + worms.source(w), hops);
    }
  }
  return plan;
}

}  // namespace quadrille
