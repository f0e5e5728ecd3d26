// Messages: where transfers may share arcs, those of a step that take the same path are one message, so that
// what is added and what is copied, or what goes into different slots, need not be packed by whoever makes
// the plan. Elsewhere every transfer is a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

class Messages {
 public:
  explicit Messages(const Problem& problem)
      : shared_(shares_arcs(problem.model())), last_used_(shared_ ? problem.topology().num_arcs() : 0, 0) {}

  /// Looks at a step; is_new() is about it until the next.
  void look_at(const JudgedStep& step) {
    if (shared_) find_new(step);
  }
  /// Whether no transfer before t takes its path.
  [[nodiscard]] bool is_new(size_t t) const { return !shared_ || new_[t] != 0; }

 private:
  void find_new(const JudgedStep& step);

  bool shared_;
  std::vector<uint32_t> last_used_;  // per arc: the last step with a transfer over it alone
  std::vector<char> new_;            // per transfer
  // Of a step's paths of more than one arc the first transfer of each, by what is drawn from the path; 0: none.
  std::vector<uint32_t> first_;
};

}  // namespace quadrille
