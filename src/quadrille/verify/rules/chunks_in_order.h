// Rule chunks_in_order: the pieces of a block come over a link one after the other, where the model asks for it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

/// What has come over every link so far.
class ChunkOrder {
 public:
  explicit ChunkOrder(const Problem& problem);

  [[nodiscard]] static bool is_asked_for(const Problem& problem);

  /// Steps in their order.
  void check(const JudgedStep& step, Findings& findings);

 private:
  const Problem& problem_;
  uint32_t pieces_;
  uint64_t wholes_;  // blocks as they are before they are split
  // The highest piece so far, by link, block and whether it is a copy.
  std::unordered_map<uint64_t, uint32_t> highest_{};
  std::vector<std::pair<uint64_t, uint32_t>> came_{};  // in this step
};

}  // namespace quadrille::rules
