#include "quadrille/cli/report/pictures/label_places.h"

#include <algorithm>
#include <cstddef>

namespace quadrille {

std::vector<std::optional<double>> lifted_labels(std::span<const WantedLabel> labels, double height,
                                                 double top) {
  std::vector<std::optional<double>> out(labels.size());
  for (size_t i = labels.size(); i-- > 0;) {
    const WantedLabel& label = labels[i];
    double y = label.y;
    // Every turn goes above one that is in the way.
    for (bool is_free = false; !is_free;) {
      is_free = true;
      for (size_t j = i + 1; j < labels.size(); ++j) {
        if (!out[j] || labels[j].x >= label.x + label.width) continue;
        if (y >= *out[j] + height || y <= *out[j] - height) continue;
        y = *out[j] - height;
        is_free = false;
      }
    }
    if (y >= top) out[i] = y;
  }
  return out;
}

std::vector<double> spread_places(std::span<const double> wanted, double gap, double from, double to) {
  if (wanted.empty()) return {};
  gap = std::min(gap, (to - from) / static_cast<double>(wanted.size()));
  // Neighbours that are too near become a group around the middle of what its members want.
  struct Neighbours {
    double middle;
    size_t size;
  };
  std::vector<Neighbours> groups;
  const auto half = [gap](const Neighbours& group) { return gap * static_cast<double>(group.size) / 2; };
  const auto inside = [&](Neighbours group) {
    group.middle =
        std::clamp(group.middle, from + half(group), std::max(from + half(group), to - half(group)));
    return group;
  };
  for (const double place : wanted) {
    groups.push_back(inside({place, 1}));
    while (groups.size() > 1) {
      const Neighbours last = groups.back();
      const Neighbours before = groups[groups.size() - 2];
      if (before.middle + half(before) <= last.middle - half(last)) break;
      groups.pop_back();
      const auto share = static_cast<double>(last.size) / static_cast<double>(last.size + before.size);
      groups.back() = inside({before.middle * (1 - share) + last.middle * share, last.size + before.size});
    }
  }
  std::vector<double> out;
  for (const Neighbours& group : groups)
    for (size_t i = 0; i < group.size; ++i)
      out.push_back(group.middle - half(group) + gap * (static_cast<double>(i) + 0.5));
  return out;
}

}  // namespace quadrille
