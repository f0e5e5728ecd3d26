#include "quadrille/cli/report/sizes/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/pictures/label_places.h"

namespace quadrille {
namespace {

// Of one network, in points; inside its frame.
constexpr double kWidth = 900;
constexpr double kHeight = 640;
constexpr double kFrameWidth = 790;
constexpr double kFrameHeight = 470;
constexpr double kLine = 14;     // from one name to the next
constexpr double kLetter = 5.7;  // of names of regions
// A power of two has so many places on a curve, of which there are no more than these.
constexpr double kPlacesAnOctave = 8;
constexpr double kMostPlaces = 400;

// The time of an algorithm, in the pieces that are best.
double time_of(const NetworkSweep& made, std::string_view algorithm, uint64_t bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const SizedPlan& plan : made.sweep.plans) {
    if (plan.algorithm == algorithm && !plan.model_only)
      least = std::min(least, plan.time(made.problem.model().cost, bytes));
  }
  return least;
}

std::string shortened(const std::string& name) {
  constexpr size_t kMost = 42;
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

// One network: curves of the algorithms that are the best somewhere, thin over all sizes; the best and the bound.
class SweepPicture {
 public:
  SweepPicture(const NetworkSweep& made, size_t number)
      : made_(made),
        number_(number),
        first_(std::max<uint64_t>(1, made.sweep.rows.front().bytes)),
        last_(std::max<uint64_t>(1, made.sweep.rows.back().bytes)),
        regions_(regions_of(made)) {
    for (const SweepRegion& region : regions_)
      if (std::ranges::find(winners_, name_of(region)) == winners_.end()) winners_.push_back(name_of(region));
    for (const uint64_t bytes : places()) times_.push_back(times_at(bytes));
    for (const Times& times : times_) {
      highest_ = std::max(highest_, *std::ranges::max_element(times.of_winners));
      for (const double time : {times.best(), times.bound})
        if (time > 0) lowest_ = std::min(lowest_, time);
    }
  }

  [[nodiscard]] std::string script() const {
    std::string out = curves();
    out += fmt::format("set title {}\n",
                       gnuplot_string(made_.problem.title() + ", " + describe(made_.problem.model())));
    out += "unset arrow\nunset label\nunset object\n" + regions();
    if (first_ < last_) out += fmt::format("set xrange [{}:{}]\n", first_, last_);
    if (lowest_ < highest_)
      out += fmt::format("set yrange [{:.6g}:{:.6g}]\n", std::pow(10, lowest_decade()),
                         std::pow(10, highest_decade()));
    // Room for the key below.
    out += fmt::format("set bmargin {}\n", 5 + (winners_.size() + 3) / 2);
    out += fmt::format("plot $sweep{} using 1:2 with lines lw 6 lc rgb '#cccccc' title 'the best', \\\n",
                       number_);
    for (size_t w = 0; w < winners_.size(); ++w) {
      out += fmt::format("  '' using 1:{} with lines lw 1.4 lc rgb '{}' title {}, \\\n", w + 3,
                         picture_colour(winners_, winners_[w]), gnuplot_string(shortened(winners_[w])));
    }
    out +=
        fmt::format("  $asked{} using 1:2 with points pt 7 ps 0.5 lc rgb '#444444' notitle, \\\n", number_);
    out += "  '' using 1:3 with lines dt 2 lw 1.6 lc rgb '#000000' title 'no plan takes less'\n";
    return out;
  }

 private:
  // All that is drawn of one size.
  struct Times {
    uint64_t bytes;
    std::vector<double> of_winners;
    double bound;
    [[nodiscard]] double best() const { return *std::ranges::min_element(of_winners); }
  };

  [[nodiscard]] const std::vector<SizeRow>& rows() const { return made_.sweep.rows; }
  [[nodiscard]] const std::string& name_of(const SweepRegion& region) const {
    return made_.sweep.plans[rows()[region.first].best].algorithm;
  }

  // Sizes at which curves are drawn: those that were asked, and others between them.
  [[nodiscard]] std::vector<uint64_t> places() const {
    std::vector<uint64_t> out;
    for (const SizeRow& row : rows())
      if (row.bytes > 0) out.push_back(row.bytes);
    const double octaves = std::log2(static_cast<double>(last_) / static_cast<double>(first_));
    const double places = std::min(kMostPlaces, std::ceil(octaves * kPlacesAnOctave));
    for (double i = 1; i < places; ++i)
      out.push_back(
          static_cast<uint64_t>(std::llround(static_cast<double>(first_) * std::exp2(octaves * i / places))));
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  [[nodiscard]] Times times_at(uint64_t bytes) const {
    Times out{bytes, {}, 0};
    for (const std::string& name : winners_) out.of_winners.push_back(time_of(made_, name, bytes));
    for (const SizeRow& row : rows())
      if (row.bytes <= bytes) out.bound = row.bound.time;
    return out;
  }

  [[nodiscard]] std::string curves() const {
    std::string out = fmt::format("$sweep{} << END\n", number_);
    for (const Times& times : times_) {
      out += fmt::format("{} {:.9g}", times.bytes, times.best());
      for (const double time : times.of_winners) out += fmt::format(" {:.9g}", time);
      out += "\n";
    }
    out += fmt::format("END\n$asked{} << END\n", number_);
    for (const SizeRow& row : rows())
      if (row.bytes > 0) out += fmt::format("{} {:.9g} {:.9g}\n", row.bytes, row.time, row.bound.time);
    return out + "END\n";
  }

  [[nodiscard]] double lowest_decade() const { return std::floor(std::log10(lowest_) + 1e-9); }
  [[nodiscard]] double highest_decade() const { return std::ceil(std::log10(highest_) - 1e-9); }
  // How far up, of the frame.
  [[nodiscard]] double share(double time) const {
    if (time <= 0 || lowest_ >= highest_) return 0;
    return (std::log10(time) - lowest_decade()) / std::max(1.0, highest_decade() - lowest_decade());
  }

  // The part of each algorithm has a tint; its name stands where the curves leave room, above or below, and beside those of other
  // parts.
  [[nodiscard]] std::string regions() const {
    std::vector<double> borders{static_cast<double>(first_)};
    for (size_t r = 1; r < regions_.size(); ++r)
      borders.push_back(border_between(made_, name_of(regions_[r - 1]), rows()[regions_[r].first - 1].bytes,
                                       name_of(regions_[r]), rows()[regions_[r].first].bytes));
    borders.push_back(static_cast<double>(last_));
    const double octaves = std::log2(borders.back() / borders.front());
    std::vector<double> middles;
    for (size_t r = 0; r < regions_.size(); ++r)
      middles.push_back(octaves > 0 ? std::log2(std::sqrt(borders[r] * borders[r + 1]) / borders.front()) /
                                          octaves * kFrameWidth
                                    : kFrameWidth / 2);
    const std::vector<double> named_at = spread_places(middles, kLine, 0, kFrameWidth);
    std::string out;
    for (size_t r = 0; r < regions_.size(); ++r) {
      const std::string& name = name_of(regions_[r]);
      const std::string_view colour = picture_colour(winners_, name);
      if (borders[r] < borders[r + 1]) {
        out += fmt::format(
            "set object rect from {:.6g}, graph 0 to {:.6g}, graph 1 behind fc rgb '{}' fs solid 0.07 noborder\n",
            borders[r], borders[r + 1], colour);
      }
      const double at = borders.front() * std::exp2(octaves * named_at[r] / kFrameWidth);
      const bool above =
          is_free_above(at, kLetter * static_cast<double>(shortened(name).size()) / kFrameHeight);
      out += fmt::format("set label {} at {:.6g}, graph {} rotate by 90 {} font ',9' tc rgb '{}'\n",
                         gnuplot_string(shortened(name)), at, above ? "0.98" : "0.02",
                         above ? "right" : "left", colour);
    }
    return out;
  }

  // Whether a name of that length meets fewer curves at the upper end of the frame than at the lower.
  [[nodiscard]] bool is_free_above(double bytes, double length) const {
    const auto at = std::ranges::min_element(times_, {}, [&](const Times& times) {
      return std::abs(std::log(static_cast<double>(times.bytes) / bytes));
    });
    if (at == times_.end()) return true;
    size_t above = 0;
    size_t below = share(at->bound) < 0.02 + length ? 1 : 0;
    for (const double time : at->of_winners) {
      above += share(time) > 0.98 - length ? 1U : 0U;
      below += share(time) < 0.02 + length ? 1U : 0U;
    }
    return above <= below;
  }

  const NetworkSweep& made_;
  size_t number_;
  uint64_t first_;
  uint64_t last_;
  std::vector<SweepRegion> regions_;
  std::vector<std::string> winners_{};
  std::vector<Times> times_{};
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = 0;
};

}  // namespace

double border_between(const NetworkSweep& made, std::string_view smaller, uint64_t from,
                      std::string_view larger, uint64_t to) {
  uint64_t below = std::max<uint64_t>(1, from);
  uint64_t above = std::max<uint64_t>(1, to);
  const auto middle = [&] { return std::sqrt(static_cast<double>(below) * static_cast<double>(above)); };
  const auto is_passed = [&](uint64_t bytes) {
    return time_of(made, larger, bytes) < time_of(made, smaller, bytes) * (1 - 1e-9);
  };
  if (!is_passed(above) || is_passed(below)) return middle();
  // A thousandth is less than a point of the picture.
  while (above - below > 1 + below / 1000) {
    const uint64_t at = std::clamp(static_cast<uint64_t>(middle()), below + 1, above - 1);
    (is_passed(at) ? above : below) = at;
  }
  return middle();
}

std::string sweep_plot(std::span<const NetworkSweep> all, const std::string& format) {
  const size_t columns = all.size() > 1 ? 2 : 1;
  const size_t lines = (all.size() + columns - 1) / columns;
  std::string out = fmt::format("set terminal {} size {},{} noenhanced background 'white' font ',11'\n",
                                format == "svg" ? "svg" : "pngcairo", kWidth * static_cast<double>(columns),
                                kHeight * static_cast<double>(lines));
  out += fmt::format("set multiplot layout {},{}\n", lines, columns);
  out +=
      "set logscale x 2\nset logscale y 10\nset grid lt 1 lc rgb '#dddddd'\nset key below maxcols 2 font ',10'\n";
  // 2^10, 2^20, ... have names.
  out +=
      "set xtics ('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 4096, '64 KiB' 65536, '1 MiB' 1048576, '16 MiB' 16777216, "
      "'256 MiB' 268435456, '4 GiB' 4294967296, '64 GiB' 68719476736)\n";
  const bool is_timed = !all.empty() && all.front().problem.model().cost.in_microseconds;
  if (is_timed) {
    out +=
        "set ytics ('1 ns' 1e-3, '10 ns' 1e-2, '100 ns' 0.1, '1 us' 1, '10 us' 10, '100 us' 100, '1 ms' 1e3, '10 ms' 1e4, "
        "'100 ms' 1e5, '1 s' 1e6, '10 s' 1e7, '100 s' 1e8, '1000 s' 1e9)\n";
  }
  out += "set xlabel 'message'\nset ylabel 'time'\n";
  for (size_t i = 0; i < all.size(); ++i) out += SweepPicture(all[i], i).script();
  return out + "unset multiplot\n";
}

}  // namespace quadrille
