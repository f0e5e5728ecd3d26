// Sweeps over many problems, and the share of them that a quick test takes.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace quadrille {

/// Of a sweep every so many-th problem, the same ones at every run; all of them where QUADRILLE_WHOLE_SWEEPS is set,
/// as the test `unit.sweeps` of `make test-slow` does. With sanitizers a whole sweep takes minutes.
class Sample {
 public:
  /// `one_in` shares no factor with the lengths of the inner loops, or some of their cases are never taken.
  explicit Sample(uint32_t one_in) : one_in_(whole() ? 1 : one_in) {}

  [[nodiscard]] bool takes() { return met_++ % one_in_ == 0; }

  /// Whether every problem is asked for.
  [[nodiscard]] static bool whole() {
    return std::getenv("QUADRILLE_WHOLE_SWEEPS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  }

 private:
  uint32_t one_in_;
  uint64_t met_ = 0;
};

}  // namespace quadrille
