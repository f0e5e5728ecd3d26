#include "worm_broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {

WormBroadcast::WormBroadcast(std::vector<uint32_t> sides, uint32_t steps, WormConditions conditions)
    : sides_(std::move(sides)), steps_(steps), conditions_(std::move(conditions)) {
  for (size_t d = 0; d < sides_.size(); ++d) {
    QUADRILLE_CHECK(sides_[d] >= 2, fmt::format("a side of {}", sides_[d]));
    nodes_ *= sides_[d];
    ways_.push_back({d, true});
    if (sides_[d] > 2) ways_.push_back({d, false});
  }
  for (uint32_t step = 0; step < steps_; ++step) {
    for (uint32_t node = 0; node < nodes_; ++node) {
      for (size_t way = 0; way < ways_.size(); ++way) {
        link_out_has_one_reason(step, node, way);
        link_in_goes_on_once(step, node, way);
        takes_the_short_way(step, node, way);
      }
      knows_from_somewhere(step, node);
    }
  }
  for (uint32_t node = 0; node < nodes_; ++node) {
    const int at_first = variable(What::kKnows, 0, node);
    formula_.add({node == 0 ? at_first : -at_first});
    formula_.add({variable(What::kKnows, steps_, node)});
  }
  if (steps_ > 0 && !conditions_.mirrored) source_prefers_up();
}

uint32_t WormBroadcast::coordinate(uint32_t node, size_t dimension) const {
  for (size_t d = sides_.size() - 1; d > dimension; --d) node /= sides_[d];
  return node % sides_[dimension];
}

uint32_t WormBroadcast::next(uint32_t node, Way way) const {
  uint32_t stride = 1;
  for (size_t d = sides_.size() - 1; d > way.dimension; --d) stride *= sides_[d];
  const uint32_t side = sides_[way.dimension];
  const uint32_t x = node / stride % side;
  return node - x * stride + (x + (way.up ? 1 : side - 1)) % side * stride;
}

uint32_t WormBroadcast::mirrored(uint32_t node) const {
  uint32_t out = 0;
  for (size_t d = 0; d < sides_.size(); ++d)
    out = out * sides_[d] + (sides_[d] - coordinate(node, d)) % sides_[d];
  return out;
}

WormBroadcast::Way WormBroadcast::mirrored(Way way) const {
  return {way.dimension, sides_[way.dimension] == 2 || !way.up};
}

bool WormBroadcast::is_quiet(uint32_t node) const {
  for (size_t d = 0; d < conditions_.quiet.size(); ++d) {
    const std::vector<uint32_t>& quiet = conditions_.quiet[d];
    if (std::find(quiet.begin(), quiet.end(), coordinate(node, d)) != quiet.end()) return true;
  }
  return false;
}

// A variable and its mirror image are one where they must be equal.
WormBroadcast::Key WormBroadcast::key(What what, uint32_t step, uint32_t node, size_t way,
                                      size_t turn) const {
  const auto make = [&](uint32_t at, size_t along, size_t into) {
    return Key{static_cast<uint32_t>(what), step, at, static_cast<uint32_t>(along),
               static_cast<uint32_t>(into)};
  };
  const Key plain = make(node, way, turn);
  if (!conditions_.mirrored) return plain;
  const auto image = [this](size_t of) {
    return static_cast<size_t>(std::find(ways_.begin(), ways_.end(), mirrored(ways_[of])) - ways_.begin());
  };
  const bool directed = what != What::kKnows;
  return std::min(plain,
                  make(mirrored(node), directed ? image(way) : 0, what == What::kTurns ? image(turn) : 0));
}

int WormBroadcast::variable(What what, uint32_t step, uint32_t node, size_t way, size_t turn) {
  int& known = variables_[key(what, step, node, way, turn)];
  if (known == 0) known = formula_.variable();
  return known;
}

bool WormBroadcast::holds(const SearchAnswer& solution, What what, uint32_t step, uint32_t node, size_t way,
                          size_t turn) const {
  const auto at = variables_.find(key(what, step, node, way, turn));
  return at != variables_.end() && solution.value(at->second);
}

