#include "quadrille/algorithms/partial_sums/several_centres.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/schedule/step.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostWithCentres = 1'024;  // all distances are looked at
constexpr size_t kMostCentres = SumSlots::kCount;
constexpr int kMostTries = 8;  // of a set of centres
constexpr uint32_t kFar = UINT32_MAX;

using Centres = std::vector<NodeId>;

class CentreSearch {
 public:
  CentreSearch(const Topology& net, std::span<const BlockId> blocks)
      : net_(net), blocks_(blocks), into_(arcs_into(net)) {
    for (const NodeId v : net.nodes()) {
      to_.push_back(distances_to(net, v));
      uint32_t most = 0;
      const std::vector<uint32_t> from = distances_from(net, v);
      for (const NodeId x : net.endpoints()) most = std::max(most, from[index(x)]);
      reach_.push_back(most);
    }
  }

  // Whether so many centres can have all endpoints within so many hops.
  [[nodiscard]] bool may_cover(uint32_t radius) {
    if (most_within_.empty()) {
      for (const std::vector<uint32_t>& hops : to_) {
        std::vector<size_t> within(1, 0);
        for (const NodeId x : net_.endpoints()) {
          const uint32_t far = hops[index(x)];
          if (far >= within.size()) within.resize(size_t{far} + 1, 0);
          ++within[far];
        }
        std::partial_sum(within.begin(), within.end(), within.begin());
        if (most_within_.size() < within.size()) most_within_.resize(within.size(), 0);
        for (size_t r = 0; r < within.size(); ++r) most_within_[r] = std::max(most_within_[r], within[r]);
      }
    }
    return radius >= most_within_.size() || most_within_[radius] * kMostCentres >= net_.num_endpoints();
  }

  // Sums together after `radius` steps and everywhere after as many more as are left.
  [[nodiscard]] std::optional<Plan> plan(uint32_t steps, uint32_t radius) {
    const std::optional<Centres> centres = cover(radius, steps - radius);
    if (!centres) return std::nullopt;
    look_behind(*centres);
    for (int i = 0; i < kMostTries; ++i) {
      if (!spread(*centres, steps - radius)) continue;
      Plan out;
      collect(*centres, radius, out);
      send_out(*centres, out);
      return out;
    }
    return std::nullopt;
  }

 private:
  struct Send {
    ArcId arc;
    uint32_t sums;  // of which centres; of all: the whole
  };

  // Nodes from which all are near enough, so that each endpoint is near one: greedily those with the most, and of those the most central.
  [[nodiscard]] std::optional<Centres> cover(uint32_t radius, uint32_t reach) const {
    std::vector<char> is_covered(net_.num_nodes(), 0);
    size_t left = net_.num_endpoints();
    Centres out;
    while (left > 0) {
      if (out.size() == kMostCentres) return std::nullopt;
      std::pair<size_t, uint64_t> best{0, 0};
      NodeId chosen{};
      for (const NodeId v : net_.nodes()) {
        if (reach_[index(v)] > reach) continue;
        size_t count = 0;
        uint64_t hops = 0;
        for (const NodeId x : net_.endpoints()) {
          const uint32_t far = to_[index(v)][index(x)];
          hops += far;
          if (is_covered[index(x)] == 0 && far <= radius) ++count;
        }
        // The nearer to all, the better; sums of hops are less than this.
        const std::pair<size_t, uint64_t> figure{count, UINT64_MAX - hops};
        if (count > 0 && figure > best) {
          best = figure;
          chosen = v;
        }
      }
      if (best.first == 0) return std::nullopt;
      out.push_back(chosen);
      for (const NodeId x : net_.endpoints()) {
        if (is_covered[index(x)] == 0 && to_[index(chosen)][index(x)] <= radius) {
          is_covered[index(x)] = 1;
          --left;
        }
      }
    }
    return out;
  }

  // Trees towards the centres: every node hands on in the step after those that are further off.
  void collect(const Centres& centres, uint32_t radius, Plan& out) const {
    std::vector<uint32_t> far(net_.num_nodes(), kFar);
    std::vector<ArcId> over(net_.num_nodes(), kNoArc);
    std::vector<NodeId> order;
    for (const NodeId c : centres) {
      far[index(c)] = 0;
      order.push_back(c);
    }
    for (size_t i = 0; i < order.size(); ++i) {
      if (far[index(order[i])] == radius) continue;
      for (const ArcId arc : into_[index(order[i])]) {
        const NodeId v = net_.tail(arc);
        if (far[index(v)] != kFar) continue;
        far[index(v)] = far[index(order[i])] + 1;
        over[index(v)] = arc;
        order.push_back(v);
      }
    }
    std::vector<char> has_any(net_.num_nodes(), 0);
    for (const NodeId v : net_.endpoints()) has_any[index(v)] = 1;
    for (size_t i = order.size(); i-- > centres.size();) {
      if (has_any[index(order[i])] != 0) has_any[index(net_.head(over[index(order[i])]))] = 1;
    }
    StepBuilder step;
    size_t next = order.size();
    for (uint32_t hops = radius; hops > 0; --hops) {
      for (; next > 0 && far[index(order[next - 1])] == hops; --next) {
        const size_t v = index(order[next - 1]);
        if (has_any[v] != 0) step.add({&over[v], 1}, blocks_);
      }
      step.flush(out);
    }
  }

