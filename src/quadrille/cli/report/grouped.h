// Large numbers for people, whatever their length: base/text.h does the same for those of 64 bits.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// The digits before the point set apart by thousands: "-1234567.25" -> "-1,234,567.25".
[[nodiscard]] std::string grouped(std::string_view number);

}  // namespace quadrille
