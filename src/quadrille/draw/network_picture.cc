#include "quadrille/draw/network_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/layout/bends.h"
#include "quadrille/layout/perspective.h"

namespace quadrille {
namespace {

constexpr double kLargestPitch = 42;  // points: small networks do not fill the column
constexpr double kTallest = 1.25;     // of the width
constexpr double kLabelSize = 5.5;
constexpr double kTitleSpace = 12;
constexpr double kSlimmest = 0.85;  // of widths as reckoned: fonts that stand in for Helvetica are wider
constexpr double kPitchForShortened = 24;  // from where on names are shortened rather than left out
constexpr double kPitchForCorners = 10;
constexpr double kMostOfWidth = 0.2;  // that a name takes
constexpr double kPitchForNamesBelow = 6.5;
constexpr uint32_t kCrowdInSpace = 125;
constexpr uint32_t kMostLookedAt =
    400;                    // nodes and, four times as many, links, when a place for a name is looked for
constexpr int kDepths = 4;  // shades of what is farther away

struct OnPaper {
  double x = 0;
  double y = 0;
};

struct Segment {
  OnPaper from{};
  OnPaper to{};
  bool starts_at_node = true;
  bool ends_at_node = true;
  int depth = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// Whether some of a line is in a box: what is left of it between the sides, one pair after the other.
bool crosses(const OnPaper& from, const OnPaper& to, const Box& box) {
  double begin = 0;
  double end = 1;
  const auto between = [&](double at, double by, double low, double high) {
    if (std::abs(by) < 1e-9) return at > low && at < high;
    const double one = (low - at) / by;
    const double other = (high - at) / by;
    begin = std::max(begin, std::min(one, other));
    end = std::min(end, std::max(one, other));
    return begin < end;
  };
  return between(from.x, to.x - from.x, box.left, box.right) &&
         between(from.y, to.y - from.y, box.top, box.bottom);
}

// What of a long name is left out.
enum class Cut : uint8_t { kMiddle, kEnd, kBeginning };

// By whole characters of UTF-8.
std::string shortened(const std::string& words, double room, Cut cut) {
  if (text_width(words, kLabelSize) <= room) return words;
  const auto within = [&](size_t at) {
    return at < words.size() && (static_cast<unsigned char>(words[at]) & 0xc0U) == 0x80U;
  };
  size_t head = cut == Cut::kMiddle ? words.size() / 2 : cut == Cut::kEnd ? words.size() : 0;
  size_t tail = cut == Cut::kEnd ? words.size() : head;
  while (within(head)) --head;
  while (within(tail)) ++tail;
  std::string out;
  for (bool front = true; head > 0 || tail < words.size(); front = !front) {
    if (head > 0 && (front || cut == Cut::kEnd)) {
      do --head;
      while (head > 0 && within(head));
    } else if (tail < words.size()) {
      do ++tail;
      while (within(tail));
    }
    out = words.substr(0, head) + "\u2026" + words.substr(tail);
    if (text_width(out, kLabelSize) <= room) break;
  }
  return out;
}

// --- where things are ----------------------------------------------------------------------------------

class Place {
 public:
  Place(const NetworkScene& scene, bool labels)
      : net_(scene.topology), layout_(scene.layout), view_(scene.layout) {
    least_ = {HUGE_VAL, HUGE_VAL};
    most_ = {-HUGE_VAL, -HUGE_VAL};
    for (const NodeId v : net_.nodes()) cover(view_.see(layout_, v));
    for (const ArcId arc : net_.arcs())
      if (layout_.wraps[index(arc)] != 0) {
        cover(stub_end(net_.tail(arc), net_.head(arc)));
        wraps_ = true;
      }
    for (size_t arc = 0; arc < layout_.bends.size(); ++arc) {
      if (layout_.bends[arc] == 0) continue;
      const size_t a = index(net_.tail(id_at<ArcId>(arc)));
      const size_t b = index(net_.head(id_at<ArcId>(arc)));
      for (const BendPoint& at :
           bent(layout_.x[a], layout_.y[a], layout_.x[b], layout_.y[b], layout_.bends[arc]))
        cover({.x = at.x, .y = at.y});
    }
    for (const NodeId v : net_.nodes()) longest_ = std::max(longest_, text_width(net_.label(v), kLabelSize));
    labels_ = labels;
    has_cut_ = !scene.cut.empty();
    if (layout_.kind == LayoutKind::kLevels) find_levels();
  }