// The link from `node`: a worm starts on it, comes straight to it, or turns into it from an earlier
// dimension.
void WormBroadcast::link_out_has_one_reason(uint32_t step, uint32_t node, size_t way) {
  const int used = variable(What::kUsed, step, node, way);
  std::vector<int> reasons{variable(What::kStarts, step, node, way)};
  formula_.add({-reasons[0], is_quiet(node) ? -reasons[0] : variable(What::kKnows, step, node)});
  const size_t dimension = ways_[way].dimension;
  if (sides_[dimension] > 2) reasons.push_back(variable(What::kStraight, step, node, way));
  for (size_t from = 0; from < ways_.size(); ++from) {
    if (ways_[from].dimension < dimension) reasons.push_back(variable(What::kTurns, step, node, from, way));
  }
  for (const int reason : reasons) formula_.add({-reason, used});
  formula_.at_most_one(reasons);
  reasons.push_back(-used);
  formula_.add(reasons);
}

// The link into `node`: its worm goes straight on, turns into a later dimension, or ends.
void WormBroadcast::link_in_goes_on_once(uint32_t step, uint32_t node, size_t way) {
  const int used = variable(What::kUsed, step, before(node, ways_[way]), way);
  std::vector<int> onward{variable(What::kEnds, step, node, way)};
  const size_t dimension = ways_[way].dimension;
  if (sides_[dimension] > 2) onward.push_back(variable(What::kStraight, step, node, way));
  for (size_t into = 0; into < ways_.size(); ++into) {
    if (ways_[into].dimension > dimension) onward.push_back(variable(What::kTurns, step, node, way, into));
  }
  for (const int each : onward) formula_.add({-each, used});
  formula_.at_most_one(onward);
  onward.push_back(-used);
  formula_.add(onward);
}

// Of side/2 nodes in a row, one is not passed straight.
void WormBroadcast::takes_the_short_way(uint32_t step, uint32_t node, size_t way) {
  const uint32_t side = sides_[ways_[way].dimension];
  if (side == 2) return;
  std::vector<int> clause;
  for (uint32_t i = 0; i < side / 2; ++i) {
    clause.push_back(-variable(What::kStraight, step, node, way));
    node = next(node, ways_[way]);
  }
  formula_.add(clause);
}

void WormBroadcast::knows_from_somewhere(uint32_t step, uint32_t node) {
  const int earlier = variable(What::kKnows, step, node);
  const int later = variable(What::kKnows, step + 1, node);
  std::vector<int> clause{-later, earlier};
  formula_.add({-earlier, later});
  for (size_t way = 0; way < ways_.size(); ++way) {
    clause.push_back(variable(What::kEnds, step, node, way));
    formula_.add({-clause.back(), later});
  }
  formula_.add(clause);
}

void WormBroadcast::source_prefers_up() {
  for (size_t way = 0; way + 1 < ways_.size(); ++way) {
    if (ways_[way + 1].dimension != ways_[way].dimension) continue;
    bool symmetric = true;  // the reflection must keep the quiet coordinates
    if (ways_[way].dimension < conditions_.quiet.size()) {
      symmetric = conditions_.quiet[ways_[way].dimension].empty();
    }
    if (symmetric) {
      formula_.add({-variable(What::kStarts, 0, 0, way + 1), variable(What::kStarts, 0, 0, way)});
    }
  }
}

WormBroadcast::Heard WormBroadcast::trace(const SearchAnswer& solution, uint32_t step, uint32_t node,
                                          size_t way) const {
  Heard heard{step + 1, std::vector<int32_t>(sides_.size(), 0)};
  while (true) {
    heard.hops[ways_[way].dimension] += ways_[way].up ? 1 : -1;
    node = before(node, ways_[way]);
    if (holds(solution, What::kStarts, step, node, way)) return heard;
    if (holds(solution, What::kStraight, step, node, way)) continue;
    size_t from = 0;
    while (from < ways_.size() && !(ways_[from].dimension < ways_[way].dimension &&
                                    holds(solution, What::kTurns, step, node, from, way)))
      ++from;
    QUADRILLE_CHECK(from < ways_.size(), fmt::format("a worm without beginning at {}", node));
    way = from;
  }
}

std::vector<WormBroadcast::Heard> WormBroadcast::worms(const SearchAnswer& solution) const {
  std::vector<Heard> out(nodes_);
  for (uint32_t step = 0; step < steps_; ++step) {
    for (uint32_t node = 1; node < nodes_; ++node) {
      for (size_t way = 0; way < ways_.size() && out[node].step == 0; ++way) {
        if (holds(solution, What::kEnds, step, node, way)) out[node] = trace(solution, step, node, way);
      }
    }
  }
  return out;
}

}  // namespace quadrille
