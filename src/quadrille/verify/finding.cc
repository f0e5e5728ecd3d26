#include "quadrille/verify/finding.h"

#include <fmt/format.h>

namespace quadrille {

std::string to_text(const Finding& finding) {
  if (finding.step == Finding::kAtEnd)
    return fmt::format("at the end: [{}] {}", finding.rule, finding.message);
  if (finding.transfer == Finding::kAtEnd) {
    return fmt::format("step {}: [{}] {}", finding.step + 1, finding.rule, finding.message);
  }
  return fmt::format("step {}, transfer {}: [{}] {}", finding.step + 1, finding.transfer + 1, finding.rule,
                     finding.message);
}

}  // namespace quadrille