  // Fits into a width; says which height that takes.
  double fit(double width, double tallest) {
    longest_ = std::min(longest_, kMostOfWidth * width);
    const double span_x = most_.x - least_.x;
    const double span_y = most_.y - least_.y;
    // Names take room beside the outermost nodes; how large nodes are depends on the scale, so more than once.
    double side = 6;
    double right = 0;
    double below = 6;
    double above = 0;
    const auto rescale = [&] {
      scale_ = kLargestPitch / layout_.pitch;
      if (span_x > 0) scale_ = std::min(scale_, (width - 2 * side - right) / span_x);
      if (span_y > 0) scale_ = std::min(scale_, (tallest - side - above - below) / span_y);
    };
    for (int round = 0; round < 3; ++round) {
      rescale();
      choose_labels();
      side = below = radius_ + 1.5;
      right = above = 0;
      if (labels_shown_ == Labels::kOutside) side += longest_ + 2, below += 7;
      if (labels_shown_ == Labels::kBeside) right = room_, above = 4;
      // Names of corners reach beyond them, less where links lead round there.
      if (labels_shown_ == Labels::kCorners)
        right = std::max(0.0, longest_ - (wraps_ ? 0.4 * pitch() : 0)), above = 3;
      if (labels_shown_ == Labels::kBelow) {
        right = beyond_the_edge();
        below += has_room_below() ? below_height() + 2 : 0;
        above = 7;
      }
      if (has_cut_) {
        const double area = cut_width() / 2 + 1;
        side = std::max(side, area);
        above = std::max(above, area - side);
        below = std::max(below, area);
      }
    }
    rescale();
    offset_ = {side + (width - 2 * side - right - span_x * scale_) / 2 - least_.x * scale_,
               side + above - least_.y * scale_};
    corner_ = {width, span_y * scale_ + side + above + below};
    return corner_.y;
  }

  void shift(double x, double y) {
    offset_.x += x;
    offset_.y += y;
    shift_ = {x, y};
  }

  /// Whether a box is within the room that the picture has.
  [[nodiscard]] bool holds(const Box& box) const {
    return box.left >= shift_.x && box.right <= shift_.x + corner_.x && box.top >= shift_.y &&
           box.bottom <= shift_.y + corner_.y;
  }
  /// Of the area that nodes of one side of a cut have.
  [[nodiscard]] double cut_width() const { return std::max(2 * radius_ + 4, 0.62 * pitch()); }

  enum class Labels { kNone, kInside, kOutside, kBeside, kBelow, kCorners };

  [[nodiscard]] double pitch() const { return layout_.pitch * scale_; }
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] Labels labels_shown() const { return labels_shown_; }
  [[nodiscard]] double longest() const { return longest_; }
  /// Its name, shortened where there is no room.
  [[nodiscard]] std::string name_of(NodeId v) const { return shortened(net_.label(v), room_, cut_); }
  /// In a drawing by levels: whether the names of a node's level have room beside their nodes. Those of the lowest are below.
  [[nodiscard]] bool has_room_beside(NodeId v) const {
    const Level& level = levels_.at(layout_.y[index(v)]);
    return has_room_beside(level);
  }
  [[nodiscard]] bool has_room_below() const { return pitch() >= kPitchForNamesBelow; }
  [[nodiscard]] bool is_lowest(NodeId v) const { return layout_.y[index(v)] == levels_.rbegin()->first; }
  [[nodiscard]] bool turned_labels() const { return longest_below() + 1 > kSlimmest * pitch(); }
  [[nodiscard]] OnPaper middle() const {
    return {(least_.x + most_.x) / 2 * scale_ + offset_.x, (least_.y + most_.y) / 2 * scale_ + offset_.y};
  }
  [[nodiscard]] OnPaper of(NodeId v) const { return paper(view_.see(layout_, v)); }
  [[nodiscard]] double size_of(NodeId v) const { return radius_ * view_.see(layout_, v).scale; }
  [[nodiscard]] int depth_of(NodeId v) const { return shade(view_.see(layout_, v).depth); }

