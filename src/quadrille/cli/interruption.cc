#include "quadrille/cli/interruption.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

constexpr std::string_view kSaid =
    "\nsearching ends: the best plan so far is taken (Ctrl-C again ends the program)\n";

extern "C" void stop_at_interrupt(int) {
  stop_searches();
  // Nothing can be done about an error stream that is closed.
  if (write(STDERR_FILENO, kSaid.data(), kSaid.size()) < 0) return;
}

}  // namespace

StopsSearches::StopsSearches() {
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
