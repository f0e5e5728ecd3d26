#include "quadrille/algorithms/torus_classes/torus_classes.h"

#include <algorithm>

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
  out.side_ = shape->sides.front();
  for (const uint32_t side : shape->sides)
    if (side != out.side_) return std::nullopt;
  out.strides_ = shape->strides;
  const auto dimensions = static_cast<uint32_t>(shape->sides.size());
  out.classes_ = out.side_ == 2 ? dimensions : 2 * dimensions;
  for (const uint32_t stride : out.strides_) {
    out.directions_.push_back(stride);
    if (out.side_ > 2) out.directions_.push_back(stride * (out.side_ - 1));
  }
  for (uint32_t v = 0; v < out.num_nodes_; ++v) {
    for (const uint32_t direction : out.directions_) {
      out.next_.push_back(out.moved(v, direction));
      out.arcs_.push_back(*topology.find_arc(NodeId{v}, NodeId{out.next_.back()}));
    }
  }
  for (size_t i = 0; i < 2 * out.strides_.size(); ++i) {
    const uint32_t stride = out.strides_[i / 2];
    for (uint32_t turns = 0; turns < 2 * dimensions; ++turns) {
      const uint32_t hop = out.turned(i % 2 == 1 ? stride * (out.side_ - 1) : stride, turns);
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
  if (side_ == 2) return node ^ displacement;  // a stride is a bit
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i)
    out += (coordinate(node, i) + coordinate(displacement, i)) % side_ * strides_[i];
  return out;
}

uint32_t TorusClasses::back(uint32_t displacement) const {
  if (side_ == 2) return displacement;
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i)
    out += (side_ - coordinate(displacement, i)) % side_ * strides_[i];
  return out;
}

uint32_t TorusClasses::turned(uint32_t displacement, uint32_t turns) const {
  // A coordinate moves on by a place in every turn, and comes back to the first with the other sign.
  const size_t dimensions = strides_.size();
  uint32_t out = 0;
  for (size_t i = 0; i < dimensions; ++i) {
    const size_t place = i + turns;
    const uint32_t x = coordinate(displacement, i);
    const bool other_sign = place / dimensions % 2 == 1;
    out += (other_sign && x > 0 ? side_ - x : x) * strides_[place % dimensions];
  }
  return out;
}

uint32_t TorusClasses::length(uint32_t displacement) const {
  uint32_t out = 0;
  for (size_t i = 0; i < strides_.size(); ++i) {
    const uint32_t x = coordinate(displacement, i);
    out += std::min(x, side_ - x);
  }
  return out;
}

void TorusClasses::path(uint32_t from, uint32_t displacement, uint32_t turns,
                        std::vector<ArcId>& path) const {
  path.clear();
  for (size_t i = 0; i < strides_.size(); ++i) {
    const uint32_t x = coordinate(displacement, i);
    if (x == 0) continue;
    const bool down = 2 * x > side_;
    const size_t at =
        turned_direction_[(2 * i + (down ? 1 : 0)) * 2 * strides_.size() + turns % (2 * strides_.size())];
    for (uint32_t n = down ? side_ - x : x; n > 0; --n) {
      path.push_back(arcs_[from * directions_.size() + at]);
      from = next_[from * directions_.size() + at];
    }
  }
}

}  // namespace quadrille