  // Of each sum how far, along shortest ways, the furthest is behind each node: those who have far to go come first.
  void look_behind(const Centres& centres) {
    const size_t k = centres.size();
    behind_.assign(net_.num_nodes() * k, 0);
    std::vector<NodeId> order;
    for (const NodeId v : net_.nodes()) order.push_back(v);
    for (size_t c = 0; c < k; ++c) {
      const std::vector<uint32_t> far = distances_from(net_, centres[c]);
      std::ranges::sort(order, [&far](NodeId a, NodeId b) { return far[index(a)] > far[index(b)]; });
      std::vector<char> leads(net_.num_nodes(), 0);
      for (const NodeId v : net_.endpoints()) leads[index(v)] = 1;
      for (const NodeId v : order) {
        if (leads[index(v)] == 0) continue;
        for (const ArcId arc : into_[index(v)]) {
          const size_t u = index(net_.tail(arc));
          if (far[u] + 1 != far[index(v)]) continue;
          leads[u] = 1;
          behind_[u * k + c] = std::max(behind_[u * k + c], behind_[index(v) * k + c] + 1);
        }
      }
    }
  }

  // Who tells whom which sum in which step, so that all have all; false if they have not.
  [[nodiscard]] bool spread(const Centres& centres, uint32_t steps) {
    const uint32_t all = centres.size() == 32 ? UINT32_MAX : (1U << centres.size()) - 1;
    std::vector<uint32_t> has(net_.num_nodes(), 0);
    std::vector<uint32_t> copies(centres.size(), 1);  // of each sum
    for (size_t c = 0; c < centres.size(); ++c) has[index(centres[c])] = 1U << c;
    std::vector<NodeId> order;
    for (const NodeId v : net_.nodes()) order.push_back(v);
    sent_.assign(steps, {});
    for (uint32_t s = 0; s < steps; ++s) {
      const std::vector<uint32_t> had = has;
      for (const NodeId v : order) {
        if (had[index(v)] == all) continue;
        hear(v, had, has, all, s + 1 == steps, copies, sent_[s]);
      }
    }
    return std::ranges::all_of(net_.endpoints(), [&](NodeId v) { return has[index(v)] == all; });
  }

