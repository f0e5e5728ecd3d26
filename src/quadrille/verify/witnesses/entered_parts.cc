#include "quadrille/verify/witnesses/entered_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace quadrille {
namespace {

constexpr uint64_t kMostLinksLookedAt = 400'000'000;  // links looked at

// Of an allreduce, which parts are looked at that nothing leaves for less: those that nothing enters for less either, or all.
enum class Leaving : uint8_t { kEntered, kAll };

// Call an arc dear if it costs so much or more. The parts that no cheap arc leads into are apart from each other; a block that begins
// outside such a part, and that an endpoint in it wants, comes into it over a dear arc. Then all arcs into these parts are called cheap,
// and so on: no arc is counted twice. Sums are the same backwards: each part sends what it adds.
class EnteredParts {
 public:
  EnteredParts(const Problem& problem, bool backwards) : problem_(problem), net_(problem.topology()) {
    for (const ArcId arc : net_.arcs()) {
      const auto tail = static_cast<uint32_t>(index(net_.tail(arc)));
      const auto head = static_cast<uint32_t>(index(net_.head(arc)));
      ends_.emplace_back(backwards ? head : tail, backwards ? tail : head);
    }
    first_.assign(net_.num_nodes() + 1, 0);
    for (const auto& [tail, head] : ends_) ++first_[tail + 1];
    for (size_t v = 0; v < net_.num_nodes(); ++v) first_[v + 1] += first_[v];
    leaving_.resize(ends_.size());
    std::vector<size_t> next(first_.begin(), first_.end() - 1);
    for (uint32_t arc = 0; arc < ends_.size(); ++arc) leaving_[next[ends_[arc].first]++] = arc;
  }

