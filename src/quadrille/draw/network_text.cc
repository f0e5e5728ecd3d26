// Networks with characters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/draw/character_canvas.h"
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

bool is_whole(const std::vector<float>& axis) {
  return std::all_of(axis.begin(), axis.end(), [](float at) { return at >= 0 && at == std::floor(at); });
}

// The planes of a grid of two or three dimensions; none of what is no such grid.
std::vector<Rows> planes_of_grid(const NetworkScene& scene) {
  const NetworkLayout& layout = scene.layout;
  if (layout.kind != LayoutKind::kGrid || !is_whole(layout.x) || !is_whole(layout.y) || !is_whole(layout.z))
    return {};
  const auto last = [](const std::vector<float>& axis) {
    return axis.empty() ? 0U : static_cast<uint32_t>(*std::max_element(axis.begin(), axis.end()));
  };
  Rows empty{.columns = last(layout.x) + 1};
  empty.node.resize(last(layout.y) + 1, std::vector<NodeId>(empty.columns, kNoNode));
  std::vector<Rows> out(last(layout.z) + 1, empty);
  for (const NodeId v : scene.topology.nodes()) {
    const size_t z = layout.is_flat() ? 0 : static_cast<size_t>(layout.z[index(v)]);
    out[z].node[static_cast<size_t>(layout.y[index(v)])][static_cast<size_t>(layout.x[index(v)])] = v;
  }
  return out;
}

// The links from one plane to another, and how many of them are in use.
std::string between_planes(const NetworkScene& scene) {
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> links;
  const auto plane = [&](NodeId v) { return static_cast<uint32_t>(scene.layout.z[index(v)]); };
  for (const ArcId arc : scene.topology.arcs()) {
    const uint32_t from = plane(scene.topology.tail(arc));
    const uint32_t to = plane(scene.topology.head(arc));
    if (from == to) continue;
    auto& [all, used] = links[{from, to}];
    ++all;
    if (!scene.values.empty() && scene.values[index(arc)] > 0) ++used;
  }
  std::string out;
  for (const auto& [planes, counts] : links) {
    const auto& [from, to] = planes;
    if (scene.values.empty()) {
      if (from < to)
        out += fmt::format("plane {} --- plane {}: {}\n", from, to, plural(counts.first, "link"));
    } else {
      out += fmt::format("plane {} --> plane {}: {} of {} in use\n", from, to, counts.second,
                         plural(counts.first, "link"));
    }
  }
  return out;
}

class Typewriter {
 public:
  Typewriter(const NetworkScene& scene, Rows rows) : scene_(scene), rows_(std::move(rows)) {
    for (const NodeId v : scene.topology.nodes()) width_ = std::max(width_, scene.topology.label(v).size());
  }

  std::string text() const {
    std::string out;
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

std::string network_text(const NetworkScene& scene) {
  const std::string title = scene.title.empty() ? "" : scene.title + "\n";
  if (is_numbered_ring(scene.topology))
    return title + Typewriter(scene, {rows_of_ring(scene.topology)}).text();
  const std::vector<Rows> planes = planes_of_grid(scene);
  if (planes.empty()) return canvas_text(scene);
  if (planes.size() == 1) return title + Typewriter(scene, planes[0]).text();
  std::string out = title;
  for (size_t z = 0; z < planes.size(); ++z)
    out += fmt::format("plane {}\n{}\n", z, Typewriter(scene, planes[z]).text());
  return out + between_planes(scene);
}

}  // namespace quadrille
