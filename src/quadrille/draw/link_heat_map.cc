#include "quadrille/draw/link_heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/draw/colours.h"
#include "quadrille/draw/svg.h"

namespace quadrille {
namespace link_heat_map_parts {
namespace {

constexpr size_t kShades = 24;
constexpr uint32_t kMostArcsTwoWays = 2000;
constexpr double kMargin = 8;
constexpr double kWidest = 490;  // two columns of a paper
constexpr double kTallest = 640;
constexpr double kNarrowest = 270;  // what the legend needs
constexpr double kPitch = 27;       // at most so many points from node to node

// Of so many planes, so many beside each other.
double rows_of(size_t planes, size_t columns) {
  const size_t rows = (planes + columns - 1) / columns;
  return static_cast<double>(rows);
}

struct Bar {
  double x0, y0, x1, y1;
};

// The end of the scale: 100 %, or a round number above what the busiest link has.
double end_of_scale(double most) {
  return most > 0.5 ? 1.0 : std::max(0.1, std::ceil(most * 10 - 1e-9) / 10);
}

class Map {
 public:
  Map(const Topology& network, const NetworkLayout& layout, std::span<const double> shares,
      const LinkHeatMap& words)
      : network_(network), layout_(layout), shares_(shares), words_(words) {
    QUADRILLE_CHECK(shares.size() == network.num_arcs(), "a share for each arc");
    place();
  }

  std::string draw() {
    Svg page(width_, height_);
    if (!words_.title.empty()) page.text(kMargin, kMargin + 6, words_.title, {.size = 7.5, .bold = true});
    draw_links(page);
    draw_nodes(page);
    draw_legend(page);
    return page.finish();
  }

 private:
  // Planes of a layout with depth stand side by side, each flat, in as many columns as let nodes stand farthest apart.
  void place() {
    std::vector<float> depths = layout_.z;
    std::ranges::sort(depths);
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    planes_ = std::max<size_t>(1, depths.size());
    const auto [left, right] = std::ranges::minmax(layout_.x);
    const auto [top, bottom] = std::ranges::minmax(layout_.y);
    const bool rounds = std::ranges::any_of(layout_.wraps, [](uint8_t w) { return w != 0; });
    const double rim = layout_.pitch * (rounds ? 0.65 : 0.3) * (planes_ > 1 ? 1.2 : 1.0);
    const double wide = right - left + 2 * rim;
    const double high = bottom - top + 2 * rim;
    double scale = 0;
    size_t columns = 1;
    for (size_t c = 1; c <= planes_; ++c) {
      const double rows = rows_of(planes_, c);
      const double fits =
          std::min({kPitch / layout_.pitch, (kWidest - 2 * kMargin) / (wide * static_cast<double>(c)),
                    kTallest / (high * rows)});
      if (fits > scale * 0.9) {
        scale = std::max(0.0, fits);
        columns = c;
      }
    }
    const double rows = rows_of(planes_, columns);
    pitch_ = layout_.pitch * scale;
    const double whole = wide * scale * static_cast<double>(columns);
    width_ = std::max(whole, kNarrowest) + 2 * kMargin;
    const double header = kMargin + (words_.title.empty() ? 0 : 12);
    legend_ = header + high * scale * rows + 10;
    height_ = legend_ + 34;
    for (const NodeId v : network_.nodes()) {
      size_t plane = 0;
      if (planes_ > 1)
        plane = static_cast<size_t>(std::ranges::lower_bound(depths, layout_.z[index(v)]) - depths.begin());
      const auto column = static_cast<double>(plane % columns);
      const size_t full_rows = plane / columns;
      const auto row = static_cast<double>(full_rows);
      x_.push_back((width_ - whole) / 2 + (column * wide + layout_.x[index(v)] - left + rim) * scale);
      y_.push_back(header + (row * high + layout_.y[index(v)] - top + rim) * scale);
    }
  }

  // One line, or two stubs where the arc goes round the picture; `beside` to the right of it. Between planes a slanted stub.
  [[nodiscard]] std::vector<Bar> bars_of(ArcId arc, double beside) const {
    const size_t a = index(network_.tail(arc));
    const size_t b = index(network_.head(arc));
    const bool round = layout_.wraps[index(arc)] != 0;
    if (planes_ > 1 && layout_.z[a] != layout_.z[b]) {
      const double way = (layout_.z[a] < layout_.z[b]) != round ? pitch_ * 0.3 : -pitch_ * 0.3;
      return {{x_[a], y_[a], x_[a] + way, y_[a] - way}};
    }
    double dx = x_[b] - x_[a];
    double dy = y_[b] - y_[a];
    const double length = std::hypot(dx, dy);
    if (length <= 0) return {};
    dx /= round ? -length : length;
    dy /= round ? -length : length;
    const double ox = -dy * beside;
    const double oy = dx * beside;
    if (!round) return {{x_[a] + ox, y_[a] + oy, x_[b] + ox, y_[b] + oy}};
    const double stub = pitch_ * 0.5;
    return {{x_[a] + ox, y_[a] + oy, x_[a] + ox + dx * stub, y_[a] + oy + dy * stub},
            {x_[b] + ox - dx * stub, y_[b] + oy - dy * stub, x_[b] + ox, y_[b] + oy}};
  }

