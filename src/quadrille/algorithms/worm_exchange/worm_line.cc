#include "quadrille/algorithms/worm_exchange/worm_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_exchange/found_worms.h"
#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// The half of the blocks that go up. It is written twice, as it is and in the mirror, and the mirror image of
// a line of even length n takes its even nodes to the odd ones.
class UpwardHalf {
 public:
  UpwardHalf(uint32_t given, uint32_t level)
      : given_(given), n_(given + given % 2), level_(level), held_(n_), arriving_(n_) {
    for (uint32_t s = 0; s < n_; ++s) {
      for (uint32_t t = s + 1; t < n_; ++t) held_[s].push_back({s, t});
    }
  }

  LineSchedule run() {
    out_.length = given_;
    gather_into_even();
    for (uint32_t l = 1; l < level_; ++l) gather(l);
    if (n_ > 2) rotate();
    for (uint32_t l = level_; l-- > 1;) scatter(l);
    scatter_from_even();
    for (const std::vector<LineBlock>& held : held_) {
      QUADRILLE_CHECK(held.empty(), fmt::format("a line of {}, level {}", given_, level_));
    }
    return std::move(out_);
  }

 private:
  void gather_into_even() {
    if (n_ == 2) return;
    for (uint32_t v = 1; v + 1 < n_; v += 2) send(v, v + 1, [](uint32_t) { return true; });
    end_phase();
  }

  // Everything within [v, v + 2 * arc) is reached from v on the way back.
  void gather(uint32_t l) {
    const uint32_t arc = 1U << l;
    for (uint32_t v = 0; v + arc < n_; v += arc) {
      if (v % (2 * arc) != 0) {
        send(v, v + arc, [&](uint32_t t) { return t >= v + 2 * arc; });
      } else {
        send(v, v + arc, [&](uint32_t t) { return t >= v + arc && (t < v + 3 * arc || v + 2 * arc >= n_); });
      }
    }
    end_phase();
  }

  void rotate() {
    const uint32_t arc = 1U << level_;
    const uint32_t nodes = (n_ + arc - 1) / arc;
    for (uint32_t h = 1; h < nodes; h *= 2) {
      for (uint32_t first = 0; first < std::min(h, nodes - h); ++first) {
        for (uint32_t j = first; j + h < nodes; j += h) {
          send(j * arc, (j + h) * arc, [&](uint32_t t) { return ((t / arc - j) & h) != 0; });
        }
        end_phase();
      }
    }
  }

  void scatter(uint32_t l) {
    const uint32_t arc = 1U << l;
    for (uint32_t v = 0; v + arc < n_; v += arc) {
      send(v, v + arc, [&](uint32_t t) { return t >= v + arc; });
    }
    end_phase();
  }

  void scatter_from_even() {
    for (uint32_t v = 0; v + 1 < n_; v += 2) send(v, v + 1, [&](uint32_t t) { return t == v + 1; });
    end_phase();
  }

  template <typename Accepts>
  void send(uint32_t from, uint32_t to, Accepts accepts) {
    std::vector<LineBlock>& held = held_[from];
    const auto stay = std::stable_partition(held.begin(), held.end(),
                                            [&](const LineBlock& block) { return !accepts(block.target); });
    sent_.assign(stay, held.end());
    held.erase(stay, held.end());
    for (const LineBlock& block : sent_) {
      if (block.target != to) arriving_[to].push_back(block);
    }
    write(from, to, [](uint32_t v) { return v; });
    write(from, to, [this](uint32_t v) { return n_ - 1 - v; });
  }

  // The last node of an odd line is not there: neither are its worms and blocks.
  template <typename Place>
  void write(uint32_t from, uint32_t to, Place place) {
    if (place(from) >= given_ || place(to) >= given_) return;
    LineWorm worm{place(from), place(to), {}};
    for (const LineBlock& block : sent_) {
      if (place(block.source) >= given_ || place(block.target) >= given_) continue;
      worm.blocks.push_back({place(block.source), place(block.target)});
    }
    if (!worm.blocks.empty()) phase_.push_back(std::move(worm));
  }

  void end_phase() {
    for (uint32_t v = 0; v < n_; ++v) {
      held_[v].insert(held_[v].end(), arriving_[v].begin(), arriving_[v].end());
      arriving_[v].clear();
    }
    if (!phase_.empty()) out_.phases.push_back(std::move(phase_));
    phase_.clear();
  }

  uint32_t given_;
  uint32_t n_;
  uint32_t level_;
  LineSchedule out_;
  std::vector<LineWorm> phase_;
  std::vector<std::vector<LineBlock>> held_;
  std::vector<std::vector<LineBlock>> arriving_;
  std::vector<LineBlock> sent_;
};

}  // namespace

uint32_t highest_line_level(uint32_t length) {
  return length <= 2 ? 0 : static_cast<uint32_t>(std::bit_width(length - 1)) - 1;
}

uint64_t LineSchedule::largest(size_t phase) const {
  uint64_t most = 0;
  if (phase >= phases.size()) return most;
  for (const LineWorm& worm : phases[phase]) most = std::max<uint64_t>(most, worm.blocks.size());
  return most;
}

uint64_t LineSchedule::longest(size_t phase) const {
  uint64_t most = 0;
  if (phase >= phases.size()) return most;
  for (const LineWorm& worm : phases[phase])
    most = std::max<uint64_t>(most, std::max(worm.from, worm.to) - std::min(worm.from, worm.to));
  return most;
}

uint64_t LineSchedule::blocks() const {
  uint64_t sum = 0;
  for (size_t p = 0; p < phases.size(); ++p) sum += largest(p);
  return sum;
}

LineSchedule line_schedule(uint32_t length, uint32_t level) {
  QUADRILLE_CHECK(length >= 1 && length <= kLongestWormLine, fmt::format("a line of {}", length));
  if (length == 1) return {};
  return UpwardHalf(length, length == 2 ? 1 : level).run();
}

std::string LineRecipe::name() const {
  return found > 0 ? fmt::format("found{}", found) : fmt::format("rotation-level{}", level);
}

std::vector<LineRecipe> line_recipes(uint32_t length) {
  std::vector<LineRecipe> out;
  for (uint32_t level = 1; level <= std::max(1U, highest_line_level(length)); ++level)
    out.push_back({.level = level});
  for (const FoundCost& found : found_line_costs(length)) out.push_back({.found = found.start_ups});
  return out;
}

LineSchedule line_schedule(uint32_t length, const LineRecipe& recipe) {
  if (recipe.found == 0) return line_schedule(length, recipe.level);
  LineSchedule out;
  out.length = length;
  for (const std::vector<FoundWorm>& phase : found_line(length, recipe.found).phases) {
    std::vector<LineWorm>& worms = out.phases.emplace_back();
    for (const FoundWorm& worm : phase) {
      LineWorm& line_worm = worms.emplace_back(LineWorm{worm.from, worm.to, {}});
      for (const FoundBlock& block : worm.blocks) line_worm.blocks.push_back({block.source, block.target});
    }
  }
  return out;
}

}  // namespace quadrille
