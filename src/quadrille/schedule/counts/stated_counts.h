// Counts as people and files state them: from node to node, where Counts knows ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct StatedCount {
  uint32_t from = 0;  ///< a node
  uint32_t to = 0;
  uint32_t count = 0;
};

/// What is wrong with one of them.
class StatedCountError : public InputError {
 public:
  StatedCountError(size_t at, const std::string& message) : InputError(message), at_(at) {}
  /// Its position among those that were given.
  [[nodiscard]] size_t at() const { return at_; }

 private:
  size_t at_;
};

/// Throws StatedCountError for a node that does not exist, or has blocks and only routes, and for a pair that comes
/// twice; InputError for more than `most` blocks in all, before anything is made of them.
[[nodiscard]] Counts counts_of(const Topology& topology, std::span<const StatedCount> stated,
                               uint64_t most = kMaxIds - 1);

/// alltoallv with these counts over all endpoints.
[[nodiscard]] Problem counted_problem(Topology topology, Counts counts, Model model = {});

}  // namespace quadrille