  // One line, two stubs, or the pieces of an arc.
  [[nodiscard]] std::vector<Segment> segments(ArcId arc) const {
    const NodeId tail = net_.tail(arc);
    const NodeId head = net_.head(arc);
    const int depth = shade((view_.see(layout_, tail).depth + view_.see(layout_, head).depth) / 2);
    if (const double bend = layout_.bends.empty() ? 0 : layout_.bends[index(arc)]; bend != 0) {
      const OnPaper from = of(tail);
      const OnPaper to = of(head);
      const auto points = bent(from.x, from.y, to.x, to.y, bend * scale_);
      std::vector<Segment> out;
      for (size_t i = 0; i < kBendPieces; ++i)
        out.push_back({.from = {points[i].x, points[i].y},
                       .to = {points[i + 1].x, points[i + 1].y},
                       .starts_at_node = i == 0,
                       .ends_at_node = i + 1 == kBendPieces,
                       .depth = depth});
      return out;
    }
    if (layout_.wraps[index(arc)] == 0) return {{.from = of(tail), .to = of(head), .depth = depth}};
    return {
        {.from = of(tail), .to = paper(stub_end(tail, head)), .ends_at_node = false, .depth = depth_of(tail)},
        {.from = paper(stub_end(head, tail)),
         .to = of(head),
         .starts_at_node = false,
         .depth = depth_of(head)}};
  }

 private:
  [[nodiscard]] OnPaper paper(const SeenPoint& at) const {
    return {at.x * scale_ + offset_.x, at.y * scale_ + offset_.y};
  }
  static int shade(double depth) { return std::min(kDepths - 1, static_cast<int>(depth * kDepths)); }

  // Where a link that leads round leaves the picture: away from the other end.
  [[nodiscard]] SeenPoint stub_end(NodeId at, NodeId other) const {
    const size_t a = index(at);
    const size_t b = index(other);
    const double d[3] = {double{layout_.x[a]} - layout_.x[b], double{layout_.y[a]} - layout_.y[b],
                         layout_.is_flat() ? 0 : double{layout_.z[a]} - layout_.z[b]};
    const double length = std::max(1e-9, std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    const double by = 0.5 * layout_.pitch / length;
    return view_.see(layout_.x[a] + by * d[0], layout_.y[a] + by * d[1],
                     (layout_.is_flat() ? 0 : layout_.z[a]) + by * d[2]);
  }
  void cover(const SeenPoint& at) {
    least_ = {std::min(least_.x, at.x), std::min(least_.y, at.y)};
    most_ = {std::max(most_.x, at.x), std::max(most_.y, at.y)};
  }
  // Nodes at one height: how near to each other they are, and what their names take.
  struct Level {
    double gap = HUGE_VAL;
    double longest = 0;
    std::vector<std::pair<float, double>> names{};  // where, and how wide
  };
  void find_levels() {
    for (const NodeId v : net_.nodes()) {
      Level& level = levels_[layout_.y[index(v)]];
      const double wide = text_width(net_.label(v), kLabelSize);
      level.longest = std::max(level.longest, wide);
      level.names.emplace_back(layout_.x[index(v)], wide);
    }
    for (auto& [y, level] : levels_) {
      std::ranges::sort(level.names);
      for (size_t i = 1; i < level.names.size(); ++i)
        level.gap = std::min(level.gap, double{level.names[i].first} - level.names[i - 1].first);
    }
  }
  // How far names beside nodes reach beyond the outermost ones.
  [[nodiscard]] double beyond_the_edge() const {
    double out = 0;
    for (const auto& [y, level] : levels_) {
      if (y == levels_.rbegin()->first || !has_room_beside(level)) continue;
      for (const auto& [x, wide] : level.names)
        out =
            std::max(out, beside() + std::min(wide, longest_) / kSlimmest - radius_ - (most_.x - x) * scale_);
    }
    return out;
  }
  [[nodiscard]] bool has_room_beside(const Level& level) const {
    return std::min(level.longest, longest_) / kSlimmest + beside() + 2 <= level.gap * scale_;
  }
  [[nodiscard]] double beside() const { return 0.75 * radius_ + 0.6; }

  // Of the names of the lowest level, which are below it.
  [[nodiscard]] double longest_below() const { return std::min(levels_.rbegin()->second.longest, longest_); }
  [[nodiscard]] double below_height() const { return turned_labels() ? longest_below() : kLabelSize; }

  void choose_labels() {
    const double p = pitch();
    // Of many nodes in space most stand before others.
    const bool crowded = !layout_.is_flat() && net_.num_nodes() > kCrowdInSpace;
    radius_ = std::clamp((crowded ? 0.12 : 0.17) * p, 0.8, 4.5);
    labels_shown_ = Labels::kNone;
    room_ = longest_;
    if (!labels_) return;
    const double inside = longest_ / 2 + 1.3;
    if (!layout_.is_flat()) {
      if (p >= kPitchForCorners) labels_shown_ = Labels::kCorners;
    } else if (inside <= std::min(0.27 * p, 9.0)) {
      radius_ = std::max(radius_, inside);
      labels_shown_ = Labels::kInside;
    } else if (layout_.kind == LayoutKind::kLevels) {
      labels_shown_ = Labels::kBelow;
    } else if (layout_.kind == LayoutKind::kCircle && p >= 7) {
      labels_shown_ = Labels::kOutside;
    } else if (p >= (layout_.kind == LayoutKind::kGrid ? 15 : 18) &&
               (longest_ <= 0.75 * p || p >= kPitchForShortened)) {
      labels_shown_ = Labels::kBeside;
      room_ = std::min(longest_, std::max(0.75 * p, kLabelSize));
    }
    if (labels_shown_ != Labels::kNone) choose_cut();
  }

  // What tells most nodes apart: their ends as a rule, but not those of "node1 mlx5_0" and "node2 mlx5_0".
  void choose_cut() {
    size_t most = 0;
    for (const Cut cut : {Cut::kMiddle, Cut::kEnd, Cut::kBeginning}) {
      std::set<std::string> names;
      for (const NodeId v : net_.nodes()) names.insert(shortened(net_.label(v), room_, cut));
      if (names.size() <= most) continue;
      most = names.size();
      cut_ = cut;
    }
  }

  const Topology& net_;
  const NetworkLayout& layout_;
  Perspective view_;
  OnPaper least_{};
  OnPaper most_{};
  OnPaper offset_{};
  double scale_ = 1;
  double radius_ = 1;
  double longest_ = 0;
  double room_ = HUGE_VAL;  // for a name
  Cut cut_ = Cut::kMiddle;
  bool labels_ = true;
  bool wraps_ = false;
  bool has_cut_ = false;
  OnPaper corner_{};  // what the picture takes, and where it begins
  OnPaper shift_{};
  Labels labels_shown_ = Labels::kNone;
  std::map<float, Level> levels_{};  // by height, the lowest last; only of a drawing by levels
};

// --- one network ---------------------------------------------------------------------------------------

std::string faded(Colour colour, int depth) { return to_hex(mixed(colour, kPaper, 0.62 * depth / kDepths)); }

class Painter {
 public:
  Painter(Svg& page, const NetworkScene& scene, const Place& place)
      : page_(page),
        scene_(scene),
        net_(scene.topology),
        place_(place),
        plain_(net_.num_arcs() > kMostArrows) {}

