// Reservation table: which arcs and ports are taken in which step, for packings that do not fill one step
// after another but look for the first step in which a whole path is still free.
//
//     ReservationTable reservations(problem);
//     const uint32_t step = reservations.first_step(path, ReservationTable::kNever);
//     reservations.take(path, step);
//
// For each arc and port it keeps a bit for each step, set when it is full: the first step for a path is the
// first zero in the union of these rows, 64 steps at a time. packing/link_use.h knows one step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class ReservationTable {
 public:
  static constexpr uint32_t kNever = UINT32_MAX;

  /// `sharing`: so many times what a link carries at once may take it in a step.
  explicit ReservationTable(const Problem& problem, uint32_t sharing = 1);

  /// Everything is free again.
  void clear();
  /// The first step before `before` in which all of a path is free, and a port at both of its ends; `before`
  /// if there is none.
  [[nodiscard]] uint32_t first_step(std::span<const ArcId> path, uint32_t before);
  /// What first_step() has found to be free.
  void take(std::span<const ArcId> path, uint32_t step);

  /// Work done so far: arcs and ports of the paths given, and words of 64 steps that were looked at.
  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  void collect(std::span<const ArcId> path);
  void fill(size_t row, uint32_t step);
  void grow(size_t words);

  const Topology topology_;
  bool half_duplex_;
  size_t first_send_port_;     // its row; arcs come before
  size_t first_receive_port_;  // and the end of the rows is after as many again
  size_t words_ = 1;
  std::vector<uint32_t> room_;  // by row: transfers in one step; 0: no limit
  std::vector<uint64_t> full_;  // by row and word
  std::vector<uint32_t>
      taken_;  // by step and row, up to the last one taken, if any row has room for more than one
  bool counted_;
  std::vector<uint32_t> first_open_;  // by row: the first word with a zero
  std::vector<size_t> rows_;          // of the path in hand
  uint64_t work_ = 0;
};

}  // namespace quadrille
