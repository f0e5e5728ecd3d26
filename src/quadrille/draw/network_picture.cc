#include "quadrille/draw/network_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/draw/network_place.h"

namespace quadrille {
namespace network_picture_parts {
namespace {

constexpr double kTallest = 1.25;  // of the width
constexpr double kTitleSpace = 12;
constexpr uint32_t kMostLookedAt =
    400;  // nodes and, four times as many, links, when a place for a name is looked for

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
    std::string longer = line.empty() ? word : fmt::format("{} {}", line, word);
    if (!line.empty() && text_width(longer, 6.5) > width) {
      out.push_back(std::move(line));
      longer = word;
    }
    line = std::move(longer);
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
}  // namespace network_picture_parts

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
  using network_picture_parts::has_values;
  using network_picture_parts::kSlimmest;
  using network_picture_parts::kTallest;
  using network_picture_parts::kTitleSpace;
  using network_picture_parts::Painter;
  using network_picture_parts::Place;
  using network_picture_parts::wrapped;
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
    const size_t above = i / across;
    const double top = static_cast<double>(above) * row;
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
