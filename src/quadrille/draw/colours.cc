#include "quadrille/draw/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace quadrille {
namespace {

// Every 15th of the 256 colours of the published table, between which it is as good as straight.
constexpr std::array<Colour, 18> kCividis = {{{0, 34, 78},
                                              {0, 45, 104},
                                              {22, 55, 112},
                                              {46, 65, 109},
                                              {63, 76, 108},
                                              {78, 86, 108},
                                              {92, 97, 110},
                                              {105, 107, 113},
                                              {118, 118, 118},
                                              {131, 129, 121},
                                              {146, 140, 120},
                                              {160, 152, 117},
                                              {175, 164, 113},
                                              {191, 176, 107},
                                              {207, 189, 98},
                                              {223, 202, 87},
                                              {240, 216, 70},
                                              {254, 232, 56}}};

constexpr double kDarkestValue = 0.06;
constexpr double kLightestValue = 0.84;

uint8_t between(uint8_t a, uint8_t b, double share) {
  return static_cast<uint8_t>(std::lround(a + (b - a) * share));
}

double linear(uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

std::string to_hex(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Colour mixed(Colour a, Colour b, double share) {
  return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

double luminance(Colour colour) {
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

Colour cividis(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (kCividis.size() - 1);
  const auto knot = std::min(static_cast<size_t>(at), kCividis.size() - 2);
  return mixed(kCividis[knot], kCividis[knot + 1], at - static_cast<double>(knot));
}

Colour value_colour(double share) {
  return cividis(kLightestValue + (kDarkestValue - kLightestValue) * std::clamp(share, 0.0, 1.0));
}

}  // namespace quadrille