  void paint() {
    paint_cut();
    for (int depth = kDepths - 1; depth >= 0; --depth) {
      if (depth > 0 && scene_.layout.is_flat()) continue;
      paint_idle(depth);
      paint_values(depth);
      paint_nodes(depth);
    }
    paint_crossing();
    paint_wrong();
    paint_labels();
  }

 private:
  [[nodiscard]] double value(ArcId arc) const {
    return scene_.values.empty() ? 0 : scene_.values[index(arc)];
  }
  [[nodiscard]] double arrow_size() const { return std::clamp(0.17 * place_.pitch(), 1.6, 4.6); }
  [[nodiscard]] bool two_ways(ArcId arc) const { return net_.reverse(arc) != kNoArc; }

  struct Line {
    OnPaper from{}, to{};
    double ux = 0;  // its direction
    double uy = 0;
  };
  // Between the rims of its ends, beside the middle line.
  [[nodiscard]] Line trimmed(const Segment& segment, ArcId arc, double aside, double before_head) const {
    Line out{segment.from, segment.to};
    const double dx = out.to.x - out.from.x;
    const double dy = out.to.y - out.from.y;
    const double length = std::max(1e-9, std::hypot(dx, dy));
    out.ux = dx / length;
    out.uy = dy / length;
    const double start = segment.starts_at_node ? std::min(place_.size_of(net_.tail(arc)), 0.4 * length) : 0;
    const double end =
        (segment.ends_at_node ? std::min(place_.size_of(net_.head(arc)), 0.4 * length) : 0) + before_head;
    out.from.x += out.ux * start - out.uy * aside;
    out.from.y += out.uy * start + out.ux * aside;
    out.to.x += -out.ux * end - out.uy * aside;
    out.to.y += -out.uy * end + out.ux * aside;
    return out;
  }

  static void add_head(SvgPath& heads, const Line& line, double size) {
    // The line ends at its base.
    const double tip_x = line.to.x + line.ux * size;
    const double tip_y = line.to.y + line.uy * size;
    heads.move(tip_x, tip_y)
        .line(line.to.x - line.uy * size * 0.42, line.to.y + line.ux * size * 0.42)
        .line(line.to.x + line.uy * size * 0.42, line.to.y - line.ux * size * 0.42)
        .close();
  }

