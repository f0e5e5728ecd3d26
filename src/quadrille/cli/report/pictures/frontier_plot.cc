#include "quadrille/cli/report/pictures/frontier_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/pictures/label_places.h"

namespace quadrille {
namespace {

// All in points of the picture; the frame is where the script puts it.
constexpr double kWidth = 900;
constexpr double kHeight = 600;
constexpr double kLeft = 0.09;
constexpr double kRight = 0.97;
constexpr double kBottom = 0.1;
constexpr double kTop = 0.91;
constexpr double kFrameWidth = (kRight - kLeft) * kWidth;
constexpr double kFrameHeight = (kTop - kBottom) * kHeight;
constexpr double kMargin = 14;   // between the frame and what stands in it
constexpr double kLetter = 6.4;  // at the size of labels
constexpr double kDigit = 7.5;   // at the size of tics
constexpr double kLine = 14;     // from one label to the next
constexpr double kBeside = 8;    // a label stands so far to the right of its point
constexpr double kAbove = 11;    // and so far above it
constexpr size_t kMostLetters = 64;

std::string shown(const std::string& name) {
  return name.size() <= kMostLetters ? name : name.substr(0, kMostLetters - 2) + "..";
}

double width_of(const std::string& name) { return kLetter * static_cast<double>(shown(name).size()); }

// Names of algorithms, in the order in which they come; each has its colour.
std::vector<std::string> names_in(std::span<const FrontierPoint> points) {
  std::vector<std::string> out;
  for (const FrontierPoint& p : points)
    if (std::ranges::find(out, p.algorithm) == out.end()) out.push_back(p.algorithm);
  return out;
}

// The points that have a name: each algorithm where it comes first. Where colours come again a name comes again, too, whenever the
// algorithm changes.
std::vector<const FrontierPoint*> named_points(std::span<const FrontierPoint> points) {
  const bool once = names_in(points).size() <= kPictureColours.size();
  std::vector<const FrontierPoint*> out;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto same = [&](const FrontierPoint* p) { return p->algorithm == points[i].algorithm; };
    const bool has_one =
        once ? std::ranges::any_of(out, same) : i > 0 && points[i - 1].algorithm == points[i].algorithm;
    if (!has_one) out.push_back(&points[i]);
  }
  return out;
}

// Where start-ups and volume are in the frame, from its upper left corner.
class FrontierAxes {
 public:
  explicit FrontierAxes(std::span<const FrontierPoint> points) : first_(octaves(points.front())) {
    lowest_ = highest_ = points.front().over_bound;
    for (const FrontierPoint& p : points) {
      lowest_ = std::min(lowest_, p.over_bound);
      highest_ = std::max(highest_, p.over_bound);
      fit(p, 0);
    }
    // No name takes more than half of the frame from the points.
    for (const FrontierPoint* p : named_points(points))
      fit(*p, std::min(kBeside + width_of(p->algorithm), kFrameWidth / 2));
    // Names may stand above the highest point.
    const double room = highest_ > lowest_ ? highest_ - lowest_ : 1.0;
    lowest_ -= 0.06 * room;
    highest_ += 0.12 * room;
  }

  [[nodiscard]] double x(const FrontierPoint& p) const { return kMargin + (octaves(p) - first_) * octave_; }
  [[nodiscard]] double y(const FrontierPoint& p) const {
    return (highest_ - p.over_bound) / (highest_ - lowest_) * kFrameHeight;
  }
  // The other way.
  [[nodiscard]] double start_ups(double x) const { return std::exp2(first_ + (x - kMargin) / octave_); }
  [[nodiscard]] double volume(double y) const { return highest_ - y / kFrameHeight * (highest_ - lowest_); }

  [[nodiscard]] std::string ranges() const {
    return fmt::format("set xrange [{:.6g}:{:.6g}]\nset yrange [{:.6g}:{:.6g}]\n", start_ups(0),
                       start_ups(kFrameWidth), lowest_, highest_);
  }

