// Agreement: what one rank alone has seen, as all come to know it. Nothing that a rank finds wrong may leave
// the others waiting for it; so everything that can fail is done between two meetings, and at each meeting
// all go on or all stop.
//
//     const Problem problem = together([&] { return arguments.problem(); });
//     agree_on(digest, "this rank's part in words");
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "quadrille/base/input_error.h"

namespace quadrille {

/// What every rank returns to the shell.
enum ExitStatus : int { kRight = 0, kBadPlan = 1, kBadInput = 2, kOurBug = 3 };

[[nodiscard]] int my_rank();
[[nodiscard]] int num_ranks();

/// All ranks stop here, with the same status and the same words; rank 0 says them.
class Stop : public std::runtime_error {
 public:
  Stop(int status, const std::string& words) : std::runtime_error(words), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

/// The text of rank 0, everywhere. Collective.
[[nodiscard]] std::string text_of_rank_0(std::string text);

/// One rank alone says why, if that is not said yet, and takes all others with it. First its launcher has time to
/// pass on what was said: with MPICH's, one in ten times words that are on their way when a job ends are lost.
[[noreturn]] void say_and_end_all(const std::string& why, int status) noexcept;

/// The same for what this rank alone is catching.
[[noreturn]] void end_all_for(const std::exception_ptr& error) noexcept;

/// Collective: if any rank has a reason to stop, all throw that of the first.
void meet_to_stop(const std::optional<Stop>& mine);

/// What is being caught, as a reason to stop.
[[nodiscard]] Stop reason_of(const std::exception_ptr& error);

/// Collective: every rank does its work, which does not communicate; all go on with their results, or none.
template <typename Work>
auto together(Work work) {
  std::optional<decltype(work())> result;
  std::optional<Stop> stop;
  try {
    result.emplace(work());
  } catch (...) {
    stop = reason_of(std::current_exception());
  }
  meet_to_stop(stop);
  return *std::move(result);
}

/// Collective: all must have the same digest, or all throw a Stop in which the first rank that differs from
/// rank 0 and rank 0 say what they have; `what` is what they should agree on.
void agree_on(uint64_t digest, const std::string& what, const std::string& mine);

}  // namespace quadrille
