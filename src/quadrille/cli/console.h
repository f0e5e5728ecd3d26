// Console: where a command reads and prints. The program's own streams in main, strings in tests.
#pragma once

#include <iosfwd>

namespace quadrille {

class Crew;

struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  /// Long work reports how far it is on `err`: only where a person looks on.
  bool shows_progress = false;
  /// Processes that run the command with us; one of them prints. May be null.
  Crew* crew = nullptr;
};

/// What the program returns to the shell.
inline constexpr int kExitOk = 0;
inline constexpr int kExitBadPlan = 1;        ///< a plan that the judge rejects, or that states what is false
inline constexpr int kExitBadInput = 2;       ///< the user's mistake; nothing was written
inline constexpr int kExitInternalError = 3;  ///< a bug of ours

}  // namespace quadrille