  // Links without a value in either direction, one line each; one-way links have their arrow.
  void paint_idle(int depth) {
    std::map<uint32_t, SvgPath> by_capacity;
    SvgPath heads;
    for (const ArcId arc : net_.arcs()) {
      const ArcId back = net_.reverse(arc);
      if (back != kNoArc && (net_.tail(arc) > net_.head(arc))) continue;
      // Also below busy ones, where lines lie beside the middle.
      if (plain_ && (value(arc) > 0 || (back != kNoArc && value(back) > 0))) continue;
      const auto width = static_cast<uint32_t>(std::min(4.0, std::floor(std::log2(net_.capacity(arc)))));
      for (const Segment& segment : place_.segments(arc)) {
        if (segment.depth != depth) continue;
        const bool arrow = back == kNoArc && !plain_ && segment.ends_at_node;
        const Line line = trimmed(segment, arc, 0, arrow ? arrow_size() : 0);
        by_capacity[width].move(line.from.x, line.from.y).line(line.to.x, line.to.y);
        if (arrow) add_head(heads, line, arrow_size());
      }
    }
    const Colour colour = scene_.values.empty() ? mixed(kInk, kPaper, 0.45) : kIdleLink;
    const double thin = std::clamp(0.03 * place_.pitch(), plain_ ? 0.25 : 0.4, 0.8);
    for (const auto& [width, path] : by_capacity)
      page_.stroke(path, {.colour = faded(colour, depth), .width = thin * (1 + 0.8 * width)});
    page_.fill(heads, faded(colour, depth));
  }

  void paint_values(int depth) {
    const uint32_t many = scene_.scale.colours();
    std::vector<SvgPath> lines(many);
    std::vector<SvgPath> heads(many);
    const double beside = plain_ ? 0 : std::clamp(0.06 * place_.pitch(), 0.55, 2.2);
    for (const ArcId arc : net_.arcs()) {
      if (value(arc) <= 0) continue;
      const ArcId back = net_.reverse(arc);
      if (plain_ && back != kNoArc && (value(back) > value(arc) || (value(back) == value(arc) && arc > back)))
        continue;
      const uint32_t colour = scene_.scale.colour_of(value(arc));
      for (const Segment& segment : place_.segments(arc)) {
        if (segment.depth != depth) continue;
        const bool arrow = !plain_ && segment.ends_at_node;
        const Line line = trimmed(segment, arc, two_ways(arc) ? beside : 0, arrow ? arrow_size() : 0);
        lines[colour].move(line.from.x, line.from.y).line(line.to.x, line.to.y);
        if (arrow) add_head(heads[colour], line, arrow_size());
      }
    }
    for (uint32_t i = 0; i < many; ++i) {
      const std::string colour = faded(scene_.scale.colour(i), depth);
      page_.stroke(lines[i], {.colour = colour, .width = value_width(i)});
      page_.fill(heads[i], colour);
    }
  }

  [[nodiscard]] double value_width(uint32_t colour) const {
    const double widest = std::clamp(0.075 * place_.pitch(), plain_ ? 0.5 : 0.7, 2.0);
    const double thinnest = std::min(0.5, 0.6 * widest);
    return thinnest + (widest - thinnest) * scene_.scale.weight(colour);
  }

  void paint_nodes(int depth) {
    const double rim = std::clamp(0.022 * place_.pitch(), 0.3, 0.7);
    const bool outlined = place_.radius() >= 1.4;
    for (const NodeId v : net_.nodes()) {
      if (place_.depth_of(v) != depth) continue;
      const OnPaper at = place_.of(v);
      const double r = place_.size_of(v);
      const bool ringed = std::find(scene_.ringed.begin(), scene_.ringed.end(), v) != scene_.ringed.end();
      const bool wrong =
          std::find(scene_.wrong_nodes.begin(), scene_.wrong_nodes.end(), v) != scene_.wrong_nodes.end();
      const Colour accent = wrong ? kFindingAccent : ringed ? kSelectAccent : kInk;
      const std::string ink = faded(accent, depth);
      if (net_.rank(v)) {
        page_.disc(at.x, at.y, r, outlined ? "#fff" : ink, ink,
                   outlined ? (wrong || ringed ? 2.2 * rim : rim) : 0);
      } else {
        SvgPath box;
        const double half = place_.labels_shown() == Place::Labels::kInside ? r : 0.9 * r;
        box.box(at.x - half, at.y - half, 2 * half, 2 * half);
        page_.fill(box, outlined ? faded({0xdd, 0xe1, 0xe6}, depth) : ink);
        if (outlined) page_.stroke(box, {.colour = ink, .width = wrong || ringed ? 2.2 * rim : rim});
      }
      if (wrong || ringed) page_.disc(at.x, at.y, r + 1.8, "none", ink, rim);
    }
  }

