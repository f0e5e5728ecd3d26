#include "quadrille/cli/report/terminal_progress.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "quadrille/base/text.h"

namespace quadrille {

TerminalProgress::~TerminalProgress() {
  if (printed_) console_.err << "\r\x1b[K" << std::flush;
}

void TerminalProgress::begin(std::string_view what) {
  waiting_ = std::make_unique<Waiting>(console_, std::string(what));
}

void TerminalProgress::end() { waiting_.reset(); }

void TerminalProgress::made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) {
  if (!console_.shows_progress) return;
  const Clock::time_point now = Clock::now();
  if (!start_) {
    start_ = now;
    next_print_ = now + std::chrono::seconds(1);
  }
  if (now < next_print_) return;
  const std::string total =
      of ? fmt::format(" of {} ({} %)", with_thousands(*of), steps * 100 / (*of + (*of == 0))) : "";
  console_.err << fmt::format("\r{} steps{}, {} transfers, {:.0f} s\x1b[K", with_thousands(steps), total,
                              with_thousands(transfers), std::chrono::duration<double>(now - *start_).count())
               << std::flush;
  printed_ = true;
  next_print_ = now + std::chrono::milliseconds(250);
}

}  // namespace quadrille
