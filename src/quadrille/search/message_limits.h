// Message limits: ports, as formulas and searches count them.
#pragma once

#include <cstdint>
#include <optional>

namespace quadrille {

/// Messages that a node may start, and end, in a step; nothing: any number.
struct MessageLimits {
  std::optional<uint32_t> starts{};
  std::optional<uint32_t> ends{};
  friend bool operator==(const MessageLimits&, const MessageLimits&) = default;
};

}  // namespace quadrille
