// Both at once: two parts of a job that need nothing of each other.
//
//     both_at_once([&] { first = make(a); }, [&] { second = make(b); });   // returns when both are done
//
// The second has a thread of its own, or comes after the first where the system gives none. What the second has to know of the
// calling thread (SearchLimits, KeptPaths) is handed to it by whoever asks.
#pragma once

#include <future>
#include <system_error>
#include <utility>

namespace quadrille {

/// What either throws is thrown here once both have ended; of two the first's.
template <typename First, typename Second>
void both_at_once(First first, Second second) {
  std::future<void> other;  // its end is waited for, whatever is thrown here
  try {
    other = std::async(std::launch::async, [&second] { second(); });
  } catch (const std::system_error&) {
    first();
    return second();
  }
  first();
  other.get();
}

}  // namespace quadrille
