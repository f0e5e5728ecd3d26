// Svg: pictures as text that every browser, editor and LaTeX reads.
//
//     Svg page(245, 120);                                   // points, of which 72 are an inch
//     SvgPath lines;
//     lines.move(10, 10).line(235, 10);
//     page.stroke(lines, "#0072b2", 0.8);
//     page.text(10, 24, "a line", {.bold = true});
//     write_file("x.svg", page.finish());
//
// Made for print: nothing but paths, circles and text; no style sheet, no filter, no bitmap; one path for all that looks alike.
// Numbers have two decimals at most. The same calls give the same bytes.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// "12.5", "0.33", "-4": two decimals at most, no trailing noughts, no "-0".
[[nodiscard]] std::string svg_number(double value);

inline constexpr double kLeastWidth = 60;
inline constexpr double kMostSide = 14400;  ///< of a page, as readers of PDF take it
/// Throws ValueError for a width of a picture, in points, that is not between these.
void require_width(double width);

/// What an element `path` draws.
class SvgPath {
 public:
  SvgPath& move(double x, double y);
  SvgPath& line(double x, double y);
  SvgPath& close();
  /// A whole rectangle.
  SvgPath& box(double x, double y, double width, double height);
  /// Cells of a raster, `first` up to but without `last` in a row of height 1: whole numbers, so that neighbours touch without a seam.
  SvgPath& cells(uint64_t row, uint64_t first, uint64_t last);

  [[nodiscard]] bool empty() const { return data_.empty(); }
  [[nodiscard]] const std::string& data() const { return data_; }

 private:
  std::string data_{};
};

enum class SvgAnchor { kStart, kMiddle, kEnd };

struct SvgText {
  double size = 7;  ///< points; print wants 5.5 and more
  SvgAnchor anchor = SvgAnchor::kStart;
  bool bold = false;
  std::string_view colour = "#222";
  bool halo = false;  ///< a white rim, where it stands on lines
  double turned = 0;  ///< degrees, clockwise
};

struct SvgStroke {
  std::string_view colour = "#222";
  double width = 0.6;
  std::string_view dash{};  ///< "2 1.5"
  double opacity = 1;
  bool round = false;  ///< ends and corners
};

class Svg {
 public:
  /// Throws InputError unless both are more than 0 and at most 14,400 points, what a PDF page may have.
  Svg(double width, double height);

  void stroke(const SvgPath& path, const SvgStroke& how);
  void fill(const SvgPath& path, std::string_view colour, double opacity = 1);
  void disc(double x, double y, double radius, std::string_view fill, std::string_view rim, double rim_width,
            double opacity = 1);
  void text(double x, double y, std::string_view words, const SvgText& how = {});

  /// What is drawn until close() is moved and scaled; `crisp`: cells have hard edges.
  void open(double x, double y, double scale_x = 1, double scale_y = 1, bool crisp = false);
  void close();

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  /// The whole file. Every group is closed by then.
  [[nodiscard]] std::string finish() const;

 private:
  double width_;
  double height_;
  int open_ = 0;
  std::string body_{};
};

/// How wide words are in the fonts that are asked for, roughly: for legends and gutters.
[[nodiscard]] double text_width(std::string_view words, double size);

}  // namespace quadrille
