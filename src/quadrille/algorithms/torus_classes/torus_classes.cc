#include "quadrille/algorithms/torus_classes/torus_classes.h"

#include <algorithm>
#include <numeric>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille {

// Every card that moves in classes asks whether it applies, for its chunks and for its plans. The same graph out of a file has
// no group, or another one.
std::optional<TorusClasses> TorusClasses::of(const Topology& topology) {
  static LastAnswers<const CayleyStructure*, std::optional<TorusClasses>> kept(4);
  if (topology.cayley() == nullptr) return std::nullopt;
  return kept.of(topology, topology.cayley(), [&] { return made_of(topology); });
}

std::optional<TorusClasses> TorusClasses::made_of(const Topology& topology) {
  const std::optional<TorusShape> shape = as_torus(topology);
  if (!shape || shape->sides.empty()) return std::nullopt;
  TorusClasses out;
  out.num_nodes_ = topology.num_nodes();
  out.sides_ = shape->sides;
  out.strides_ = shape->strides;
  for (size_t i = 0; i < out.sides_.size(); ++i) {
    const auto first = static_cast<size_t>(std::ranges::find(out.sides_, out.sides_[i]) - out.sides_.begin());
    out.group_.push_back(first == i ? out.dimensions_.size() : out.group_[first]);
    out.dimensions_.resize(std::max(out.dimensions_.size(), out.group_.back() + 1));
    out.place_.push_back(out.dimensions_[out.group_.back()].size());
    out.dimensions_[out.group_.back()].push_back(i);
  }
  const auto directions_of = [&](const std::vector<size_t>& dimensions) {
    return static_cast<uint32_t>(dimensions.size()) * (out.sides_[dimensions.front()] == 2 ? 1 : 2);
  };
  for (const std::vector<size_t>& dimensions : out.dimensions_) {
    out.classes_ = std::lcm(out.classes_, directions_of(dimensions));
    out.period_ = std::lcm(out.period_, 2 * static_cast<uint32_t>(dimensions.size()));
  }
  for (const std::vector<size_t>& dimensions : out.dimensions_)
    out.scale_.push_back(out.classes_ / directions_of(dimensions));
  for (size_t i = 0; i < out.strides_.size(); ++i) {
    out.directions_.push_back(out.strides_[i]);
    if (out.sides_[i] > 2) out.directions_.push_back(out.strides_[i] * (out.sides_[i] - 1));
  }
  for (uint32_t v = 0; v < out.num_nodes_; ++v) {
    for (const uint32_t direction : out.directions_) {
      out.next_.push_back(out.moved(v, direction));
      out.arcs_.push_back(*topology.find_arc(NodeId{v}, NodeId{out.next_.back()}));
    }
  }
  for (size_t i = 0; i < 2 * out.strides_.size(); ++i) {
    const uint32_t stride = out.strides_[i / 2];
    for (uint32_t turns = 0; turns < out.period_; ++turns) {
      const uint32_t hop = out.turned(i % 2 == 1 ? stride * (out.sides_[i / 2] - 1) : stride, turns);
      out.turned_direction_.push_back(
          static_cast<size_t>(std::ranges::find(out.directions_, hop) - out.directions_.begin()));
    }
  }
  out.ways_.resize(out.num_nodes_);
  for (uint32_t v = 0; v < out.num_nodes_; ++v) {
    for (uint32_t turns = 0; turns < out.classes_; ++turns) {
      Way& way = out.ways_[out.turned(v, turns)];
      if (way.displacement == UINT32_MAX) way = {v, turns};
    }
    out.by_length_.push_back(v);
  }
  std::stable_sort(out.by_length_.begin(), out.by_length_.end(),
                   [&out](uint32_t a, uint32_t b) { return out.length(a) < out.length(b); });
  return out;
}

uint32_t TorusClasses::moved(uint32_t node, uint32_t displacement) const {
  if (is_even() && sides_.front() == 2) return node ^ displacement;  // a stride is a bit
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i)
    out += (coordinate(node, i) + coordinate(displacement, i)) % sides_[i] * strides_[i];
  return out;
}

uint32_t TorusClasses::back(uint32_t displacement) const {
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i)
    out += (sides_[i] - coordinate(displacement, i)) % sides_[i] * strides_[i];
  return out;
}

uint32_t TorusClasses::turned(uint32_t displacement, uint32_t turns) const {
  // A coordinate moves on by a place of its group in every turn, and comes back to the first with the other sign.
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i) {
    const std::vector<size_t>& group = dimensions_[group_[i]];
    const size_t place = place_[i] + turns;
    const uint32_t x = coordinate(displacement, i);
    const bool other_sign = place / group.size() % 2 == 1;
    out += (other_sign && x > 0 ? sides_[i] - x : x) * strides_[group[place % group.size()]];
  }
  return out;
}

uint32_t TorusClasses::length_in(uint32_t displacement, size_t group) const {
  uint32_t out = 0;
  for (const size_t i : dimensions_[group]) {
    const uint32_t x = coordinate(displacement, i);
    out += std::min(x, sides_[i] - x);
  }
  return out;
}

uint32_t TorusClasses::length(uint32_t displacement) const {
  uint32_t out = 0;
  for (size_t g = 0; g < num_groups(); ++g) out += length_in(displacement, g);
  return out;
}

uint64_t TorusClasses::load(std::span<const uint32_t> displacements) const {
  uint64_t most = 0;
  for (size_t g = 0; g < num_groups(); ++g) {
    uint64_t hops = 0;
    for (const uint32_t displacement : displacements) hops += length_in(displacement, g);
    most = std::max(most, hops * scale_[g]);
  }
  return most;
}

void TorusClasses::path(uint32_t from, uint32_t displacement, uint32_t turns,
                        std::vector<ArcId>& path) const {
  path.clear();
  for (size_t i = 0; i < strides_.size(); ++i) {
    const uint32_t x = coordinate(displacement, i);
    if (x == 0) continue;
    const bool down = 2 * x > sides_[i];
    const size_t at = turned_direction_[(2 * i + (down ? 1 : 0)) * period_ + turns % period_];
    for (uint32_t n = down ? sides_[i] - x : x; n > 0; --n) {
      path.push_back(arcs_[from * directions_.size() + at]);
      from = next_[from * directions_.size() + at];
    }
  }
}

}  // namespace quadrille
