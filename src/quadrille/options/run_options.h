// The options of a job: `quadrille run` and `quadrille-mpi run` have the same, and choose the same algorithm
// for the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/runtime/job.h"

namespace quadrille {

/// What keeps the steps of a job apart.
enum class SyncWish : uint8_t {
  kStated,  ///< what the plan's file states, once it is checked; nothing for a plan that is made
  kNone,
  kBarriers,  ///< what synchronise() finds
  kSignals,
  kPriorities,
};

struct RunOptions {
  PlanSourceOptions source{};
  bool slices = false;
  bool local = false;  ///< nodes run by themselves; see local_problem()
  std::string sync = "stated";
  uint32_t iterations = 1;
  std::string type{};  ///< of the elements of a reduction
  std::string op{};
  bool json = false;

  /// Throws InputError for another word.
  [[nodiscard]] SyncWish sync_wish() const;
  [[nodiscard]] Wishes wishes() const;
  /// The problem of nodes that run by themselves. Throws InputError where there is none, and for whatever
  /// only a plan can have.
  [[nodiscard]] Problem local_problem() const;
  /// What is sent, whether or not anybody said how much.
  [[nodiscard]] uint64_t bytes() const {
    return source.problem.message_bytes().value_or(kDefaultMessageBytes);
  }
  /// Elements, if they were asked for. Throws InputError for what makes no sense.
  [[nodiscard]] std::optional<Elements> elements() const;
  /// Where the plan comes from: for an operator that does not commute one that combines ranks in order.
  [[nodiscard]] PlanSourceOptions plan_options() const;
  /// Chunks hold whole elements.
  [[nodiscard]] JobOptions job(const Problem& problem) const;
  /// With the arrays that were laid out for the judged plan, and what keeps the steps of a good one apart.
  /// Throws InputError like synchronise().
  [[nodiscard]] JobOptions job(const Compiled& judged) const;
};

/// Declares them; --csv, too, for a command that prints rows. `options` and `csv` must live as long as the app.
void add_run_options(ArgumentParser& app, RunOptions& options, bool* csv = nullptr);

}  // namespace quadrille
