#include "quadrille/draw/character_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/layout/perspective.h"

namespace quadrille {
namespace {

constexpr int kFewestColumns = 40;
constexpr int kMostRows = 60;
constexpr double kTallness = 2;  // of a character: its height by its width
// Where strokes lie on each other more than this, nobody can tell links apart.
constexpr double kLeastOwnCells = 0.7;

struct Cell {
  int x = 0;
  int y = 0;
};

class Canvas {
 public:
  explicit Canvas(const NetworkScene& scene) : scene_(scene) {
    const Perspective view(scene.layout);
    for (const NodeId v : scene.topology.nodes()) {
      places_.push_back(view.see(scene.layout, v));
      names_.push_back(scene.topology.label(v));
      longest_ = std::max(longest_, static_cast<int>(names_.back().size()));
    }
  }

  std::string text() {
    for (int columns = std::max(kFewestColumns, 2 * longest_); columns <= kMostColumns; columns += 10)
      if (place(columns) && can_be_told_apart()) return painted();
    throw InputError(fmt::format(
        "{} is too crowded for {} columns of characters: its picture needs -o FILE.svg (of a plan characters show links "
        "against steps, --space-time --ascii)",
        scene_.topology.name(), kMostColumns));
  }

 private:
  // False if names lie on each other, or next to each other.
  bool place(int columns) {
    double left = HUGE_VAL;
    double right = -HUGE_VAL;
    double top = HUGE_VAL;
    double bottom = -HUGE_VAL;
    for (const SeenPoint& at : places_) {
      left = std::min(left, at.x);
      right = std::max(right, at.x);
      top = std::min(top, at.y);
      bottom = std::max(bottom, at.y);
    }
    const double wide = std::max(right - left, 1e-9);
    const double high = bottom - top;
    const int room = columns - longest_;
    const double by_row = room / wide / kTallness;
    const int rows = std::clamp(static_cast<int>(std::lround(high * by_row)), high > 0 ? 2 : 0, kMostRows);
    columns_ = columns;
    rows_ = rows + 1;
    cells_.clear();
    for (const SeenPoint& at : places_) {
      cells_.push_back({longest_ / 2 + static_cast<int>(std::lround((at.x - left) / wide * room)),
                        high > 0 ? static_cast<int>(std::lround((at.y - top) / high * rows)) : 0});
    }
    taken_.assign(static_cast<size_t>(columns_ + 2) * static_cast<size_t>(rows_), false);
    for (size_t v = 0; v < cells_.size(); ++v) {
      const int from = first_column(v);
      for (int x = from; x <= from + static_cast<int>(names_[v].size()); ++x) {
        std::vector<bool>::reference one =
            taken_[static_cast<size_t>(cells_[v].y) * static_cast<size_t>(columns_ + 2) +
                   static_cast<size_t>(x)];
        if (one) return false;
        one = true;
      }
    }
    return true;
  }

  [[nodiscard]] int first_column(size_t v) const {
    return std::clamp(cells_[v].x - static_cast<int>(names_[v].size()) / 2, 0,
                      columns_ - static_cast<int>(names_[v].size()));
  }

