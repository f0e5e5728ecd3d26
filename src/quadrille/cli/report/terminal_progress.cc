#include "quadrille/cli/report/terminal_progress.h"

#include <string>

namespace quadrille {

void TerminalProgress::begin(std::string_view what) {
  waiting_.reset();
  waiting_ = std::make_unique<Waiting>(console_, std::string(what));
}

void TerminalProgress::end() { waiting_.reset(); }

void TerminalProgress::found(uint64_t steps, uint64_t least) {
  if (waiting_) waiting_->found(steps, least);
}

void TerminalProgress::paths_found(uint64_t steps, uint64_t least) {
  if (waiting_) waiting_->paths_found(steps, least);
}

void TerminalProgress::made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) {
  if (waiting_) waiting_->made(steps, of, transfers);
}

}  // namespace quadrille
