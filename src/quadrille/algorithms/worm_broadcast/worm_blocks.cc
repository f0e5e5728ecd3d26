#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// Orders of cuts that are tried for one box: many where there are few boxes. With 20 everywhere many tori of
// up to 2,401 places took a step more: 7 x 7, 7^3, 13^3, 7^4, the lines of 8^4 and of 20^3. 200 are enough
// for most of them, 5,000 have given no more; 75 x 75 needs 60.
uint32_t budget_for(const GridShape& shape) {
  constexpr uint64_t kSmallGrid = 2401;
  constexpr uint64_t kLargeGrid = 1 << 16;
  const uint64_t places = shape.num_places();
  if (places <= kSmallGrid) return 1000;
  if (places > kLargeGrid) return 8;
  return shape.dimensions() <= 2 ? 100 : 20;
}

uint64_t volume(const BoxAround& box) {
  uint64_t out = 1;
  for (size_t d = 0; d < box.below.size(); ++d)
    out *= static_cast<uint64_t>(box.below[d]) + static_cast<uint64_t>(box.above[d]) + 1;
  return out;
}

int32_t extent(const BoxAround& box, size_t d) { return box.below[d] + box.above[d] + 1; }

}  // namespace

WormBlocks::WormBlocks(GridShape shape, uint32_t free_ports, uint32_t sends)
    : shape_(std::move(shape)), free_ports_(free_ports), sends_(sends), budget_(budget_for(shape_)) {}

BoxAround WormBlocks::whole(const std::vector<uint32_t>& position) const {
  BoxAround box;
  for (size_t d = 0; d < shape_.dimensions(); ++d) {
    const auto side = static_cast<int32_t>(shape_.sides[d]);
    const int32_t below = shape_.circular[d] ? (side - 1) / 2 : static_cast<int32_t>(position[d]);
    box.below.push_back(below);
    box.above.push_back(side - 1 - below);
  }
  return box;
}

uint64_t WormBlocks::reach(uint32_t steps) const {
  uint64_t ports = free_ports_;
  for (size_t d = 0; d < shape_.dimensions(); ++d) ports += shape_.links(d);
  const uint64_t growth = 1 + std::min<uint64_t>(ports, sends_);
  uint64_t out = 1;
  for (uint32_t s = 0; s < steps && out <= UINT32_MAX; ++s) out *= growth;
  return out;
}

// Whole circles around their middle, and the lesser room below.
WormBlocks::Flipped WormBlocks::canonical(const BoxAround& box) const {
  Flipped out{box, std::vector<bool>(shape_.dimensions(), false)};
  for (size_t d = 0; d < shape_.dimensions(); ++d) {
    const auto side = static_cast<int32_t>(shape_.sides[d]);
    if (shape_.circular[d] && extent(box, d) == side) {
      out.box.below[d] = (side - 1) / 2;
      out.box.above[d] = side / 2;
    } else if (box.below[d] > box.above[d]) {
      out.mirrored[d] = true;
      std::swap(out.box.below[d], out.box.above[d]);
    }
  }
  return out;
}

const WormBlocks::Cuts* WormBlocks::solve(const BoxAround& box, uint32_t steps) {
  if (volume(box) > reach(steps)) return nullptr;
  const BoxAround form = canonical(box).box;
  const std::pair<uint32_t, BoxAround> key(steps, form);
  if (const auto at = known_.find(key); at != known_.end()) return at->second ? &*at->second : nullptr;
  std::optional<Cuts> found;
  if (volume(form) == 1) {
    found.emplace();
  } else if (steps > 0) {
    PortsLeft ports;
    ports.own.assign(shape_.dimensions(), {true, true});
    ports.free = free_ports_;
    ports.sends = sends_;
    Search state{.steps = steps - 1, .budget = budget_};
    if (search(form, ports, state)) found = std::move(state.cuts);
  }
  const auto& kept = known_.emplace(key, std::move(found)).first->second;
  return kept ? &*kept : nullptr;
}

// Cuts slabs off the box until the rest can be served in state.steps.
bool WormBlocks::search(const BoxAround& box, PortsLeft& ports, Search& state) {
  if (solve(box, state.steps) != nullptr) return true;
  uint64_t left = ports.free;
  for (size_t d = 0; d < shape_.dimensions(); ++d) {
    if (ports.own[d][0]) ++left;
    if (ports.own[d][1] && shape_.sides[d] > 2) ++left;
  }
  const uint64_t parts = 1 + std::min<uint64_t>(left, ports.sends);
  if (volume(box) > parts * reach(state.steps) || state.budget == 0) return false;
  --state.budget;
  std::vector<size_t> order(shape_.dimensions());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return extent(box, a) > extent(box, b); });
  for (const size_t d : order) {
    const bool upper_first = box.above[d] >= box.below[d];
    for (const bool upper : {upper_first, !upper_first}) {
      if (cut_off(box, d, upper, ports, state)) return true;
    }
  }
  return false;
}

