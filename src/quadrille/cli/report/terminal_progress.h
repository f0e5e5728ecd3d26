// Progress of long work on a terminal: one line, rewritten, after the first second.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "quadrille/cli/console.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/progress.h"

namespace quadrille {

/// Prints nothing unless the console shows progress, and only between begin() and end(); wipes its line in
/// the end.
class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(Console& console) : console_(console) {}

  void begin(std::string_view what) override;
  void end() override;
  void found(uint64_t steps, uint64_t least) override;
  void paths_found(uint64_t steps, uint64_t least) override;
  void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) override;

 private:
  Console& console_;
  std::unique_ptr<Waiting> waiting_{};
};

}  // namespace quadrille
