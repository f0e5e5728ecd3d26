#include "quadrille/topology/structure/nested_parts.h"

#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "quadrille/base/rational.h"

namespace quadrille {
namespace {

class Joining {
 public:
  explicit Joining(const Topology& topology)
      : parts_(topology.num_nodes()),
        part_of_(topology.num_nodes()),
        size_(topology.num_nodes(), 1),
        links_(topology.num_nodes()) {
    std::iota(part_of_.begin(), part_of_.end(), 0U);
    for (const ArcId arc : topology.arcs()) {
      const auto a = static_cast<uint32_t>(index(topology.tail(arc)));
      const auto b = static_cast<uint32_t>(index(topology.head(arc)));
      links_[a][b] += topology.capacity(arc);
      links_[b][a] += topology.capacity(arc);
    }
    count_triangles();
    for (uint32_t a = 0; a < links_.size(); ++a) {
      for (const auto& [b, links] : links_[a])
        if (a < b) offer(a, b, links);
    }
  }

  [[nodiscard]] uint32_t parts() const { return parts_; }

  // False where nothing is left that hangs together.
  bool join_next() {
    while (!offers_.empty()) {
      const Offer next = offers_.top();
      offers_.pop();
      const auto there = links_[next.a].find(next.b);
      // An older offer: the two have grown since, or are gone.
      if (there == links_[next.a].end() || next.sizes != uint64_t{size_[next.a]} * size_[next.b]) continue;
      join(next.a, next.b);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<uint32_t> numbered() const {
    std::vector<uint32_t> number(part_of_.size(), UINT32_MAX);
    std::vector<uint32_t> out;
    uint32_t next = 0;
    for (uint32_t v = 0; v < part_of_.size(); ++v) {
      uint32_t at = v;
      while (part_of_[at] != at) at = part_of_[at];
      if (number[at] == UINT32_MAX) number[at] = next++;
      out.push_back(number[at]);
    }
    return out;
  }

 private:
  struct Offer {
    uint64_t links;
    uint64_t sizes;  // one times the other
    uint32_t a;
    uint32_t b;

    // Whoever has more links for its sizes is greater, then whoever is smaller, then whoever comes first.
    bool operator<(const Offer& other) const {
      const UInt128 here = UInt128{links} * other.sizes;
      const UInt128 there = UInt128{other.links} * sizes;
      if (here != there) return here < there;
      if (sizes != other.sizes) return sizes > other.sizes;
      return std::pair(a, b) > std::pair(other.a, other.b);
    }
  };

  // A link counts as often as its ends have neighbours in common, and once.
  void count_triangles() {
    std::vector<uint32_t> mark(links_.size(), UINT32_MAX);
    std::vector<std::map<uint32_t, uint64_t>> counted = links_;
    for (uint32_t a = 0; a < links_.size(); ++a) {
      for (const auto& [b, links] : links_[a]) mark[b] = a;
      for (auto& [b, links] : counted[a]) {
        uint64_t common = 0;
        for (const auto& [c, others] : links_[b]) common += mark[c] == a ? 1 : 0;
        links *= 1 + common;
      }
    }
    links_ = std::move(counted);
  }

  void offer(uint32_t a, uint32_t b, uint64_t links) {
    offers_.push({links, uint64_t{size_[a]} * size_[b], a, b});
  }

  void join(uint32_t a, uint32_t b) {
    if (links_[a].size() < links_[b].size()) std::swap(a, b);
    part_of_[b] = a;
    size_[a] += size_[b];
    --parts_;
    links_[a].erase(b);
    for (const auto& [c, links] : links_[b]) {
      if (c == a) continue;
      links_[c].erase(b);
      links_[c][a] += links;
      links_[a][c] += links;
    }
    links_[b].clear();
    for (const auto& [c, links] : links_[a]) offer(a, c, links);
  }

  uint32_t parts_;
  std::vector<uint32_t> part_of_;  // or what it has been joined to
  std::vector<uint32_t> size_;
  std::vector<std::map<uint32_t, uint64_t>> links_;
  std::priority_queue<Offer> offers_{};
};

}  // namespace

void for_each_partition(const Topology& topology,
                        const std::function<void(const std::vector<uint32_t>&)>& use) {
  Joining joining(topology);
  uint32_t next = joining.parts();
  while (joining.parts() > 1) {
    if (joining.parts() <= next) {
      use(joining.numbered());
      next = joining.parts() - 1 - joining.parts() / 10;
    }
    if (!joining.join_next()) return;
  }
}

}  // namespace quadrille