  void draw_links(Svg& page) {
    const bool two_ways = network_.num_arcs() <= kMostArcsTwoWays && pitch_ > 6;
    const double widest = two_ways ? std::clamp(pitch_ * 0.13, 0.9, 3.4) : std::clamp(pitch_ * 0.3, 0.7, 3.0);
    const double most = shares_.empty() ? 0.0 : *std::ranges::max_element(shares_);
    end_ = end_of_scale(most);
    SvgPath idle;
    std::vector<SvgPath> shades(kShades);
    for (const ArcId arc : network_.arcs()) {
      const ArcId back = network_.reverse(arc);
      double share = shares_[index(arc)];
      const bool slanted =
          planes_ > 1 && layout_.z[index(network_.tail(arc))] != layout_.z[index(network_.head(arc))];
      if (!two_ways && !slanted && back != kNoArc) {
        if (index(back) < index(arc)) continue;
        share = std::max(share, shares_[index(back)]);
      }
      const size_t shade = shade_of(share);
      SvgPath& path = share <= 0 ? idle : shades[shade];
      const double beside = two_ways ? widest * 0.62 : 0.0;
      for (const Bar& bar : bars_of(arc, beside)) path.move(bar.x0, bar.y0).line(bar.x1, bar.y1);
    }
    page.stroke(idle, {.colour = to_hex(kIdleLink), .width = 0.4});
    for (size_t i = 0; i < kShades; ++i) {
      const double part = (static_cast<double>(i) + 0.5) / kShades;
      page.stroke(shades[i], {.colour = to_hex(value_colour(part)),
                              .width = std::max(0.5, widest * (0.4 + 0.6 * part))});
    }
  }
  [[nodiscard]] size_t shade_of(double share) const {
    return std::min(kShades - 1, static_cast<size_t>(std::max(0.0, share / end_) * kShades));
  }

  void draw_nodes(Svg& page) const {
    const double radius = std::clamp(pitch_ * 0.14, 0.5, 3.2);
    for (const NodeId v : network_.nodes()) {
      const bool router = !network_.rank(v).has_value();
      page.disc(x_[index(v)], y_[index(v)], router ? radius * 0.8 : radius, to_hex(router ? kPaper : kInk),
                to_hex(kInk), 0.5);
    }
  }

  void draw_legend(Svg& page) const {
    constexpr double kBar = 120;
    const double x = kMargin;
    const double y = legend_;
    for (size_t i = 0; i < kShades; ++i) {
      SvgPath box;
      box.box(x + kBar * static_cast<double>(i) / kShades, y, kBar / kShades + (i + 1 < kShades ? 0.4 : 0.0),
              6);
      page.fill(box, to_hex(value_colour((static_cast<double>(i) + 0.5) / kShades)));
    }
    for (const double share : {0.0, 0.5, 1.0}) {
      page.text(x + kBar * share, y + 13, fmt::format("{:.3g} %", 100 * end_ * share),
                {.size = 6,
                 .anchor = share <= 0   ? SvgAnchor::kStart
                           : share >= 1 ? SvgAnchor::kEnd
                                        : SvgAnchor::kMiddle});
    }
    const double mean = shares_.empty() ? 0
                                        : std::accumulate(shares_.begin(), shares_.end(), 0.0) /
                                              static_cast<double>(shares_.size());
    const double most = shares_.empty() ? 0 : *std::ranges::max_element(shares_);
    SvgPath mark;
    const double at = x + kBar * mean / end_;
    mark.move(at, y - 1).line(at - 2, y - 4.5).line(at + 2, y - 4.5).close();
    page.fill(mark, to_hex(kInk));
    page.text(x + kBar + 8, y + 5.5, fmt::format("mean {:.1f} %, most {:.1f} %", 100 * mean, 100 * most),
              {.size = 6.5});
    std::string words = words_.value;
    if (planes_ > 1) words += "; slanted: to the next plane and the one before";
    page.text(x, y + 23, words, {.size = 6});
  }

  const Topology& network_;
  const NetworkLayout& layout_;
  std::span<const double> shares_;
  const LinkHeatMap& words_;
  std::vector<double> x_{};
  std::vector<double> y_{};
  size_t planes_ = 1;
  double pitch_ = 1;
  double width_ = 1;
  double height_ = 1;
  double legend_ = 0;
  double end_ = 1;
};

}  // namespace
}  // namespace link_heat_map_parts

std::string link_heat_map(const Topology& network, const NetworkLayout& layout,
                          std::span<const double> shares, const LinkHeatMap& words) {
  return link_heat_map_parts::Map(network, layout, shares, words).draw();
}

}  // namespace quadrille
