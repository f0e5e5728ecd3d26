// Networks with characters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/draw/network_picture.h"
#include "quadrille/layout/grid_layout.h"

namespace quadrille {
namespace {

// Nodes by row and column, as far as they lie in a grid of whole places: kNoNode where there is none.
struct Rows {
  uint32_t columns = 0;
  std::vector<std::vector<NodeId>> node{};
};

Rows rows_of_ring(const Topology& topology) {
  Rows out{.columns = topology.num_nodes()};
  out.node.emplace_back();
  for (const NodeId v : topology.nodes()) out.node[0].push_back(v);
  return out;
}

Rows rows_of_grid(const NetworkScene& scene) {
  const NetworkLayout& layout = scene.layout;
  const auto whole = [](const std::vector<float>& axis) {
    return std::all_of(axis.begin(), axis.end(), [](float at) { return at >= 0 && at == std::floor(at); });
  };
  if (layout.kind != LayoutKind::kGrid || !layout.is_flat() || !whole(layout.x) || !whole(layout.y))
    throw InputError(
        fmt::format("{} is no grid of two dimensions, line or ring: characters show its space-time diagram "
                    "(--space-time --ascii); its picture needs -o FILE.svg",
                    scene.topology.name()));
  Rows out{.columns = static_cast<uint32_t>(*std::max_element(layout.x.begin(), layout.x.end())) + 1};
  out.node.resize(static_cast<size_t>(*std::max_element(layout.y.begin(), layout.y.end())) + 1,
                  std::vector<NodeId>(out.columns, kNoNode));
  for (const NodeId v : scene.topology.nodes())
    out.node[static_cast<size_t>(layout.y[index(v)])][static_cast<size_t>(layout.x[index(v)])] = v;
  return out;
}

class Typewriter {
 public:
  explicit Typewriter(const NetworkScene& scene)
      : scene_(scene),
        rows_(is_numbered_ring(scene.topology) ? rows_of_ring(scene.topology) : rows_of_grid(scene)) {
    for (const NodeId v : scene.topology.nodes()) width_ = std::max(width_, scene.topology.label(v).size());
  }

  std::string text() const {
    std::string out = scene_.title.empty() ? "" : scene_.title + "\n";
    for (size_t r = 0; r < rows_.node.size(); ++r) {
      out += trimmed(line_of_nodes(r));
      // The last row is joined to the first where links lead round.
      const size_t next = (r + 1) % rows_.node.size();
      if (rows_.node.size() > 1 && (next != 0 || rows_.node.size() > 2))
        out += trimmed(line_between(r, next));
    }
    return out;
  }

 private:
  static std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line.empty() ? "" : line + "\n";
  }
  // Whether there is a link, and whether something goes over it.
  struct Use {
    bool there = false;
    bool used = false;
  };
  [[nodiscard]] Use use(NodeId from, NodeId to) const {
    if (from == kNoNode || to == kNoNode) return {};
    const std::optional<ArcId> arc = scene_.topology.find_arc(from, to);
    if (!arc) return {};
    return {true, !scene_.values.empty() && scene_.values[index(*arc)] > 0};
  }

  [[nodiscard]] std::string line_of_nodes(size_t r) const {
    std::string out;
    for (size_t c = 0; c < rows_.columns; ++c) {
      const NodeId v = rows_.node[r][c];
      out += fmt::format("{:^{}}", v == kNoNode ? "" : scene_.topology.label(v), width_);
      const bool last = c + 1 == rows_.columns;
      if (last && rows_.columns <= 2) continue;
      const NodeId w = rows_.node[r][last ? 0 : c + 1];
      const Use there = use(v, w);
      const Use back = use(w, v);
      if (!there.there && !back.there) {
        out += "     ";
      } else {
        out += back.used ? " <-" : " --";
        out += there.used ? "> " : "- ";
      }
    }
    return out;
  }

  [[nodiscard]] std::string line_between(size_t above, size_t below) const {
    std::string out;
    for (size_t c = 0; c < rows_.columns; ++c) {
      const Use down = use(rows_.node[above][c], rows_.node[below][c]);
      const Use up = use(rows_.node[below][c], rows_.node[above][c]);
      std::string sign;
      if (down.there || up.there) {
        sign = up.used ? "^" : "";
        sign += down.used ? "v" : "";
        if (sign.empty()) sign = "|";
      }
      out += fmt::format("{:^{}}     ", sign, width_);
    }
    return out;
  }

  const NetworkScene& scene_;
  Rows rows_;
  size_t width_ = 1;
};

}  // namespace

std::string network_text(const NetworkScene& scene) { return Typewriter(scene).text(); }

}  // namespace quadrille
