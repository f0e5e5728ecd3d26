#include "quadrille/cli/interruption.h"

#include <atomic>
#include <csignal>
#include <cstring>

#include <unistd.h>

#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr const char* kBestSoFar =
    "\nsearching ends: the best plan so far is taken (Ctrl-C again ends the program)\n";

// What the handler says: set before it is installed.
std::atomic<const char*> answer{kBestSoFar};

extern "C" void stop_at_interrupt(int) {
  stop_searches();
  // Nothing can be done about an error stream that is closed.
  const char* const said = answer;
  if (write(STDERR_FILENO, said, std::strlen(said)) < 0) return;
}

}  // namespace

StopsSearches::StopsSearches() : StopsSearches(kBestSoFar) {}

StopsSearches::StopsSearches(const char* said) {
  answer = said;
  let_searches_run();
  struct sigaction before {};
  if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = stop_at_interrupt;
  ours.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

StopsSearches::~StopsSearches() {
  if (!installed_) return;
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGINT, &usual, nullptr);
}

bool StopsSearches::happened() const { return searches_are_stopped(); }

}  // namespace quadrille
