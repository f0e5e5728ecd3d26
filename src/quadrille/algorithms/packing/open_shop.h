// Open shop with unit operations: jobs have operations on machines, in any order; a machine works on one job
// at a time, a job is worked on by one machine at a time. The shortest plan is as long as the busiest machine
// or the longest job, whichever is longer: an edge colouring of jobs and machines.
//
//     const ShopPlan plan = open_shop(2, 2, {{0, 0}, {0, 1}, {1, 0}});
//     plan.num_slots();      // 2
//     plan.slot(0);          // who works on what in the first slot, machines ascending
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/packing/colouring/edge_colouring.h"

namespace quadrille {

/// One unit of work of a job on a machine.
struct Operation {
  uint32_t job;
  uint32_t machine;
};

class ShopPlan {
 public:
  ShopPlan(uint32_t num_slots, std::span<const Operation> operations, std::span<const uint32_t> slots);

  [[nodiscard]] uint32_t num_slots() const { return static_cast<uint32_t>(begin_.size() - 1); }
  [[nodiscard]] std::span<const Operation> slot(uint32_t t) const {
    return std::span<const Operation>(operations_).subspan(begin_[t], begin_[t + 1] - begin_[t]);
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<Operation> operations_;  // by slot, then by machine
};

/// An operation may occur several times: that many units.
[[nodiscard]] ShopPlan open_shop(uint32_t num_jobs, uint32_t num_machines,
                                 std::span<const Operation> operations);

}  // namespace quadrille
