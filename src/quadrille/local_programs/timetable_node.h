// Timetable node: a node of a total exchange that works out for every tick what it sends and what it hears.
//
// The algorithms for products of graphs are of this kind: a node knows its address, the exchange of a factor
// as it looks from its place there, and the round; from these it tells which message goes where. What it
// holds besides its own messages is what it passes on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "quadrille/collective/collective.h"
#include "quadrille/local/local_node.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// A message between nodes, given by its ends, and the neighbour that it goes to or comes from.
struct Ride {
  uint32_t neighbour = 0;
  uint32_t source = 0;
  uint32_t destination = 0;
  uint32_t piece = 0;
};

/// What a node knows, and what follows from it. Not changed by being asked.
class Timetable {
 public:
  Timetable() = default;
  Timetable(const Timetable&) = delete;
  Timetable& operator=(const Timetable&) = delete;
  virtual ~Timetable() = default;

  [[nodiscard]] virtual uint64_t ticks() const = 0;
  /// Appends what this node sends in a tick, and what it hears: at most one message for each neighbour.
  virtual void rides(uint64_t tick, std::vector<Ride>& sent, std::vector<Ride>& heard) const = 0;
  [[nodiscard]] virtual size_t table_bytes() const = 0;
};

/// Of an alltoall in which every node takes part.
[[nodiscard]] std::unique_ptr<LocalNode> timetable_node(const Collective& collective, NodeId self,
                                                        std::shared_ptr<const Timetable> timetable);

/// The total exchange of a factor as it looks from one of its nodes: a timetable of that node's steps.
class FactorRow {
 public:
  FactorRow(const Topology& factor, const Plan& exchange, uint32_t self);

  [[nodiscard]] uint64_t steps() const { return sent_end_.size(); }
  [[nodiscard]] std::span<const Ride> sent(uint64_t step) const { return part(sent_, sent_end_, step); }
  [[nodiscard]] std::span<const Ride> heard(uint64_t step) const { return part(heard_, heard_end_, step); }
  [[nodiscard]] size_t table_bytes() const {
    return bytes_of(sent_) + bytes_of(heard_) + bytes_of(sent_end_) + bytes_of(heard_end_);
  }

 private:
  static std::span<const Ride> part(const std::vector<Ride>& all, const std::vector<uint32_t>& ends,
                                    uint64_t step) {
    const uint32_t begin = step == 0 ? 0 : ends[step - 1];
    return std::span(all).subspan(begin, ends[step] - begin);
  }

  std::vector<Ride> sent_;
  std::vector<Ride> heard_;
  std::vector<uint32_t> sent_end_;  // per step
  std::vector<uint32_t> heard_end_;
};

}  // namespace quadrille
