#include "quadrille/algorithms/products/line_exchange.h"

#include <algorithm>
#include <utility>

namespace quadrille {

// How many nodes up from it get its blocks that way; the node opposite, from where they leave at once.
uint32_t LineExchange::reach_up(uint32_t origin) const {
  if (!line_.closed) return line_.side - 1 - origin;
  return line_.side % 2 == 0 && origin % 2 == 0 ? line_.side / 2 : (line_.side - 1) / 2;
}
uint32_t LineExchange::reach_down(uint32_t origin) const {
  return line_.closed ? line_.side - 1 - reach_up(origin) : origin;
}

bool LineExchange::sends(uint32_t step, uint32_t from, bool up) const {
  if (line_.both_ways) return true;
  if (line_.closed && line_.side % 2 != 0) return up == (step < line_.side / 2);
  return up == (from % 2 == step % 2);
}

LineExchange::LineExchange(Line line, Blocks blocks) : line_(line) {
  const uint32_t n = line.side;
  std::vector<std::vector<Item>> up(n);
  std::vector<std::vector<Item>> down(n);
  const auto place = [&](uint32_t from, uint32_t hops, bool upwards) {
    return (upwards ? from + hops : from + n - hops) % n;
  };
  size_t waiting = 0;
  for (uint32_t v = 0; v < n; ++v) {
    for (const bool upwards : {true, false}) {
      const uint32_t reach = upwards ? reach_up(v) : reach_down(v);
      std::vector<Item>& here = upwards ? up[v] : down[v];
      for (uint32_t hops = blocks == Blocks::kOfPairs ? 1 : reach; hops > 0 && hops <= reach; ++hops)
        here.push_back({v, place(v, hops, upwards)});
      waiting += here.size();
    }
  }
  for (uint32_t step = 0; waiting > 0; ++step) {
    const size_t first = moves_.size();
    for (uint32_t v = 0; v < n; ++v) {
      for (const bool upwards : {true, false}) {
        std::vector<Item>& here = upwards ? up[v] : down[v];
        if (here.empty() || !sends(step, v, upwards)) continue;
        const auto begin = static_cast<uint32_t>(items_.size());
        items_.insert(items_.end(), here.begin(), here.end());
        moves_.push_back({v, upwards, begin, static_cast<uint32_t>(items_.size())});
        here.clear();
      }
    }
    for (size_t m = first; m < moves_.size(); ++m) {
      const uint32_t to = place(moves_[m].from, 1, moves_[m].up);
      std::vector<Item>& there = moves_[m].up ? up[to] : down[to];
      for (const Item& item : items(moves_[m])) {
        if (item.destination == to) {
          --waiting;
        } else {
          there.push_back(item);
        }
      }
    }
    steps_.push_back(moves_.size());
  }
}

uint64_t LineExchange::most_items(uint32_t step) const {
  uint64_t most = 0;
  for (const Move& move : moves(step)) most = std::max<uint64_t>(most, move.end - move.begin);
  return most;
}

uint64_t LineExchange::busiest_link() const {
  std::vector<uint64_t> loads(size_t{line_.side} * 2, 0);
  for (const Move& move : moves_) loads[size_t{move.from} * 2 + (move.up ? 1 : 0)] += move.end - move.begin;
  return *std::ranges::max_element(loads);
}

}  // namespace quadrille
