// Colours that colour-blind people tell apart and that a copier keeps apart, too.
//
// Values have the colours of cividis (J. R. Nunez, C. R. Anderton, R. S. Renslow, PLoS ONE 13, 2018), whose lightness grows all the way; its
// ends are cut off, where it is too near to black ink or to white paper. What stands out (a finding, a cut, a block that is followed) has
// an accent besides, and never by colour alone: it is dashed, ringed or has a sign.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace quadrille {

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// "#0072b2".
[[nodiscard]] std::string to_hex(Colour colour);
/// Between two colours; `share` of the second, 0 to 1.
[[nodiscard]] Colour mixed(Colour a, Colour b, double share);
/// How light it is to the eye, 0 (black) to 1: relative luminance, as WCAG 2 defines it.
[[nodiscard]] double luminance(Colour colour);

/// The whole map, 0 (dark blue) to 1 (yellow); clamped.
[[nodiscard]] Colour cividis(double share);
/// For values on white paper: 0 is light, 1 is dark; the cut map, clamped.
[[nodiscard]] Colour value_colour(double share);

inline constexpr Colour kSelectAccent{0x00, 0x72, 0xb2};   ///< what is chosen: blue
inline constexpr Colour kBlockAccent{0xb8, 0x35, 0x7f};    ///< a block that is followed, a cut: purple
inline constexpr Colour kFindingAccent{0xd0, 0x3e, 0x00};  ///< what is wrong: vermilion
inline constexpr Colour kIdleLink{0xc4, 0xc9, 0xd0};       ///< a link without a value
inline constexpr Colour kInk{0x22, 0x22, 0x22};
inline constexpr Colour kPaper{0xff, 0xff, 0xff};

}  // namespace quadrille
