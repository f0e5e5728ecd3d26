// Served hosts: who alone leads to hosts has to serve them one after the other, and so must itself have heard in time.
//
// A host on one link hears from the node at the other end of it. With k ports and h such hosts that node must have heard
// ceil(h / k) steps before the end. So by then all nodes that serve as many must have, and how many can is a matter of doubling among
// those that serve hosts and those that do not: whoever knows informs k others a step, but none of a sort that nobody of its own sort has
// a link to (where leaf switches have links to spines alone, and these to leaf switches alone, few of the one know of the others), and
// nobody hears before it is as many hops away. Followed are all pairs of how many of the one and of the other can know. A
// reduction is the same backwards.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/dissemination.h"

namespace quadrille::bounds {

extern const BoundCard served_hosts;

namespace served_hosts_parts {
namespace {

constexpr uint64_t kMostServers = 400;  // pairs are followed for each number of them

struct Roles {
  std::vector<uint64_t> needs;  // steps that a node needs for its hosts; 0: it has none
  std::vector<char> is_host;    // on one link, and not the root
  bool links[2][2] = {{false, false}, {false, false}};  // from those who serve (0) or not (1) to those
  std::array<uint64_t, 2> number{};                     // of each sort
  std::array<std::vector<uint64_t>, 2> within{};        // of each sort, by the hops from whoever begins
  uint64_t late = 0;                                    // steps until that one knows
  bool begins_with_server = false;
};

Roles roles_of(const Topology& topology, const Dissemination& spread) {
  std::vector<std::vector<uint32_t>> to(topology.num_nodes());
  std::vector<uint32_t> from(topology.num_nodes(), 0);
  std::vector<uint32_t> server(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    const size_t tail = index(spread.backwards ? topology.head(arc) : topology.tail(arc));
    const size_t head = index(spread.backwards ? topology.tail(arc) : topology.head(arc));
    to[tail].push_back(static_cast<uint32_t>(head));
    ++from[head];
    server[head] = static_cast<uint32_t>(tail);
  }
  Roles out;
  out.is_host.assign(topology.num_nodes(), 0);
  std::vector<uint64_t> hosts(topology.num_nodes(), 0);
  for (const NodeId v : topology.endpoints()) {
    const size_t i = index(v);
    if (v == spread.root || from[i] != 1 || to[i].size() > 1) continue;
    if (to[i].size() == 1 && to[i][0] != server[i]) continue;
    out.is_host[i] = 1;
    ++hosts[server[i]];
  }
  // A root on one link informs one node, and has no more to do.
  size_t first = index(spread.root);
  if (to[first].size() == 1 && out.is_host[to[first][0]] == 0) {
    out.is_host[first] = 1;
    first = to[first][0];
    out.late = 1;
  }
  for (size_t v = 0; v < hosts.size(); ++v)
    out.needs.push_back(out.is_host[v] != 0 ? 0 : (hosts[v] + spread.fan_out - 1) / spread.fan_out);
  out.begins_with_server = out.needs[first] > 0;
  const auto sort_of = [&](size_t v) { return out.needs[v] > 0 ? 0 : 1; };
  std::vector<char> seen(hosts.size(), 0);
  std::vector<uint32_t> reached{static_cast<uint32_t>(first)};
  seen[first] = 1;
  for (size_t i = 0, end = 1; i < end; end = reached.size()) {
    for (size_t u = i; u < end; ++u) ++out.number[static_cast<size_t>(sort_of(reached[u]))];
    for (const size_t sort : {size_t{0}, size_t{1}}) out.within[sort].push_back(out.number[sort]);
    for (; i < end; ++i) {
      for (const uint32_t w : to[reached[i]]) {
        if (out.is_host[w] != 0) continue;
        out.links[sort_of(reached[i])][sort_of(w)] = true;
        if (seen[w] != 0) continue;
        seen[w] = 1;
        reached.push_back(w);
      }
    }
  }
  return out;
}

// By the end of each step, how many of those that serve can know, at the most, until all do.
std::vector<uint64_t> servers_knowing(const Roles& roles, uint64_t ports) {
  const uint64_t all = roles.number[0];
  const auto within = [&](size_t sort, size_t steps) {
    return roles.within[sort][std::min(steps, roles.within[sort].size() - 1)];
  };
  constexpr uint64_t kNever = UINT64_MAX;
  // By how many of the one know, how many of the other can.
  std::vector<uint64_t> others(all + 1, kNever);
  others[roles.begins_with_server ? 1 : 0] = roles.begins_with_server ? 0 : 1;
  std::vector<uint64_t> out{roles.begins_with_server ? 1U : 0U};
  while (out.back() < all) {
    const size_t step = out.size();
    std::vector<uint64_t> next(all + 1, kNever);
    uint64_t most = 0;
    for (uint64_t serve = 0; serve <= all; ++serve) {
      if (others[serve] == kNever) continue;
      const uint64_t sends[2] = {ports * serve, ports * others[serve]};
      uint64_t to_servers = 0;
      uint64_t to_others = 0;
      uint64_t to_servers_alone = 0;
      for (const size_t sort : {size_t{0}, size_t{1}}) {
        if (roles.links[sort][0]) to_servers += sends[sort];
        if (roles.links[sort][1]) to_others += sends[sort];
        if (roles.links[sort][0] && !roles.links[sort][1]) to_servers_alone += sends[sort];
      }
      const uint64_t room = within(0, step) - std::min(within(0, step), serve);
      for (uint64_t more = 0; more <= std::min(to_servers, room); ++more) {
        const uint64_t taken = more - std::min(more, to_servers_alone);
        const uint64_t known = std::min(within(1, step), others[serve] + to_others - taken);
        uint64_t& best = next[serve + more];
        if (best == kNever || known > best) best = known;
        most = std::max(most, serve + more);
      }
    }
    if (most == out.back() && step > roles.within[0].size() + 1 && next == others) break;
    others = std::move(next);
    out.push_back(most);
  }
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (topology.is_outline()) return std::nullopt;
  const std::optional<Dissemination> spread = as_dissemination(problem);
  if (!spread) return std::nullopt;
  const Roles roles = roles_of(topology, *spread);
  if (roles.number[0] < 2 || roles.number[0] > kMostServers) return std::nullopt;
  const std::vector<uint64_t> knowing = servers_knowing(roles, spread->fan_out);
  // Servers by what they need, the most first.
  std::vector<uint64_t> needs;
  for (const uint64_t need : roles.needs)
    if (need > 0) needs.push_back(need);
  std::ranges::sort(needs, std::greater<>());
  uint64_t best = 0;
  uint64_t decide = 0;
  for (size_t i = 0; i < needs.size(); ++i) {
    if (i + 1 < needs.size() && needs[i + 1] == needs[i]) continue;
    const auto enough = std::ranges::find_if(knowing, [&](uint64_t know) { return know > i; });
    const uint64_t steps = roles.late + static_cast<uint64_t>(enough - knowing.begin()) + needs[i];
    if (steps <= best) continue;
    best = steps;
    decide = i + 1;
  }
  if (best == 0) return std::nullopt;
  return Bound{
      served_hosts.name, Rational(static_cast<int64_t>(best + spread->head_start)),
      fmt::format("{} alone lead to hosts for which each needs {} or more, and no sooner than that before "
                  "the end of {} can all of them {}{}",
                  plural(decide, "node"), plural(needs[decide - 1], "step"), plural(best, "step"),
                  spread->backwards ? "begin to be heard of" : "know", spread->head_start_text())};
}

}  // namespace
}  // namespace served_hosts_parts

constinit const BoundCard served_hosts = {
    .name = "served_hosts",
    .summary = "hosts on one link each: who serves them must have heard of a broadcast in time",
    .source = "counting; ours",
    .evaluate = served_hosts_parts::evaluate,
};

}  // namespace quadrille::bounds