  void paint_labels() {
    using Labels = Place::Labels;
    if (place_.labels_shown() == Labels::kNone) return;
    for (const NodeId v : net_.nodes()) {
      if (place_.labels_shown() == Labels::kCorners && !is_corner(v)) continue;
      const OnPaper at = place_.of(v);
      const std::string words = place_.name_of(v);
      const double r = place_.size_of(v);
      switch (place_.labels_shown()) {
        case Labels::kNone:
          break;
        case Labels::kInside:
          page_.text(at.x, at.y + 1.9, words, {.size = kLabelSize, .anchor = SvgAnchor::kMiddle});
          break;
        case Labels::kOutside:
          outside(at, r, words);
          break;
        case Labels::kBelow:
          if (place_.is_lowest(v) && place_.has_room_below()) below(at, r, words);
          if (place_.is_lowest(v) || !place_.has_room_beside(v)) break;
          [[fallthrough]];
        case Labels::kBeside:
          beside(v, at, r, words);
          break;
        case Labels::kCorners:
          page_.text(at.x + 0.75 * r + 0.6, at.y - 0.75 * r - 0.8, words, {.size = kLabelSize, .halo = true});
      }
    }
  }

  // At the corner of its node where it hides least: other nodes and names, links that carry something, other links.
  void beside(NodeId v, const OnPaper& at, double r, const std::string& words) {
    const double wide = text_width(words, kLabelSize) / kSlimmest;
    const double aside = 0.75 * r + 0.6;
    double least = HUGE_VAL;
    Box best{};
    bool to_the_left = false;
    for (const bool below : {false, true})
      for (const bool left : {false, true}) {
        const double bottom = below ? at.y + 0.75 * r + kLabelSize - 0.6 : at.y - 0.75 * r - 0.8;
        const double begin = left ? at.x - aside - wide : at.x + aside;
        const Box box{begin, bottom - 0.75 * kLabelSize, begin + wide, bottom};
        if ((below || left) && !place_.holds(box)) continue;
        const double hides = hidden_by(box, v) + (below ? 0.5 : 0);
        if (hides >= least) continue;
        least = hides;
        best = box;
        to_the_left = left;
      }
    named_.push_back({best.left - 2, best.top, best.right + 2, best.bottom});
    page_.text(
        to_the_left ? best.right : best.left, best.bottom, words,
        {.size = kLabelSize, .anchor = to_the_left ? SvgAnchor::kEnd : SvgAnchor::kStart, .halo = true});
  }

  [[nodiscard]] double hidden_by(const Box& box, NodeId of) const {
    double out = 0;
    for (const Box& other : named_) out += overlap(box, other) ? 8 : 0;
    const bool all = net_.num_nodes() <= kMostLookedAt && net_.num_arcs() <= 4 * kMostLookedAt;
    if (all)
      for (const NodeId v : net_.nodes()) {
        const OnPaper at = place_.of(v);
        const double r = place_.size_of(v);
        out += v != of && overlap(box, {at.x - r, at.y - r, at.x + r, at.y + r}) ? 8 : 0;
      }
    for (const ArcId arc : all ? net_.arcs() : net_.arcs_from(of))
      for (const Segment& segment : place_.segments(arc))
        if (crosses(segment.from, segment.to, box)) out += value(arc) > 0 ? 3 : 1;
    return out;
  }

  void outside(const OnPaper& at, double r, const std::string& words) {
    const OnPaper middle = place_.middle();
    const double far = std::max(1e-9, std::hypot(at.x - middle.x, at.y - middle.y));
    const double ux = (at.x - middle.x) / far;
    const double uy = (at.y - middle.y) / far;
    const SvgAnchor anchor = ux > 0.3 ? SvgAnchor::kStart : ux < -0.3 ? SvgAnchor::kEnd : SvgAnchor::kMiddle;
    page_.text(at.x + ux * (r + 2), at.y + uy * (r + 4) + 1.9, words,
               {.size = kLabelSize, .anchor = anchor, .halo = true});
  }

  void below(const OnPaper& at, double r, const std::string& words) {
    if (place_.turned_labels()) {
      page_.text(at.x + 1.9, at.y + r + 2, words,
                 {.size = kLabelSize, .anchor = SvgAnchor::kEnd, .turned = -90});
    } else {
      page_.text(at.x, at.y + r + 6.5, words, {.size = kLabelSize, .anchor = SvgAnchor::kMiddle});
    }
  }

