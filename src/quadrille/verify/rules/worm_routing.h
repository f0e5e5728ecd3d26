// Rule worm_routing: worms take the paths that the model's routing allows.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille::rules {

class WormRouting {
 public:
  explicit WormRouting(const Problem& problem);

  void check(const JudgedStep& step, Findings& findings);

 private:
  [[nodiscard]] bool applies() const {
    return problem_.model().switching == Switching::kWormhole && problem_.model().routing != Routing::kAny;
  }
  [[nodiscard]] uint32_t distance(NodeId from, NodeId to);
  void check_shortest(const JudgedStep& step, size_t t, Findings& findings);
  void check_order(const JudgedStep& step, size_t t, Findings& findings);

  const Problem& problem_;
  // Distances from each node that has sent a worm so far; empty for the others. In dimension order one table
  // a factor.
  std::vector<std::vector<uint32_t>> rows_;
  std::vector<std::vector<uint32_t>> factor_rows_;
};

}  // namespace quadrille::rules
