#include "quadrille/algorithms/worm_broadcast/worm_spread.h"

#include <optional>

#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// What the second copies are for: a second diagonal, or the other half of the lines in this dimension.
struct Mode {
  std::optional<size_t> halved{};
  uint32_t spread_steps = 0;
  uint32_t expand_steps = 0;

  [[nodiscard]] uint32_t steps() const { return spread_steps + 1 + expand_steps; }
};

class Spreading {
 public:
  explicit Spreading(const GridShape& shape)
      : shape_(shape),
        k_(shape.dimensions()),
        n_(shape.sides.front()),
        across_{{shape.sides.begin() + 1, shape.sides.end()}, std::vector<bool>(k_ - 1, true)},
        blocks_(across_, 2) {
    for (uint32_t steps = 1; !find_mode(steps);) ++steps;
  }

  [[nodiscard]] uint32_t steps() const { return mode_.steps(); }

  [[nodiscard]] WormPlan plan() {
    WormPlan plan;
    std::vector<int64_t> copy(across_.num_places(), 0);  // x_1 of the copy on each line
    std::vector<uint32_t> informed{0};
    spread(plan, copy, informed);
    plan.push_back(align(copy, informed));
    expand(plan);
    return without_repeats(shape_, 0, plan);
  }

 private:
  // Half of the lines are tried first: that they cannot be reached is seen sooner.
  bool find_mode(uint32_t steps) {
    const auto base = static_cast<uint32_t>(2 * k_ + 1);
    const auto side = static_cast<uint64_t>(n_);
    const auto fits = [&](std::optional<size_t> halved, uint32_t expand_steps) {
      if (steps < 1 + expand_steps || !blocks_.serves(lines(halved), steps - 1 - expand_steps)) return false;
      mode_ = {halved, steps - 1 - expand_steps, expand_steps};
      return true;
    };
    for (size_t l = 1; l < k_; ++l) {
      if (fits(l, steps_to_reach(base, side))) return true;
    }
    return fits(std::nullopt, steps_to_reach(base, (side + 1) / 2));
  }

  // The lines that spread has to reach.
  [[nodiscard]] BoxAround lines(std::optional<size_t> halved) const {
    BoxAround box = blocks_.whole(std::vector<uint32_t>(k_ - 1, 0));
    if (halved) {
      const auto h = static_cast<int32_t>((n_ + 1) / 2);
      box.below[*halved - 1] = (h - 1) / 2;
      box.above[*halved - 1] = h - 1 - (h - 1) / 2;
    }
    return box;
  }

  [[nodiscard]] int64_t up_to(int64_t from, int64_t to) const { return ((to - from) % n_ + n_) % n_; }

  [[nodiscard]] uint32_t place(int64_t first, const std::vector<int64_t>& others) const {
    std::vector<int64_t> at{first};
    at.insert(at.end(), others.begin(), others.end());
    return shape_.place(at);
  }

  void spread(WormPlan& plan, std::vector<int64_t>& copy, std::vector<uint32_t>& informed) {
    const std::vector<int64_t> origin(k_ - 1, 0);
    for (const std::vector<WormBlocks::Send>& sends : blocks_.sends(lines(mode_.halved), origin)) {
      WormStep step(k_);
      for (const WormBlocks::Send& send : sends) {
        const uint32_t line = across_.place(send.from);
        const int32_t aside = send.free_port == 0 ? 0 : send.free_port == 1 ? 1 : -1;
        std::vector<int32_t> hops{aside};
        hops.insert(hops.end(), send.hops.begin(), send.hops.end());
        step.add(place(copy[line], send.from), hops);
        const uint32_t to = across_.moved(line, send.hops);
        copy[to] = copy[line] + aside;
        informed.push_back(to);
      }
      plan.push_back(std::move(step));
    }
  }

  [[nodiscard]] WormStep align(const std::vector<int64_t>& copy,
                               const std::vector<uint32_t>& informed) const {
    WormStep step(k_);
    for (const uint32_t line : informed) {
      const std::vector<uint32_t> x = across_.coordinates(line);
      const std::vector<int64_t> others(x.begin(), x.end());
      int64_t sum = 0;
      for (const int64_t each : others) sum += each;
      const int64_t jump = mode_.halved ? (n_ + 1) / 2 : n_ / 2;
      // Where both are elsewhere, the nearer one upwards is reached upwards and the other downwards, both the
      // short way.
      const int64_t up = up_to(copy[line], sum);
      const int64_t up_second = up_to(copy[line], sum + jump);
      const auto along = [this](int64_t distance, int64_t other) {
        const bool upwards = other == 0 ? 2 * distance <= n_ : distance < other;
        return upwards ? distance : distance - n_;
      };
      const uint32_t from = place(copy[line], others);
      std::vector<int64_t> hops(k_, 0);
      if (up != 0) {
        hops[0] = along(up, up_second);
        step.add(from, narrow(hops));
      }
      hops[0] = up_second == 0 ? 0 : along(up_second, up);
      if (mode_.halved) hops[*mode_.halved] = 2 * jump > n_ ? jump - n_ : jump;
      if (hops != std::vector<int64_t>(k_, 0)) step.add(from, narrow(hops));
    }
    return step;
  }

  void expand(WormPlan& plan) const {
    const int64_t half = n_ / 2;
    std::vector<Strip> strips{{0, -((n_ - 1) / 2), n_ / 2}};
    if (!mode_.halved) {
      const int64_t between = (half - 1) / 2;
      const int64_t beyond = (n_ - half - 1) / 2;
      strips = {{0, -(n_ - half - 1 - beyond), between}, {half, between + 1, half + beyond}};
    }
    for (const std::vector<StripSend>& sends :
         ring_strips(static_cast<uint32_t>(k_), strips, mode_.expand_steps)) {
      WormStep step(k_);
      for (const StripSend& send : sends) {
        std::vector<int32_t> hops(k_, 0);
        const auto d = static_cast<int32_t>(send.to - send.from);
        hops[send.rank - 1] = send.rank == 1 ? d : -d;
        for (uint32_t line = 0; line < across_.num_places(); ++line) {
          const std::vector<uint32_t> x = across_.coordinates(line);
          int64_t first = send.from;
          for (const uint32_t each : x) first += each;
          step.add(place(first, {x.begin(), x.end()}), hops);
        }
      }
      plan.push_back(std::move(step));
    }
  }

  [[nodiscard]] static std::vector<int32_t> narrow(const std::vector<int64_t>& wide) {
    return {wide.begin(), wide.end()};
  }

  const GridShape& shape_;
  size_t k_;
  int64_t n_;
  GridShape across_;  // dimensions 2..k
  WormBlocks blocks_;
  Mode mode_;
};

}  // namespace

bool can_spread(const GridShape& shape) {
  return shape.is_square_torus() && shape.dimensions() >= 2 && shape.sides.front() >= 3;
}

WormPlan worm_spread(const GridShape& square_torus) {
  count_work(Work::kSearching);
  QUADRILLE_CHECK(can_spread(square_torus), square_torus.text());
  return Spreading(square_torus).plan();
}

uint32_t worm_spread_steps(const GridShape& square_torus) { return Spreading(square_torus).steps(); }

}  // namespace quadrille
