#include "quadrille/topology/structure/same_looks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace quadrille {
namespace same_looks_parts {
namespace {

// A link as its end sees it: where it leads, and what it is like.
struct Sight {
  uint32_t node;
  uint64_t like;
};

// Both networks as one: those of the second come after those of the first.
class BothNetworks {
 public:
  BothNetworks(const Topology& from, const Topology& to)
      : half_(from.num_nodes()), sights_(size_t{2} * half_) {
    add(from, 0);
    add(to, half_);
    uint32_t kinds = 0;
    std::map<std::pair<bool, size_t>, uint32_t> known;
    for (uint32_t v = 0; v < num_nodes(); ++v) {
      const Topology& net = is_first(v) ? from : to;
      const bool takes_part = net.rank(NodeId{is_first(v) ? v : v - half_}).has_value();
      const auto [at, is_new] = known.try_emplace({takes_part, sights_[v].size()}, kinds);
      if (is_new) ++kinds;
      kind_.push_back(at->second);
    }
  }

  [[nodiscard]] uint32_t num_nodes() const { return 2 * half_; }
  [[nodiscard]] uint32_t half() const { return half_; }
  [[nodiscard]] bool is_first(uint32_t node) const { return node < half_; }
  [[nodiscard]] std::span<const Sight> sights(uint32_t node) const { return sights_[node]; }
  [[nodiscard]] uint32_t kind(uint32_t node) const { return kind_[node]; }

 private:
  // Of links that differ by direction both ends see both.
  void add(const Topology& net, uint32_t first) {
    constexpr uint64_t kWays = 3;  // out, in, and alike both ways
    for (const ArcId arc : net.arcs()) {
      const auto tail = first + static_cast<uint32_t>(index(net.tail(arc)));
      const auto head = first + static_cast<uint32_t>(index(net.head(arc)));
      const ArcId back = net.reverse(arc);
      const bool is_alike = back != kNoArc && net.capacity(back) == net.capacity(arc);
      const uint64_t width = uint64_t{net.capacity(arc)} * kWays;
      sights_[tail].push_back({head, spread(width + (is_alike ? 2 : 0))});
      if (!is_alike) sights_[head].push_back({tail, spread(width + 1)});
    }
  }
  // So that sums tell apart what was added up, as a rule (what comes out is looked at once more), and are never 0.
  static uint64_t spread(uint64_t value) {
    value = (value + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
    return ((value ^ (value >> 29U)) * 0x94d049bb133111ebU >> 24U) | 1U;
  }

  uint32_t half_;
  std::vector<std::vector<Sight>> sights_;
  std::vector<uint32_t> kind_{};
};

// The parts: stretches of a list of all nodes, each known by its first place.
struct Parts {
  std::vector<uint32_t> nodes{};
  std::vector<uint32_t> place{};  // of each node
  std::vector<uint32_t> part{};   // of each node
  std::vector<uint32_t> size{};   // of each part
};

class Pairing {
 public:
  Pairing(const BothNetworks& nets, uint64_t most_looks)
      : nets_(nets),
        looks_left_(most_looks),
        seen_(nets.num_nodes(), 0),
        is_waiting_(nets.num_nodes(), false) {
    const uint32_t count = nets.num_nodes();
    for (uint32_t v = 0; v < count; ++v) now_.nodes.push_back(v);
    std::ranges::stable_sort(now_.nodes, {}, [&](uint32_t v) { return nets_.kind(v); });
    now_.place.resize(count);
    now_.part.resize(count);
    now_.size.assign(count, 0);
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t node = now_.nodes[i];
      if (i == 0 || nets_.kind(node) != nets_.kind(now_.nodes[i - 1])) part = i;
      now_.place[node] = i;
      now_.part[node] = part;
      ++now_.size[part];
    }
  }

  bool run() {
    for (uint32_t at = 0; at < now_.nodes.size(); at += now_.size[at]) {
      if (!is_even(at, at + now_.size[at])) return false;
      wait(at);
    }
    return follow() && pair_from(0);
  }
  [[nodiscard]] std::vector<NodeId> image() const {
    std::vector<NodeId> out(nets_.half(), kNoNode);
    for (uint32_t at = 0; at < now_.nodes.size(); at += 2) {
      const auto [first, second] = std::minmax(now_.nodes[at], now_.nodes[at + 1]);
      out[first] = NodeId{second - nets_.half()};
    }
    return out;
  }

 private:
  // One after the other from this place on; all before are pairs.
  bool pair_from(uint32_t at) {
    while (at < now_.nodes.size() && now_.size[at] == 2) at += 2;
    if (at == now_.nodes.size()) return true;
    std::vector<uint32_t> members(now_.nodes.begin() + at, now_.nodes.begin() + at + now_.size[at]);
    std::ranges::sort(members);  // ours first, and both in the order of their numbers
    const uint32_t ours = members.front();
    const Parts before = now_;
    for (const uint32_t theirs : members) {
      if (nets_.is_first(theirs)) continue;
      give(at, ours, theirs);
      if (follow() && pair_from(at)) return true;
      if (looks_left_ == 0) return false;
      now_ = before;
    }
    return false;
  }