bool WormBlocks::cut_off(const BoxAround& box, size_t dimension, bool upper, PortsLeft& ports,
                         Search& state) {
  const int32_t room = upper ? box.above[dimension] : box.below[dimension];
  if (room == 0) return false;
  // The highest port that can enter the slab; a free one last.
  std::optional<std::pair<size_t, bool>> port;
  if (ports.own[dimension][upper ? 0 : 1]) port = {dimension, upper};
  for (size_t l = dimension; !port && l-- > 0;) {
    const bool above_first = box.above[l] >= box.below[l];
    for (const bool up : {above_first, !above_first}) {
      if (port || (up ? box.above[l] : box.below[l]) == 0 || !ports.own[l][up ? 0 : 1]) continue;
      port = {l, up};
    }
  }
  if ((!port && ports.free == 0) || ports.sends == 0) return false;
  const uint32_t free_port = port ? 0 : ports.free;
  const auto servable = [&](int32_t thickness) {
    const std::optional<Cut> cut = slab(box, dimension, upper, thickness, port, free_port);
    return cut && solve(box_of(box, *cut), state.steps) != nullptr;
  };
  int32_t good = 0;
  for (int32_t bad = room + 1; bad - good > 1;) {
    const int32_t middle = (good + bad) / 2;
    (servable(middle) ? good : bad) = middle;
  }
  if (good == 0) return false;
  const Cut cut = *slab(box, dimension, upper, good, port, free_port);
  state.cuts.push_back(cut);
  if (port) {
    ports.own[port->first][port->second ? 0 : 1] = false;
  } else {
    --ports.free;
  }
  --ports.sends;
  if (search(rest_of(box, cut), ports, state)) return true;
  state.cuts.pop_back();
  ++ports.sends;
  if (port) {
    ports.own[port->first][port->second ? 0 : 1] = true;
  } else {
    ++ports.free;
  }
  return false;
}

// The slab and the place in it that is informed: in its middle as far as the port and the short way round
// allow.
std::optional<WormBlocks::Cut> WormBlocks::slab(const BoxAround& box, size_t dimension, bool upper,
                                                int32_t thickness,
                                                std::optional<std::pair<size_t, bool>> port,
                                                uint32_t free_port) const {
  Cut cut{dimension, upper, thickness, std::vector<int32_t>(shape_.dimensions(), 0), free_port};
  for (size_t d = 0; d < shape_.dimensions(); ++d) {
    int32_t low = -box.below[d];
    int32_t high = box.above[d];
    if (d == dimension) (upper ? low : high) = upper ? high - thickness + 1 : low + thickness - 1;
    if (port && d < port->first) continue;
    const int32_t middle = low + (high - low) / 2;
    if (port && d == port->first)
      (port->second ? low : high) = port->second ? std::max(low, 1) : std::min(high, -1);
    if (shape_.circular[d]) {
      const auto most = static_cast<int32_t>(shape_.sides[d] / 2);
      low = std::max(low, -most);
      high = std::min(high, most);
    }
    if (low > high) return std::nullopt;
    cut.hops[d] = std::clamp(middle, low, high);
  }
  return cut;
}

BoxAround WormBlocks::box_of(const BoxAround& box, const Cut& cut) {
  BoxAround out = box;
  const size_t d = cut.dimension;
  if (cut.upper) {
    out.below[d] = -(box.above[d] - cut.thickness + 1);
  } else {
    out.above[d] = -(box.below[d] - cut.thickness + 1);
  }
  for (size_t i = 0; i < cut.hops.size(); ++i) {
    out.below[i] += cut.hops[i];
    out.above[i] -= cut.hops[i];
  }
  return out;
}

BoxAround WormBlocks::rest_of(const BoxAround& box, const Cut& cut) {
  BoxAround out = box;
  (cut.upper ? out.above : out.below)[cut.dimension] -= cut.thickness;
  return out;
}

uint32_t WormBlocks::steps(const BoxAround& box) {
  uint32_t steps = 0;
  while (solve(box, steps) == nullptr) ++steps;
  return steps;
}

std::vector<std::vector<WormBlocks::Send>> WormBlocks::sends(const BoxAround& box,
                                                             const std::vector<int64_t>& position) {
  const uint32_t steps_needed = steps(box);
  std::vector<std::vector<Send>> out(steps_needed);
  emit(box, position, steps_needed, 0, out);
  return out;
}

void WormBlocks::emit(const BoxAround& box, const std::vector<int64_t>& position, uint32_t steps,
                      uint32_t first, std::vector<std::vector<Send>>& out) {
  if (volume(box) == 1) return;
  const Flipped flipped = canonical(box);
  const Cuts* cuts = solve(box, steps);
  QUADRILLE_CHECK(cuts != nullptr, "a box that was planned");
  BoxAround rest = flipped.box;
  const auto real = [&](BoxAround form) {
    for (size_t d = 0; d < flipped.mirrored.size(); ++d) {
      if (flipped.mirrored[d]) std::swap(form.below[d], form.above[d]);
    }
    return form;
  };
  for (const Cut& cut : *cuts) {
    Send send{position, cut.hops, cut.free_port};
    for (size_t d = 0; d < send.hops.size(); ++d) {
      if (flipped.mirrored[d]) send.hops[d] = -send.hops[d];
    }
    std::vector<int64_t> there = position;
    for (size_t d = 0; d < there.size(); ++d) there[d] += send.hops[d];
    out[first].push_back(std::move(send));
    emit(real(box_of(rest, cut)), there, steps - 1, first + 1, out);
    rest = rest_of(rest, cut);
  }
  emit(real(rest), position, steps - 1, first + 1, out);
}

WormPlan WormBlocks::plan(const std::vector<uint32_t>& position) {
  WormPlan plan;
  const std::vector<int64_t> start(position.begin(), position.end());
  for (const std::vector<Send>& sends_of_step : sends(whole(position), start)) {
    WormStep step(shape_.dimensions());
    for (const Send& send : sends_of_step) step.add(shape_.place(send.from), send.hops);
    plan.push_back(std::move(step));
  }
  return without_repeats(shape_, shape_.place(start), plan);
}

WormPlan worm_blocks(const GridShape& shape, const std::vector<uint32_t>& position) {
  count_work(Work::kSearching);
  return WormBlocks(shape).plan(position);
}

}  // namespace quadrille
