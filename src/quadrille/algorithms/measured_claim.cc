#include "quadrille/algorithms/measured_claim.h"

#include <algorithm>

namespace quadrille {
namespace {

class Meter final : public StepSink {
 public:
  void push(const StepView& step) override {
    size_t most = 0;
    for (size_t t = 0; t < step.size(); ++t) most = std::max(most, step.blocks(t).size());
    steps_ += 1;
    start_ups_ += most > 0 ? 1 : 0;
    critical_blocks_ += most;
  }
  [[nodiscard]] Claim claim() const {
    return {.steps = steps_, .start_ups = start_ups_, .critical_blocks = critical_blocks_};
  }

 private:
  uint64_t steps_ = 0;
  uint64_t start_ups_ = 0;
  uint64_t critical_blocks_ = 0;
};

}  // namespace

Claim measured_claim(const Problem& problem, void (*generate)(const Problem&, StepSink&),
                     uint32_t most_ranks) {
  const uint64_t ranks = problem.collective().num_ranks();
  if (ranks * ranks * problem.collective().pieces() > uint64_t{most_ranks} * most_ranks) return {};
  Meter meter;
  generate(problem, meter);
  return meter.claim();
}

}  // namespace quadrille