  std::string painted() {
    lines_.assign(static_cast<size_t>(rows_), std::string(static_cast<size_t>(columns_), ' '));
    const bool anything = !scene_.values.empty();
    for (const bool used : {false, true}) {
      for (const ArcId arc : scene_.topology.arcs()) {
        if (used != (anything && scene_.values[index(arc)] > 0)) continue;
        stroke(arc, used, anything);
      }
    }
    for (size_t v = 0; v < cells_.size(); ++v)
      lines_[static_cast<size_t>(cells_[v].y)].replace(static_cast<size_t>(first_column(v)), names_[v].size(),
                                                       names_[v]);
    std::string out = scene_.title.empty() ? "" : scene_.title + "\n";
    for (std::string& line : lines_) {
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

  [[nodiscard]] bool in_a_name(Cell at) const {
    return taken_[static_cast<size_t>(at.y) * static_cast<size_t>(columns_ + 2) + static_cast<size_t>(at.x)];
  }

  [[nodiscard]] bool can_be_told_apart() const {
    std::vector<bool> drawn(taken_.size());
    size_t strokes = 0;
    size_t distinct = 0;
    for (const ArcId arc : scene_.topology.arcs()) {
      if (scene_.topology.reverse(arc) != kNoArc && scene_.topology.reverse(arc) < arc) continue;
      for (const Cell& at : cells_of(arc)) {
        std::vector<bool>::reference here =
            drawn[static_cast<size_t>(at.y) * static_cast<size_t>(columns_ + 2) + static_cast<size_t>(at.x)];
        ++strokes;
        if (!here) ++distinct;
        here = true;
      }
    }
    return static_cast<double>(distinct) >= kLeastOwnCells * static_cast<double>(strokes);
  }

  // All cells between the two ends that are in no name; of a link that leads round only the first.
  [[nodiscard]] std::vector<Cell> cells_of(ArcId arc) const {
    const Cell from = cells_[index(scene_.topology.tail(arc))];
    const Cell to = cells_[index(scene_.topology.head(arc))];
    const bool wraps = scene_.layout.wraps[index(arc)] != 0;
    const int steps = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    std::vector<Cell> out;
    for (int i = 1; i < steps; ++i) {
      const double part = static_cast<double>(i) / steps * (wraps ? -1 : 1);
      const Cell at{from.x + static_cast<int>(std::lround((to.x - from.x) * part)),
                    from.y + static_cast<int>(std::lround((to.y - from.y) * part))};
      if (at.x < 0 || at.x >= columns_ || at.y < 0 || at.y >= rows_) break;
      if (in_a_name(at)) continue;
      out.push_back(at);
      if (wraps) break;
    }
    return out;
  }

  static char sign(int dx, int dy) {
    if (std::abs(dy) * kTallness * 2 <= std::abs(dx)) return '-';
    if (std::abs(dx) <= std::abs(dy) * kTallness / 4) return '|';
    return (dx > 0) == (dy > 0) ? '\\' : '/';
  }
  static char head_sign(int dx, int dy) {
    if (std::abs(dx) >= std::abs(dy) * kTallness) return dx > 0 ? '>' : '<';
    return dy > 0 ? 'v' : '^';
  }

  void stroke(ArcId arc, bool used, bool anything) {
    const Cell from = cells_[index(scene_.topology.tail(arc))];
    const Cell to = cells_[index(scene_.topology.head(arc))];
    const std::vector<Cell> way = cells_of(arc);
    const int round = scene_.layout.wraps[index(arc)] != 0 ? -1 : 1;
    const char drawn = anything && !used ? '.' : sign(round * (to.x - from.x), round * (to.y - from.y));
    for (const Cell& at : way) {
      char& here = lines_[static_cast<size_t>(at.y)][static_cast<size_t>(at.x)];
      if (used && is_head(here)) continue;
      here = drawn;
    }
    if (!used || way.empty()) return;
    const Cell last = way.back();
    lines_[static_cast<size_t>(last.y)][static_cast<size_t>(last.x)] =
        head_sign(round * (to.x - from.x), round * (to.y - from.y));
  }
  static bool is_head(char c) { return c == '>' || c == '<' || c == '^' || c == 'v'; }

  const NetworkScene& scene_;
  std::vector<SeenPoint> places_{};
  std::vector<std::string> names_{};
  int longest_ = 1;
  int columns_ = 0;
  int rows_ = 0;
  std::vector<Cell> cells_{};
  std::vector<bool> taken_{};
  std::vector<std::string> lines_{};
};

}  // namespace

std::string canvas_text(const NetworkScene& scene) { return Canvas(scene).text(); }

}  // namespace quadrille
