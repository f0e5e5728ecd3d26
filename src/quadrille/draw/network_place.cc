#include "quadrille/draw/network_place.h"

#include <set>

#include "quadrille/layout/bends.h"

namespace quadrille::network_picture_parts {
namespace {

constexpr double kLargestPitch = 42;       // points: small networks do not fill the column
constexpr double kPitchForShortened = 24;  // from where on names are shortened rather than left out
constexpr double kPitchForCorners = 10;
constexpr double kMostOfWidth = 0.2;  // that a name takes
constexpr double kPitchForNamesBelow = 6.5;
constexpr uint32_t kCrowdInSpace = 125;

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

}  // namespace

Place::Place(const NetworkScene& scene, bool labels)
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

double Place::fit(double width, double tallest) {
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

bool Place::has_room_below() const { return pitch() >= kPitchForNamesBelow; }

std::string Place::name_of(NodeId v) const { return shortened(net_.label(v), room_, cut_); }

std::vector<Segment> Place::segments(ArcId arc) const {
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

SeenPoint Place::stub_end(NodeId at, NodeId other) const {
  const size_t a = index(at);
  const size_t b = index(other);
  const double d[3] = {double{layout_.x[a]} - layout_.x[b], double{layout_.y[a]} - layout_.y[b],
                       layout_.is_flat() ? 0 : double{layout_.z[a]} - layout_.z[b]};
  const double length = std::max(1e-9, std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  const double by = 0.5 * layout_.pitch / length;
  return view_.see(layout_.x[a] + by * d[0], layout_.y[a] + by * d[1],
                   (layout_.is_flat() ? 0 : layout_.z[a]) + by * d[2]);
}

void Place::find_levels() {
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

double Place::beyond_the_edge() const {
  double out = 0;
  for (const auto& [y, level] : levels_) {
    if (y == levels_.rbegin()->first || !has_room_beside(level)) continue;
    for (const auto& [x, wide] : level.names)
      out = std::max(out, beside() + std::min(wide, longest_) / kSlimmest - radius_ - (most_.x - x) * scale_);
  }
  return out;
}

void Place::choose_labels() {
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

void Place::choose_cut() {
  size_t most = 0;
  for (const Cut cut : {Cut::kMiddle, Cut::kEnd, Cut::kBeginning}) {
    std::set<std::string> names;
    for (const NodeId v : net_.nodes()) names.insert(shortened(net_.label(v), room_, cut));
    if (names.size() <= most) continue;
    most = names.size();
    cut_ = cut;
  }
}

}  // namespace quadrille::network_picture_parts
