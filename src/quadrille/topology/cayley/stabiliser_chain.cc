#include "quadrille/topology/cayley/stabiliser_chain.h"

#include <algorithm>

namespace quadrille {

StabiliserChain::StabiliserChain(uint32_t points, const std::vector<Permutation>& generators, uint64_t limit)
    : points_(points), limit_(limit), levels_(points) {
  for (uint32_t i = 0; i < points; ++i) {
    levels_[i].to.resize(points);
    levels_[i].to[i] = identity_permutation(points);
  }
  for (const Permutation& g : generators) add_generator(0, g);
}

bool StabiliserChain::contains(uint32_t level, Permutation p) const {
  for (uint32_t i = level; i < points_; ++i) {
    const std::optional<Permutation>& to = levels_[i].to[p[i]];
    if (!to) return false;
    p = compose(inverse_of(*to), p);
  }
  return true;
}

// Whatever level `level` reaches must also be reached through the new generator, and what that brings back to
// the start belongs to the next level.
void StabiliserChain::add_generator(uint32_t level, const Permutation& p) {
  if (order_ > limit_ || level == points_ || contains(level, p)) return;
  Level& at = levels_[level];
  at.generators.push_back(p);
  for (uint32_t place = 0; place < points_; ++place) {
    if (at.to[place]) add_product(level, compose(p, *at.to[place]));
  }
}

void StabiliserChain::add_product(uint32_t level, const Permutation& p) {
  if (order_ > limit_) return;
  Level& at = levels_[level];
  std::optional<Permutation>& to = at.to[p[level]];
  if (to) {
    add_generator(level + 1, compose(inverse_of(*to), p));
    return;
  }
  to = p;
  order_ = order_ / at.orbit * (at.orbit + 1);
  ++at.orbit;
  for (size_t g = 0; g < at.generators.size(); ++g) add_product(level, compose(at.generators[g], p));
}

std::vector<uint8_t> StabiliserChain::elements() const {
  std::vector<uint8_t> out;
  out.reserve(order_ * points_);
  list(0, identity_permutation(points_), out);
  return out;
}

void StabiliserChain::list(uint32_t level, const Permutation& prefix, std::vector<uint8_t>& out) const {
  while (level < points_ && levels_[level].orbit == 1) ++level;
  if (level == points_) {
    out.insert(out.end(), prefix.begin(), prefix.end());
    return;
  }
  std::vector<uint8_t> places;
  for (uint32_t place = 0; place < points_; ++place) {
    if (levels_[level].to[place]) places.push_back(static_cast<uint8_t>(place));
  }
  std::ranges::sort(places, {}, [&](uint8_t place) { return prefix[place]; });
  for (const uint8_t place : places) list(level + 1, compose(prefix, *levels_[level].to[place]), out);
}

}  // namespace quadrille