 private:
  static double octaves(const FrontierPoint& p) { return std::log2(static_cast<double>(p.start_ups)); }
  // With so much room to the right of it.
  void fit(const FrontierPoint& p, double room) {
    const double right = octaves(p) - first_;
    if (right > 0) octave_ = std::min(octave_, (kFrameWidth - 2 * kMargin - room) / right);
  }

  double first_;
  double octave_ = kFrameWidth;  // is so wide
  double lowest_;
  double highest_;
};

// The start-ups that occur, and not those at equal distances; where many lie close, not every one of them.
std::string start_up_tics(std::span<const FrontierPoint> points, const FrontierAxes& axes) {
  std::string out;
  double free_from = 0;
  for (const FrontierPoint& p : points) {
    const std::string number = std::to_string(p.start_ups);
    const double half = (static_cast<double>(number.size()) + 1) * kDigit / 2;
    if (!out.empty() && axes.x(p) - half < free_from) continue;
    free_from = axes.x(p) + half;
    out += (out.empty() ? "" : ", ") + number;
  }
  return out;
}

std::string labels_of(std::span<const FrontierPoint> points, const FrontierAxes& axes) {
  const std::vector<std::string> names = names_in(points);
  const std::vector<const FrontierPoint*> named = named_points(points);
  std::vector<WantedLabel> wanted;
  for (const FrontierPoint* p : named)
    wanted.push_back({axes.x(*p) + kBeside, axes.y(*p) - kAbove, width_of(p->algorithm)});
  const std::vector<std::optional<double>> found = lifted_labels(wanted, kLine, kLine / 2);
  std::string out;
  for (size_t i = 0; i < named.size(); ++i) {
    if (!found[i]) continue;
    const FrontierPoint& p = *named[i];
    const double x = axes.start_ups(wanted[i].x);
    const double y = axes.volume(*found[i]);
    if (*found[i] < wanted[i].y - kLine / 2) {
      out += fmt::format("set arrow from {},{:.6f} to {:.6g},{:.6g} nohead lw 0.6 lc rgb '#999999'\n",
                         p.start_ups, p.over_bound, x, y);
    }
    out += fmt::format("set label {} at {:.6g},{:.6g} left font ',9' tc rgb '{}'\n",
                       gnuplot_string(shown(p.algorithm)), x, y, picture_colour(names, p.algorithm));
  }
  return out;
}

}  // namespace

std::string frontier_plot(const Problem& problem, const Frontier& front, const std::string& format) {
  std::string out = fmt::format("set terminal {} size {},{} noenhanced background 'white'\n",
                                format == "svg" ? "svg" : "pngcairo", kWidth, kHeight);
  out += fmt::format("set title {}\n",
                     gnuplot_string(fmt::format("{}, {}", problem.title(), describe(problem.model()))));
  out += fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen {}\n",
      kLeft, kRight, kBottom, kTop);
  // Where nothing has to start there is no place on a logarithmic axis.
  std::vector<FrontierPoint> points = front.points;
  std::erase_if(points, [](const FrontierPoint& p) { return p.start_ups == 0; });
  if (!points.empty()) {
    const FrontierAxes axes(points);
    out += fmt::format("set xtics ({})\n", start_up_tics(points, axes)) + axes.ranges() +
           labels_of(points, axes);
  }
  out += fmt::format("set xlabel 'start-ups'\nset ylabel '{}, over their lower bound'\n",
                     front.any_pieces ? "messages over a link" : "blocks on the critical path");
  out += "set logscale x 2\nset grid\nset key off\n$front << END\n";
  const std::vector<std::string> names = names_in(points);
  for (const FrontierPoint& p : points) {
    const std::string_view colour = picture_colour(names, p.algorithm);
    out += fmt::format("{} {:.6f} 0x{} {}\n", p.start_ups, p.over_bound, colour.substr(1),
                       gnuplot_string(p.algorithm));
  }
  if (points.empty()) out += "1 0 0 \"\"\n";
  out += "END\n";
  out +=
      "plot $front using 1:2 with steps lc rgb '#888888', '' using 1:2:3 with points pt 7 lc rgb variable\n";
  return out;
}

}  // namespace quadrille
