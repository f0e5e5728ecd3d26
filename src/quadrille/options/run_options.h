// The options of a job: `quadrille run` and `quadrille-mpi run` have the same, and choose the same algorithm
// for the same words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "quadrille/compile/compile.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/runtime/job.h"

namespace quadrille {

struct RunOptions {
  PlanSourceOptions source{};
  bool slices = false;
  bool local = false;  ///< nodes run by themselves; see local_problem()
  uint64_t bytes = kDefaultBlockBytes;
  uint32_t iterations = 1;
  bool json = false;

  [[nodiscard]] Wishes wishes() const;
  /// The problem of nodes that run by themselves. Throws InputError where there is none, and for whatever
  /// only a plan can have.
  [[nodiscard]] Problem local_problem() const;
  [[nodiscard]] JobOptions job() const { return {bytes, iterations}; }
  /// With the arrays that were laid out for the judged plan.
  [[nodiscard]] JobOptions job(const Compiled& judged) const {
    return {bytes, iterations, judged.arrays ? &*judged.arrays : nullptr};
  }
};

/// Declares them. `options` must live as long as the app.
void add_run_options(ArgumentParser& app, RunOptions& options);

}  // namespace quadrille