  // The two become a part, the first of those that theirs falls into.
  void give(uint32_t at, uint32_t ours, uint32_t theirs) {
    put(ours, at);
    put(theirs, at + 1);
    const uint32_t size = now_.size[at];
    now_.size[at] = 2;
    now_.size[at + 2] = size - 2;
    for (uint32_t i = at + 2; i < at + size; ++i) now_.part[now_.nodes[i]] = at + 2;
    wait(at);
  }
  void put(uint32_t node, uint32_t to) {
    const uint32_t from = now_.place[node];
    const uint32_t other = now_.nodes[to];
    std::swap(now_.nodes[from], now_.nodes[to]);
    now_.place[node] = to;
    now_.place[other] = from;
  }

  void wait(uint32_t part) {
    if (is_waiting_[part]) return;
    is_waiting_[part] = true;
    waiting_.push_back(part);
  }

  // Until nobody's looks tell anything new; false where some part has not as many of both networks.
  bool follow() {
    bool fits = true;
    while (!waiting_.empty()) {
      const uint32_t part = waiting_.back();
      waiting_.pop_back();
      is_waiting_[part] = false;
      fits = fits && look_from(part);
    }
    return fits;
  }

  bool look_from(uint32_t part) {
    touched_.clear();
    for (uint32_t i = part; i < part + now_.size[part]; ++i) {
      for (const Sight& sight : nets_.sights(now_.nodes[i])) {
        if (looks_left_ == 0) break;
        --looks_left_;
        if (seen_[sight.node] == 0) touched_.push_back(sight.node);
        seen_[sight.node] += sight.like;
      }
    }
    std::ranges::sort(touched_, {}, [&](uint32_t v) { return std::tuple(now_.part[v], seen_[v], v); });
    bool fits = looks_left_ > 0;
    for (size_t first = 0; first < touched_.size() && fits;) {
      size_t end = first + 1;
      while (end < touched_.size() && now_.part[touched_[end]] == now_.part[touched_[first]]) ++end;
      fits = divide(now_.part[touched_[first]], std::span(touched_).subspan(first, end - first));
      first = end;
    }
    for (const uint32_t v : touched_) seen_[v] = 0;
    return fits;
  }

  // Those that were seen leave the others of their part, and each other where they were seen otherwise.
  bool divide(uint32_t part, std::span<const uint32_t> members) {
    const uint32_t end = part + now_.size[part];
    const bool are_all = members.size() == now_.size[part];
    if (are_all && seen_[members.front()] == seen_[members.back()]) return true;
    const bool was_waiting = is_waiting_[part];
    auto at = static_cast<uint32_t>(end - members.size());
    for (size_t i = members.size(); i-- > 0;) put(members[i], static_cast<uint32_t>(at + i));
    starts_.clear();
    if (!are_all) starts_.push_back(part);
    for (size_t i = 0; i < members.size(); ++i)
      if (i == 0 || seen_[members[i]] != seen_[members[i - 1]])
        starts_.push_back(static_cast<uint32_t>(at + i));
    uint32_t largest = part;
    uint32_t most = 0;
    for (size_t k = 0; k < starts_.size(); ++k) {
      const uint32_t start = starts_[k];
      const uint32_t next = k + 1 < starts_.size() ? starts_[k + 1] : end;
      if (!is_even(start, next)) return false;
      now_.size[start] = next - start;
      for (uint32_t i = start; i < next; ++i) now_.part[now_.nodes[i]] = start;
      if (next - start > most) {
        most = next - start;
        largest = start;
      }
    }
    // What the whole part has told the largest of its parts need not tell.
    for (const uint32_t start : starts_)
      if (was_waiting || start != largest) wait(start);
    return true;
  }

  [[nodiscard]] bool is_even(uint32_t first, uint32_t end) const {
    uint32_t ours = 0;
    for (uint32_t i = first; i < end; ++i) ours += nets_.is_first(now_.nodes[i]) ? 1 : 0;
    return 2 * ours == end - first;
  }

  const BothNetworks& nets_;
  uint64_t looks_left_;
  Parts now_{};
  std::vector<uint32_t> waiting_{};
  std::vector<uint64_t> seen_;
  std::vector<bool> is_waiting_;
  std::vector<uint32_t> touched_{};
  std::vector<uint32_t> starts_{};
};

// Exactly: sums of looks may be equal by chance.
bool is_isomorphism(const Topology& from, const Topology& to, std::span<const NodeId> image) {
  for (const ArcId arc : from.arcs()) {
    const auto link = to.find_arc(image[index(from.tail(arc))], image[index(from.head(arc))]);
    if (!link || to.capacity(*link) != from.capacity(arc)) return false;
  }
  for (const NodeId v : from.nodes())
    if (from.rank(v).has_value() != to.rank(image[index(v)]).has_value()) return false;
  return true;
}

}  // namespace
}  // namespace same_looks_parts

std::optional<std::vector<NodeId>> image_by_looks(const Topology& from, const Topology& to,
                                                  uint64_t most_looks) {
  namespace parts = same_looks_parts;
  if (from.num_nodes() != to.num_nodes() || from.num_arcs() != to.num_arcs() ||
      from.num_endpoints() != to.num_endpoints())
    return std::nullopt;
  const parts::BothNetworks nets(from, to);
  parts::Pairing pairing(nets, most_looks);
  if (!pairing.run()) return std::nullopt;
  std::vector<NodeId> out = pairing.image();
  if (!parts::is_isomorphism(from, to, out)) return std::nullopt;
  return out;
}

}  // namespace quadrille