  // Of a picture with depth, only the ends of the nearest and the farthest side are named.
  [[nodiscard]] bool is_corner(NodeId v) const {
    const NetworkLayout& layout = scene_.layout;
    const auto at_end = [&](const std::vector<float>& axis) {
      const auto [low, high] = std::minmax_element(axis.begin(), axis.end());
      return axis[index(v)] == *low || axis[index(v)] == *high;
    };
    const auto top = *std::min_element(layout.y.begin(), layout.y.end());
    return at_end(layout.x) && at_end(layout.z) && layout.y[index(v)] == top;
  }

  // A soft area: nodes of one side and the links between them, so that overlaps do not darken.
  void paint_cut() {
    if (scene_.cut.empty()) return;
    std::vector<char> inside(net_.num_nodes());
    for (const NodeId v : scene_.cut) inside[index(v)] = 1;
    const double wide = place_.cut_width();
    SvgPath area;
    for (const ArcId arc : net_.arcs())
      if (inside[index(net_.tail(arc))] != 0 && inside[index(net_.head(arc))] != 0 &&
          scene_.layout.wraps[index(arc)] == 0)
        for (const Segment& segment : place_.segments(arc))
          area.move(segment.from.x, segment.from.y).line(segment.to.x, segment.to.y);
    for (const NodeId v : scene_.cut) {
      const OnPaper at = place_.of(v);
      area.move(at.x - 0.05, at.y).line(at.x + 0.05, at.y);
    }
    fill_meshes(area);
    page_.stroke(area, {.colour = to_hex(mixed(kBlockAccent, kPaper, 0.8)), .width = wide, .round = true});
  }

  // No holes in the middle of four nodes of a grid.
  void fill_meshes(SvgPath& area) const {
    if (scene_.layout.kind != LayoutKind::kGrid || !scene_.layout.is_flat() ||
        scene_.cut.size() > kMostLookedAt)
      return;
    for (const NodeId v : scene_.cut)
      for (const NodeId w : scene_.cut) {
        const OnPaper a = place_.of(v);
        const OnPaper b = place_.of(w);
        if (v < w && std::hypot(a.x - b.x, a.y - b.y) < 1.5 * place_.pitch())
          area.move(a.x, a.y).line(b.x, b.y);
      }
  }

  void paint_crossing() {
    if (scene_.cut.empty()) return;
    std::vector<char> inside(net_.num_nodes());
    for (const NodeId v : scene_.cut) inside[index(v)] = 1;
    SvgPath crossing;
    for (const ArcId arc : net_.arcs()) {
      if (inside[index(net_.tail(arc))] == inside[index(net_.head(arc))]) continue;
      if (two_ways(arc) && net_.tail(arc) > net_.head(arc)) continue;
      for (const Segment& segment : place_.segments(arc)) {
        const Line line = trimmed(segment, arc, 0, 0);
        crossing.move(line.from.x, line.from.y).line(line.to.x, line.to.y);
      }
    }
    page_.stroke(crossing,
                 {.colour = to_hex(kBlockAccent), .width = std::clamp(0.05 * place_.pitch(), 0.8, 1.6)});
  }

