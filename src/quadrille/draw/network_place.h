// Where things are in a picture of a network: nodes, links and names on paper, in points, and how large they are.
//
// A layout says where nodes are to each other; here it gets a scale, a margin for what reaches beyond the outermost nodes, and
// names where they have room. draw/network_picture.h paints what is there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/draw/network_picture.h"
#include "quadrille/layout/perspective.h"

namespace quadrille::network_picture_parts {

inline constexpr double kLabelSize = 5.5;
/// Of widths as reckoned: fonts that stand in for Helvetica are wider.
inline constexpr double kSlimmest = 0.85;
/// Shades of what is farther away.
inline constexpr int kDepths = 4;

struct OnPaper {  // points
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

/// What of a long name is left out.
enum class Cut : uint8_t { kMiddle, kEnd, kBeginning };

/// Of one network; the scene stays as long as it does.
class Place {
 public:
  Place(const NetworkScene& scene, bool labels);

  /// Fits into a width; says which height that takes.
  double fit(double width, double tallest);

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
  [[nodiscard]] std::string name_of(NodeId v) const;
  /// In a drawing by levels: whether the names of a node's level have room beside their nodes. Those of the lowest are below.
  [[nodiscard]] bool has_room_beside(NodeId v) const {
    const Level& level = levels_.at(layout_.y[index(v)]);
    return has_room_beside(level);
  }
  [[nodiscard]] bool has_room_below() const;
  [[nodiscard]] bool is_lowest(NodeId v) const { return layout_.y[index(v)] == levels_.rbegin()->first; }
  [[nodiscard]] bool turned_labels() const { return longest_below() + 1 > kSlimmest * pitch(); }
  [[nodiscard]] OnPaper middle() const {
    return {(least_.x + most_.x) / 2 * scale_ + offset_.x, (least_.y + most_.y) / 2 * scale_ + offset_.y};
  }
  [[nodiscard]] OnPaper of(NodeId v) const { return paper(view_.see(layout_, v)); }
  [[nodiscard]] double size_of(NodeId v) const { return radius_ * view_.see(layout_, v).scale; }
  [[nodiscard]] int depth_of(NodeId v) const { return shade(view_.see(layout_, v).depth); }

  /// One line, two stubs, or the pieces of an arc.
  [[nodiscard]] std::vector<Segment> segments(ArcId arc) const;

 private:
  [[nodiscard]] OnPaper paper(const SeenPoint& at) const {
    return {at.x * scale_ + offset_.x, at.y * scale_ + offset_.y};
  }
  static int shade(double depth) { return std::min(kDepths - 1, static_cast<int>(depth * kDepths)); }

  // Where a link that leads round leaves the picture: away from the other end.
  [[nodiscard]] SeenPoint stub_end(NodeId at, NodeId other) const;
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
  void find_levels();
  // How far names beside nodes reach beyond the outermost ones.
  [[nodiscard]] double beyond_the_edge() const;
  [[nodiscard]] bool has_room_beside(const Level& level) const {
    return std::min(level.longest, longest_) / kSlimmest + beside() + 2 <= level.gap * scale_;
  }
  [[nodiscard]] double beside() const { return 0.75 * radius_ + 0.6; }

  // Of the names of the lowest level, which are below it.
  [[nodiscard]] double longest_below() const { return std::min(levels_.rbegin()->second.longest, longest_); }
  [[nodiscard]] double below_height() const { return turned_labels() ? longest_below() : kLabelSize; }

  void choose_labels();

  // What tells most nodes apart: their ends as a rule, but not those of "node1 mlx5_0" and "node2 mlx5_0".
  void choose_cut();

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

}  // namespace quadrille::network_picture_parts
