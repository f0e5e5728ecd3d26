// Finding: one thing that is wrong with a plan, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/base/ids.h"

namespace quadrille {

/// What a finding is about, as ids: for whoever draws it. A part that has nothing to do with it is left out.
struct FindingPlace {
  NodeId node = kNoNode;  ///< who sends, receives or lacks something
  ArcId arc = kNoArc;     ///< the link, or the first or last one of the transfer's path
  std::optional<BlockId> block{};

  friend bool operator==(const FindingPlace&, const FindingPlace&) = default;
};

struct Finding {
  static constexpr uint64_t kAtEnd = UINT64_MAX;

  std::string_view rule;       ///< name of the rule that was broken
  uint64_t step = kAtEnd;      ///< 0-based; kAtEnd for what is found after the last step
  uint64_t transfer = kAtEnd;  ///< 0-based in the step; at the end the number of a block; kAtEnd: neither
  std::string message;         ///< nodes by label, what was expected and what was found
  FindingPlace place{};

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// "step 3, transfer 7: [sender_holds] block ...": steps and transfers counted from 1, as people do.
[[nodiscard]] std::string to_text(const Finding& finding);

}  // namespace quadrille
