#include "quadrille/draw/svg.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

constexpr std::string_view kFonts = "Helvetica,Arial,Liberation Sans,sans-serif";

std::string escaped(std::string_view words) {
  std::string out;
  for (const char c : words) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML has no control characters.
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string_view word_of(SvgAnchor anchor) {
  return anchor == SvgAnchor::kMiddle ? "middle" : anchor == SvgAnchor::kEnd ? "end" : "start";
}

std::string opacity_of(double opacity, std::string_view what) {
  return opacity < 1 ? fmt::format(" {}=\"{}\"", what, svg_number(opacity)) : std::string();
}

}  // namespace

std::string svg_number(double value) {
  const double hundredths = std::round(value * 100);
  const auto whole = static_cast<long long>(hundredths);
  std::array<char, 32> digits{};
  const long long magnitude = whole < 0 ? -whole : whole;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude / 100);
  QUADRILLE_CHECK(error == std::errc{}, "a whole number has digits");
  std::string out = whole < 0 ? "-" : "";
  out.append(digits.data(), end);
  const auto rest = static_cast<char>(magnitude % 100);
  if (rest == 0) return out;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
  return out;
}

void require_width(double width) {
  if (width >= kLeastWidth && width <= kMostSide) return;
  const std::string given = fmt::format("{}", width);
  const std::string allowed = fmt::format("{} to {}", kLeastWidth, kMostSide);
  throw ValueError(fmt::format("a picture is {} points wide; allowed is {}", given, allowed),
                   {.of = "width", .given = given, .allowed = {allowed}});
}

SvgPath& SvgPath::move(double x, double y) {
  data_ += 'M';
  data_ += svg_number(x);
  data_ += ' ';
  data_ += svg_number(y);
  return *this;
}

SvgPath& SvgPath::line(double x, double y) {
  data_ += 'L';
  data_ += svg_number(x);
  data_ += ' ';
  data_ += svg_number(y);
  return *this;
}

SvgPath& SvgPath::close() {
  data_ += 'z';
  return *this;
}

SvgPath& SvgPath::box(double x, double y, double width, double height) {
  move(x, y);
  data_ += fmt::format("h{}v{}h{}z", svg_number(width), svg_number(height), svg_number(-width));
  return *this;
}

SvgPath& SvgPath::cells(uint64_t row, uint64_t first, uint64_t last) {
  data_ += fmt::format("M{} {}H{}v1H{}z", first, row, last, first);
  return *this;
}

Svg::Svg(double width, double height) : width_(width), height_(height) {
  if (width > 0 && height > 0 && width <= kMostSide && height <= kMostSide) return;
  throw InputError(fmt::format("a picture of {} x {} pt is not possible: up to {} pt either way",
                               svg_number(width), svg_number(height), svg_number(kMostSide)));
}

void Svg::stroke(const SvgPath& path, const SvgStroke& how) {
  if (path.empty()) return;
  body_ += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{}{} d=\"{}\"/>\n", how.colour,
                       svg_number(how.width),
                       how.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", how.dash),
                       how.round ? " stroke-linecap=\"round\" stroke-linejoin=\"round\"" : "",
                       opacity_of(how.opacity, "stroke-opacity"), path.data());
}

void Svg::fill(const SvgPath& path, std::string_view colour, double opacity) {
  if (path.empty()) return;
  body_ += fmt::format("<path fill=\"{}\"{} d=\"{}\"/>\n", colour, opacity_of(opacity, "fill-opacity"),
                       path.data());
}

void Svg::disc(double x, double y, double radius, std::string_view fill, std::string_view rim,
               double rim_width, double opacity) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"", svg_number(x), svg_number(y),
                       svg_number(radius), fill);
  if (rim_width > 0) body_ += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", rim, svg_number(rim_width));
  body_ += opacity_of(opacity, "opacity") + "/>\n";
}

void Svg::text(double x, double y, std::string_view words, const SvgText& how) {
  const std::string look = fmt::format(
      " x=\"{}\" y=\"{}\"{}{}{}{}", svg_number(x), svg_number(y),
      how.anchor == SvgAnchor::kStart ? "" : fmt::format(" text-anchor=\"{}\"", word_of(how.anchor)),
      how.size == 7 ? "" : fmt::format(" font-size=\"{}\"", svg_number(how.size)),
      how.bold ? " font-weight=\"bold\"" : "",
      how.turned == 0 ? ""
                      : fmt::format(" transform=\"rotate({} {} {})\"", svg_number(how.turned), svg_number(x),
                                    svg_number(y)));
  const std::string clean = escaped(words);
  if (how.halo)
    body_ += fmt::format(
        "<text{} fill=\"#fff\" stroke=\"#fff\" stroke-width=\"1.6\" stroke-linejoin=\"round\">{}</text>\n",
        look, clean);
  body_ += fmt::format("<text{}{}>{}</text>\n", look,
                       how.colour == "#222" ? "" : fmt::format(" fill=\"{}\"", how.colour), clean);
}

void Svg::open(double x, double y, double scale_x, double scale_y, bool crisp) {
  ++open_;
  body_ += fmt::format("<g transform=\"translate({} {})", svg_number(x), svg_number(y));
  // A raster of thousands of columns needs more decimals than paper has.
  if (scale_x != 1 || scale_y != 1) body_ += fmt::format(" scale({:.6f} {:.6f})", scale_x, scale_y);
  body_ += crisp ? "\" shape-rendering=\"crispEdges\">\n" : "\">\n";
}

void Svg::close() {
  QUADRILLE_CHECK(open_ > 0, "no group is open");
  --open_;
  body_ += "</g>\n";
}

std::string Svg::finish() const {
  QUADRILLE_CHECK(open_ == 0, "a group is open still");
  const std::string w = svg_number(width_);
  const std::string h = svg_number(height_);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}pt\" height=\"{}pt\" viewBox=\"0 0 {} {}\" font-family=\"{}\" "
      "font-size=\"7\" fill=\"#222\">\n{}</svg>\n",
      w, h, w, h, kFonts, body_);
}

double text_width(std::string_view words, double size) {
  double ems = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) == 0x80U) continue;  // within a character of UTF-8
    ems += std::string_view("iljtf.,:;|!'()[] ").find(c) != std::string_view::npos ? 0.31
           : c == '@' || c == '%'                                                  ? 1
           : (c >= 'A' && c <= 'Z') || c == 'm' || c == 'w'                        ? 0.72
                                                                                   : 0.556;
  }
  return ems * size;
}

}  // namespace quadrille
