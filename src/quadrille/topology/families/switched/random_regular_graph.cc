#include "quadrille/topology/families/switched/random_regular_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "quadrille/base/random.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostNodes = 10'000'000;

class Pairing {
 public:
  Pairing(uint64_t nodes, uint64_t degree, Rng& rng) : rng_(rng) {
    std::vector<uint32_t> ends(nodes * degree);
    for (size_t i = 0; i < ends.size(); ++i) ends[i] = static_cast<uint32_t>(i / degree);
    rng.shuffle(ends);
    for (size_t i = 0; i + 1 < ends.size(); i += 2) links_.push_back({ends[i], ends[i + 1]});
    for (const SwitchLink& link : links_) ++times_[key(link)];
    for (size_t i = 0; i < links_.size() && is_simple_; ++i) repair(i);
  }

  [[nodiscard]] bool is_simple() const { return is_simple_; }

  [[nodiscard]] std::vector<SwitchLink> take() { return std::move(links_); }

 private:
  static uint64_t key(const SwitchLink& link) {
    return (uint64_t{std::min(link.a, link.b)} << 32U) | std::max(link.a, link.b);
  }
  [[nodiscard]] bool is_bad(const SwitchLink& link) const {
    return link.a == link.b || times_.at(key(link)) > 1;
  }
  [[nodiscard]] bool is_there(const SwitchLink& link) const {
    const auto found = times_.find(key(link));
    return found != times_.end() && found->second > 0;
  }

  // Gives a bad link new ends, in exchange with another; after many tries in vain all is to be drawn again.
  void repair(size_t bad) {
    for (size_t tries = 0; is_bad(links_[bad]); ++tries) {
      if (tries > 100 + 20 * links_.size()) {
        is_simple_ = false;
        return;
      }
      const size_t other = rng_.below(links_.size());
      const SwitchLink p = links_[bad];
      SwitchLink q = links_[other];
      if (rng_.below(2) == 1) std::swap(q.a, q.b);
      const SwitchLink first{p.a, q.a};
      const SwitchLink second{p.b, q.b};
      if (other == bad || first.a == first.b || second.a == second.b || is_there(first) || is_there(second) ||
          key(first) == key(second))
        continue;
      --times_[key(p)];
      --times_[key(q)];
      links_[bad] = first;
      links_[other] = second;
      ++times_[key(first)];
      ++times_[key(second)];
    }
  }

  Rng& rng_;
  bool is_simple_ = true;
  std::vector<SwitchLink> links_;
  std::unordered_map<uint64_t, uint32_t> times_;
};

bool is_connected(uint64_t nodes, const std::vector<SwitchLink>& links) {
  std::vector<uint32_t> of(nodes);
  std::iota(of.begin(), of.end(), 0U);
  const auto root = [&of](uint32_t v) {
    while (of[v] != v) v = of[v] = of[of[v]];
    return v;
  };
  uint64_t parts = nodes;
  for (const SwitchLink& link : links) {
    const uint32_t a = root(link.a);
    const uint32_t b = root(link.b);
    if (a == b) continue;
    of[a] = b;
    --parts;
  }
  return parts == 1;
}

// The links that a sparser graph lacks: so few are left to choose from in a dense one that pairing would not end.
std::vector<SwitchLink> complement(uint64_t nodes, const std::vector<SwitchLink>& links) {
  std::vector<std::vector<uint32_t>> not_to(nodes);
  for (const SwitchLink& link : links) not_to[std::min(link.a, link.b)].push_back(std::max(link.a, link.b));
  std::vector<SwitchLink> out;
  for (uint32_t a = 0; a < nodes; ++a) {
    std::sort(not_to[a].begin(), not_to[a].end());
    for (uint32_t b = a + 1; b < nodes; ++b)
      if (!std::binary_search(not_to[a].begin(), not_to[a].end(), b)) out.push_back({a, b});
  }
  return out;
}

}  // namespace

std::vector<SwitchLink> random_regular_links(uint64_t nodes, uint64_t degree, uint64_t seed) {
  Rng rng(seed);
  const bool dense = 2 * degree >= nodes;
  while (true) {
    Pairing pairing(nodes, dense ? nodes - 1 - degree : degree, rng);
    if (!pairing.is_simple()) continue;
    std::vector<SwitchLink> out = dense ? complement(nodes, pairing.take()) : pairing.take();
    if (is_connected(nodes, out)) return out;
  }
}

RegularGraph read_regular_graph(const SpecCall& call) {
  const std::vector<Arg>& args = call.sections[0].args;
  RegularGraph out;
  out.nodes = read_number(call, args[0], "number of nodes", 1, kMostNodes);
  out.degree = read_number(call, args[1], "number of links of a node", 0, kMostNodes);
  const bool exists = out.degree < out.nodes && out.nodes * out.degree % 2 == 0;
  const bool connected = out.degree >= 2 || out.nodes == out.degree + 1;
  if (!exists || !connected) {
    throw call.error(
        call.sections[0].where,
        fmt::format("no connected graph has {} nodes of {} links each: fewer links than nodes are needed, "
                    "at least 2 a node, and nodes times links must be even",
                    out.nodes, out.degree));
  }
  require_buildable(call, Int128{out.nodes}, Int128{out.nodes} * out.degree);
  return out;
}

uint64_t read_seed(const SpecCall& call) {
  if (call.sections.size() < 2) return 1;
  return read_number(call, call.sections[1].args[0], "seed", 0);
}

}  // namespace quadrille
