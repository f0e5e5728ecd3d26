// CarriedSums: of how many contributions each sum is that a plan of a reduction moves.
//
//     CarriedSums sums(problem);
//     for each step: for each transfer t: sums.send(step, t, counts);  then sums.end_step();
//
// It counts and does not judge: of a bad plan a contribution that comes twice counts twice.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class CarriedSums {
 public:
  /// Of more nodes times blocks than this nothing is counted.
  static constexpr uint64_t kMostSums = uint64_t{1} << 25U;

  explicit CarriedSums(const Problem& problem);

  /// False for what moves or copies, and for what is too large.
  [[nodiscard]] bool counts() const { return !in_first_slot_.empty(); }
  /// Of each block of a transfer of a step; what it does is done at the end of the step.
  void send(const StepView& step, size_t transfer, NodeId from, NodeId to, std::vector<uint32_t>& of_blocks);
  void end_step();
  /// Of how many contributions all is that a node has of a block, whichever slots it lies in.
  [[nodiscard]] uint32_t held(NodeId node, BlockId block) const;

 private:
  struct Arrival {
    uint64_t sum = 0;  // of a node and a block
    uint32_t slot = 0;
    uint32_t contributions = 0;
    bool replaces = false;
  };

  [[nodiscard]] uint32_t in_slots(uint64_t sum, uint32_t slots) const;
  [[nodiscard]] uint32_t& at(uint64_t sum, uint32_t slot);

  uint64_t blocks_ = 0;
  std::vector<uint32_t> in_first_slot_{};
  std::unordered_map<uint64_t, uint32_t> in_other_slots_{};  // by sum * kCount + slot
  std::unordered_map<uint64_t, uint32_t> slots_in_use_{};    // of a sum, bits of those but the first
  std::vector<Arrival> arrivals_{};
};

}  // namespace quadrille
