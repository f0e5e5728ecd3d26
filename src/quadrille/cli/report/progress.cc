#include "quadrille/cli/report/progress.h"

#include <fmt/format.h>

#include <ostream>

#include "quadrille/base/text.h"

namespace quadrille {

Progress::Progress(StepSink& next, Console& console, std::optional<uint64_t> steps)
    : next_(next), console_(console), steps_(steps) {}

Progress::~Progress() {
  if (printed_) console_.err << "\r\x1b[K" << std::flush;
}

void Progress::push(const StepView& step) {
  next_.push(step);
  ++done_;
  transfers_ += step.size();
  if (!console_.shows_progress) return;
  const Clock::time_point now = Clock::now();
  if (now >= next_print_) print(now);
}

void Progress::print(Clock::time_point now) {
  const std::string total =
      steps_ ? fmt::format(" of {} ({} %)", with_thousands(*steps_), done_ * 100 / (*steps_ + (*steps_ == 0)))
             : "";
  console_.err << fmt::format("\r{} steps{}, {} transfers, {:.0f} s\x1b[K", with_thousands(done_), total,
                              with_thousands(transfers_), std::chrono::duration<double>(now - start_).count())
               << std::flush;
  printed_ = true;
  next_print_ = now + std::chrono::milliseconds(250);
}

}  // namespace quadrille