  void hear(NodeId v, const std::vector<uint32_t>& had, std::vector<uint32_t>& has, uint32_t all,
            bool is_last, std::vector<uint32_t>& copies, std::vector<Send>& sends) {
    const std::vector<ArcId>& arcs = into_[index(v)];
    uint32_t& here = has[index(v)];
    // Who has everything says everything, in place of whatever is there.
    for (const ArcId arc : arcs) {
      if (had[index(net_.tail(arc))] != all) continue;
      sends.push_back({arc, all});
      here = all;
      return;
    }
    if (is_last) {
      if (here == 0 || !net_.rank(v)) return;  // what is there first comes alone
      for (const ArcId arc : arcs) {
        const uint32_t news = had[index(net_.tail(arc))] & ~here;
        if (news == 0) continue;
        sends.push_back({arc, news});
        here |= news;
      }
      return;
    }
    std::vector<ArcId> waiting;
    for (const ArcId arc : arcs) {
      if ((had[index(net_.tail(arc))] & ~here) != 0) waiting.push_back(arc);
    }
    const bool is_first = here == 0;
    constexpr int kNobody = 33;
    while (!waiting.empty()) {
      // The one that has least to choose from comes first, and says what has furthest to go, or is scarcest.
      size_t chosen = 0;
      int fewest = kNobody;
      size_t ties = 0;
      for (size_t i = 0; i < waiting.size(); ++i) {
        const int choices = std::popcount(had[index(net_.tail(waiting[i]))] & ~here);
        if (choices == 0 || choices > fewest) continue;
        if (choices < fewest) ties = 0;
        fewest = choices;
        if (rng_.below(++ties) == 0) chosen = i;
      }
      if (fewest == kNobody) return;
      uint32_t sum = 0;
      ties = 0;
      for (uint32_t news = had[index(net_.tail(waiting[chosen]))] & ~here; news != 0; news &= news - 1) {
        const auto c = static_cast<uint32_t>(std::countr_zero(news));
        const auto urgency = [&](uint32_t x) {
          return std::pair(behind_[index(v) * copies.size() + x], UINT32_MAX - copies[x]);
        };
        if (ties > 0 && urgency(c) < urgency(sum)) continue;
        if (ties > 0 && urgency(c) > urgency(sum)) ties = 0;
        if (rng_.below(++ties) == 0) sum = c;
      }
      sends.push_back({waiting[chosen], 1U << sum});
      here |= 1U << sum;
      ++copies[sum];
      if (is_first) return;
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }

  // What nobody passes on, and nobody wants, is left out; but not what first replaces a node's own while more comes after it.
  void leave_out_needless(uint32_t all) {
    std::vector<size_t> first(net_.num_nodes(), SIZE_MAX);
    for (size_t s = sent_.size(); s-- > 0;) {
      for (const Send& send : sent_[s]) first[index(net_.head(send.arc))] = s;
    }
    std::vector<uint32_t> wanted(net_.num_nodes(), 0);  // sums, from now on
    std::vector<char> adds(net_.num_nodes(), 0);        // whether something is kept beside the first
    for (const NodeId v : net_.endpoints()) wanted[index(v)] = all;
    for (size_t s = sent_.size(); s-- > 0;) {
      std::vector<uint32_t> sends_now(net_.num_nodes(), 0);
      std::vector<NodeId> replaced;
      std::erase_if(sent_[s], [&](const Send& send) {
        const size_t to = index(net_.head(send.arc));
        const bool must_stay = first[to] == s && adds[to] != 0;
        if ((send.sums & wanted[to]) == 0 && !must_stay) return true;
        sends_now[index(net_.tail(send.arc))] |= send.sums;
        if (send.sums == all) replaced.push_back(net_.head(send.arc));
        if (send.sums != all) adds[to] = 1;
        return false;
      });
      for (const NodeId v : replaced) wanted[index(v)] = 0;
      for (const NodeId v : net_.nodes()) wanted[index(v)] |= sends_now[index(v)];
    }
  }

  void send_out(const Centres& centres, Plan& out) {
    const uint32_t all = centres.size() == 32 ? UINT32_MAX : (1U << centres.size()) - 1;
    leave_out_needless(all);
    constexpr uint32_t kNone = UINT32_MAX;
    const size_t k = centres.size();
    std::vector<uint32_t> slot(net_.num_nodes() * k, kNone);
    std::vector<uint32_t> used(net_.num_nodes(), 0);
    for (size_t c = 0; c < k; ++c) {
      slot[index(centres[c]) * k + c] = 0;
      used[index(centres[c])] = 1;
    }
    StepBuilder step;
    for (const std::vector<Send>& sends : sent_) {
      std::vector<std::pair<size_t, uint32_t>> filled;  // which slot of which node and sum
      for (const Send& send : sends) {
        const size_t from = index(net_.tail(send.arc));
        const size_t to = index(net_.head(send.arc));
        SumSlots slots{.from = 0, .to = 0};
        for (uint32_t sums = send.sums; sums != 0; sums &= sums - 1) {
          const uint32_t at = slot[from * k + static_cast<size_t>(std::countr_zero(sums))];
          slots.from |= 1U << at;
        }
        const bool replaces = send.sums == all || used[to] == 0;
        slots.to = replaces ? 0 : used[to];
        used[to] = replaces ? 1 : used[to] + 1;
        for (uint32_t sums = send.sums; sums != 0; sums &= sums - 1)
          filled.emplace_back(to * k + static_cast<size_t>(std::countr_zero(sums)), slots.to);
        step.add({&send.arc, 1}, blocks_, replaces ? TransferOp::kCopy : TransferOp::kDefault, slots);
      }
      for (const auto& [place, number] : filled) slot[place] = number;
      step.flush(out);
    }
  }

  const Topology& net_;
  std::span<const BlockId> blocks_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<std::vector<uint32_t>> to_;  // per node: hops to it
  std::vector<uint32_t> reach_;            // per node: hops to the furthest endpoint
  std::vector<size_t> most_within_;        // per radius: the most endpoints that are so near a node
  std::vector<uint32_t> behind_;           // per node and sum: hops from there to the furthest behind it
  std::vector<std::vector<Send>> sent_;    // per step
  Rng rng_{1};
};

}  // namespace

std::optional<Plan> sums_of_centres(const Problem& problem, uint32_t least, uint32_t before) {
  const Topology& net = problem.topology();
  if (net.num_nodes() > kMostWithCentres || net.num_endpoints() < 2) return std::nullopt;
  std::vector<BlockId> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) blocks.push_back(BlockId{b});
  CentreSearch search(net, blocks);
  for (uint32_t steps = least; steps < before; ++steps) {
    // To be told takes as long as to tell where links lead both ways.
    const uint32_t widest = net.is_directed() ? steps : (steps + 1) / 2;
    for (uint32_t radius = std::min(widest, net.num_nodes()); radius > 0; --radius) {
      if (!search.may_cover(radius)) break;
      if (std::optional<Plan> plan = search.plan(steps, radius)) return plan;
    }
  }
  return std::nullopt;
}

}  // namespace quadrille