  // Transfers over dear arcs, of a piece of every block; nothing where the work is used up.
  std::optional<uint64_t> entries(std::vector<char> is_dear, Leaving leaving, uint64_t& work) {
    uint64_t sum = 0;
    for (bool again = true; again;) {
      if (work < ends_.size() + net_.num_nodes()) return std::nullopt;
      work -= ends_.size() + net_.num_nodes();
      find_parts(is_dear);
      std::vector<char> is_source(endpoints_.size(), 1);
      std::vector<char> leaves_dearly(endpoints_.size(), 1);  // no cheap arc leads out
      for (uint32_t arc = 0; arc < ends_.size(); ++arc) {
        const auto [from, to] = parts_of(arc);
        if (from == to || is_dear[arc] != 0) continue;
        is_source[to] = 0;
        leaves_dearly[from] = 0;
      }
      std::vector<char> is_sink = leaves_dearly;
      if (leaving == Leaving::kEntered)
        for (size_t part = 0; part < is_sink.size(); ++part) is_sink[part] &= is_source[part];
      const bool exits_count = sums_come_back() && sending(is_sink) > (leaving == Leaving::kEntered ? 1 : 0);
      sum += paid_by_blocks(is_source, is_sink);
      again = false;
      for (uint32_t arc = 0; arc < ends_.size(); ++arc) {
        const auto [from, to] = parts_of(arc);
        const bool is_over =
            is_source[to] != 0 || (exits_count && is_sink[from] != 0 && endpoints_[from] > 0);
        if (from == to || is_dear[arc] == 0 || !is_over) continue;
        is_dear[arc] = 0;
        again = true;
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] std::pair<uint32_t, uint32_t> parts_of(uint32_t arc) const {
    return {part_[ends_[arc].first], part_[ends_[arc].second]};
  }
  [[nodiscard]] bool sums_come_back() const {
    return problem_.collective().kind() == CollectiveKind::kAllreduce;
  }

  [[nodiscard]] uint64_t sending(const std::vector<char>& is_sink) const {
    uint64_t sinks = 0;
    for (size_t part = 0; part < endpoints_.size(); ++part)
      sinks += is_sink[part] != 0 && endpoints_[part] > 0 ? 1 : 0;
    return sinks;
  }

  [[nodiscard]] uint64_t paid_by_blocks(const std::vector<char>& is_source,
                                        const std::vector<char>& is_sink) const {
    const uint64_t all = net_.num_endpoints();
    uint64_t parts = 0;
    uint64_t inside = 0;
    bool some_are_both = false;
    for (size_t part = 0; part < endpoints_.size(); ++part) {
      if (is_source[part] == 0 || endpoints_[part] == 0) continue;
      some_are_both |= is_sink[part] != 0;
      ++parts;
      inside += endpoints_[part];
    }
    // Until the first of them all has everything, among its nodes, each other sink has sent; afterwards each other source receives.
    if (sums_come_back()) {
      const uint64_t both = parts + sending(is_sink);
      return both - std::min<uint64_t>(both, some_are_both ? 2 : 1);
    }
    if (const std::optional<Rank> root = problem_.collective().root()) {
      const uint32_t at = part_[index(net_.endpoint(*root))];
      return parts - (is_source[at] != 0 ? 1 : 0);
    }
    return parts * all - inside;
  }

  // Nodes that reach each other over cheap arcs (Tarjan 1972).
  void find_parts(const std::vector<char>& is_dear) {
    constexpr uint32_t kNone = UINT32_MAX;
    const size_t nodes = net_.num_nodes();
    part_.assign(nodes, kNone);
    endpoints_.clear();
    std::vector<uint32_t> seen(nodes, kNone);
    std::vector<uint32_t> low(nodes, 0);
    std::vector<size_t> next(first_.begin(), first_.end() - 1);
    std::vector<uint32_t> open;
    std::vector<uint32_t> path;
    uint32_t number = 0;
    for (uint32_t start = 0; start < nodes; ++start) {
      if (seen[start] != kNone) continue;
      path.push_back(start);
      while (!path.empty()) {
        const uint32_t v = path.back();
        if (seen[v] == kNone) {
          seen[v] = low[v] = number++;
          open.push_back(v);
        }
        bool goes_on = false;
        for (size_t& i = next[v]; i < first_[v + 1]; ++i) {
          const uint32_t arc = leaving_[i];
          const uint32_t w = ends_[arc].second;
          if (is_dear[arc] != 0 || part_[w] != kNone) continue;
          if (seen[w] == kNone) {
            path.push_back(w);
            goes_on = true;
            break;
          }
          low[v] = std::min(low[v], low[w]);
        }
        if (goes_on) continue;
        path.pop_back();
        if (low[v] != seen[v]) continue;
        endpoints_.push_back(0);
        for (uint32_t w = kNone; w != v;) {
          w = open.back();
          open.pop_back();
          part_[w] = static_cast<uint32_t>(endpoints_.size() - 1);
          endpoints_.back() += net_.rank(NodeId{w}) ? 1 : 0;
        }
      }
    }
  }

  const Problem& problem_;
  const Topology& net_;
  std::vector<std::pair<uint32_t, uint32_t>> ends_{};
  std::vector<size_t> first_{};  // per node, of the arcs that leave it
  std::vector<uint32_t> leaving_{};
  std::vector<uint32_t> part_{};
  std::vector<uint32_t> endpoints_{};  // per part
};

// What is paid for a price is paid for each part of it: of so much for all arcs that cost more than so much.
Int128 paid_one_way(const Problem& problem, const std::vector<uint64_t>& price, bool backwards,
                    Leaving leaving = Leaving::kEntered) {
  std::vector<uint64_t> levels(price);
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  EnteredParts parts(problem, backwards);
  uint64_t work = kMostLinksLookedAt;
  Int128 paid = 0;
  uint64_t below = 0;
  std::vector<char> is_dear(price.size());
  for (const uint64_t level : levels) {
    if (level == 0) continue;
    for (size_t arc = 0; arc < price.size(); ++arc) is_dear[arc] = price[arc] >= level ? 1 : 0;
    const std::optional<uint64_t> entries = parts.entries(is_dear, leaving, work);
    if (!entries) return 0;
    paid += Int128{*entries} * (level - below);
    below = level;
  }
  return paid;
}

}  // namespace

Int128 paid_into_parts(const Problem& problem, const std::vector<uint64_t>& price) {
  const Collective& collective = problem.collective();
  if (collective.flow() == Flow::kMove || collective.counts() != nullptr) return 0;
  if (collective.kind() == CollectiveKind::kAllreduce)
    return std::max({paid_one_way(problem, price, false), paid_one_way(problem, price, true),
                     paid_one_way(problem, price, false, Leaving::kAll)});
  return paid_one_way(problem, price, collective.flow() == Flow::kCombine);
}

}  // namespace quadrille