  void paint_wrong() {
    const std::string colour = to_hex(kFindingAccent);
    const double size = std::max(3.5, arrow_size());
    for (const ArcId arc : scene_.wrong) {
      SvgPath line_path;
      SvgPath head;
      const double beside = two_ways(arc) ? std::clamp(0.06 * place_.pitch(), 0.55, 2.2) : 0;
      OnPaper sign{};
      const std::vector<Segment> segments = place_.segments(arc);
      for (size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = segments[i];
        const Line line = trimmed(segment, arc, beside, segment.ends_at_node ? size : 0);
        line_path.move(line.from.x, line.from.y).line(line.to.x, line.to.y);
        if (segment.ends_at_node) add_head(head, line, size);
        if (i == segments.size() / 2) sign = {(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
      }
      page_.stroke(line_path, {.colour = "#fff", .width = 2.6});
      page_.stroke(line_path, {.colour = colour, .width = 1.5, .dash = "2.4 1.4"});
      page_.fill(head, colour);
      SvgPath triangle;
      triangle.move(sign.x, sign.y - 4.6)
          .line(sign.x + 4.4, sign.y + 3)
          .line(sign.x - 4.4, sign.y + 3)
          .close();
      page_.fill(triangle, colour);
      page_.stroke(triangle, {.colour = "#fff", .width = 0.6});
      page_.text(sign.x, sign.y + 2.2, "!",
                 {.size = 6.5, .anchor = SvgAnchor::kMiddle, .bold = true, .colour = "#fff"});
    }
  }

  Svg& page_;
  const NetworkScene& scene_;
  const Topology& net_;
  const Place& place_;
  bool plain_;
  std::vector<Box> named_{};  // where names are
};

std::vector<std::string> wrapped(const std::string& words, double width) {
  std::vector<std::string> out;
  std::string line;
  size_t at = 0;
  while (at < words.size()) {
    const size_t end = std::min(words.find_first_of(" \n", at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line.empty() && text_width(line + " " + word, 6.5) > width) {
      out.push_back(std::move(line));
      line.clear();
    }
    line += line.empty() ? word : " " + word;
    if (end < words.size() && words[end] == '\n') {
      out.push_back(std::move(line));
      line.clear();
    }
    at = end + 1;
  }
  if (!line.empty()) out.push_back(std::move(line));
  return out;
}

bool has_values(const NetworkScene& scene) {
  return std::any_of(scene.values.begin(), scene.values.end(), [](float value) { return value > 0; });
}

}  // namespace

void require_drawable(const Topology& topology) {
  if (topology.num_arcs() <= kMostDrawnArcs) return;
  throw InputError(
      fmt::format("{} has {} arcs; a picture shows at most {}: draw a smaller network of the kind",
                  topology.name(), with_thousands(topology.num_arcs()), with_thousands(kMostDrawnArcs)));
}

std::string network_svg(const NetworkScene& scene, const NetworkStyle& style) {
  return strip_svg({&scene, 1}, style);
}

std::string strip_svg(std::span<const NetworkScene> scenes, const NetworkStyle& style) {
  if (scenes.empty() || scenes.size() > kMostScenes)
    throw InputError(
        fmt::format("{} pictures side by side; 1 to {} are possible: give fewer, such as --steps 0:{}",
                    with_thousands(scenes.size()), kMostScenes, std::min<size_t>(8, kMostScenes)));
  require_drawable(scenes[0].topology);
  const bool one = scenes.size() == 1;
  const auto roomy =
      one ? size_t{1} : std::min(scenes.size(), std::max<size_t>(1, static_cast<size_t>(style.width / 115)));
  const size_t across = style.across > 0 ? style.across : roomy;
  const double cell = style.width / static_cast<double>(across);
  const double room = cell - (one ? 4 : 8);
  if (room < 30) throw InputError(fmt::format("a width of {} pt leaves no room", svg_number(style.width)));
  std::vector<Place> places;
  double tallest = 0;
  for (const NetworkScene& scene : scenes) {
    places.emplace_back(scene, style.labels);
    tallest = std::max(tallest, places.back().fit(room, kTallest * room));
  }
  const bool titled =
      std::any_of(scenes.begin(), scenes.end(), [](const auto& scene) { return !scene.title.empty(); });
  const double row = tallest + (titled ? kTitleSpace : 2);
  const size_t rows = (scenes.size() + across - 1) / across;
  const bool legend = std::any_of(scenes.begin(), scenes.end(), has_values) && scenes[0].scale.colours() > 1;
  std::vector<std::string> note;
  for (const NetworkScene& scene : scenes)
    for (std::string& line : wrapped(scene.note, kSlimmest * (style.width - 8)))
      note.push_back(std::move(line));

  double bottom = static_cast<double>(rows) * row + 2;
  Svg page(style.width, bottom + (legend ? kLegendHeight + 4 : 0) + static_cast<double>(note.size()) * 8 +
                            (note.empty() ? 0 : 3));
  for (size_t i = 0; i < scenes.size(); ++i) {
    const double left = static_cast<double>(i % across) * cell + (cell - room) / 2;
    const double top = static_cast<double>(i / across) * row;
    if (!scenes[i].title.empty()) page.text(left, top + 8, scenes[i].title, {.bold = true});
    places[i].shift(left, top + (titled ? kTitleSpace : 2));
    Painter(page, scenes[i], places[i]).paint();
  }
  if (legend) {
    draw_legend(page, 4, bottom + 2, std::min(style.width - 8, 200.0), scenes[0].scale);
    bottom += kLegendHeight + 4;
  }
  for (size_t i = 0; i < note.size(); ++i)
    page.text(4, bottom + 7 + 8 * static_cast<double>(i), note[i], {.size = 6.5});
  return page.finish();
}

}  // namespace quadrille
