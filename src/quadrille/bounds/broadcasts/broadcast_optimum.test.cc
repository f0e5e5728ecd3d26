#include "quadrille/bounds/broadcasts/broadcast_optimum.test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::testing {
namespace {

using Knowing = uint32_t;  // a bit for each node

class Steps {
 public:
  Steps(const Topology& net, uint32_t ports) : net_(net), ports_(ports) {}

  // All that may know after another step; who could be informed for nothing is.
  std::set<Knowing> after(Knowing before) {
    next_.clear();
    choose(before, before, 0, 0, 0);
    return next_;
  }

 private:
  // Of node v, whose links before `link` have been looked at, and so many ports are used.
  void choose(Knowing before, Knowing now, uint32_t v, size_t link, uint32_t used) {
    if (v == net_.num_nodes()) {
      next_.insert(now);
      return;
    }
    const auto arcs = net_.arcs_from(NodeId{v});
    if (((before >> v) & 1U) == 0 || used == ports_ || link == arcs.size())
      return choose(before, now, v + 1, 0, 0);
    const ArcId arc{
        static_cast<uint32_t>(index(*arcs.begin()) + link)};  // arcs of a node are numbered one after another
    const Knowing head = 1U << index(net_.head(arc));
    if ((now & head) == 0) choose(before, now | head, v, link + 1, used + 1);
    choose(before, now, v, link + 1, used);
  }

  const Topology& net_;
  uint32_t ports_;
  std::set<Knowing> next_;
};

Topology random_network(uint32_t seed) {
  Rng rng(seed);
  const auto nodes = static_cast<uint32_t>(3 + rng.below(6));
  // Of every second network some of the first nodes are switches.
  const uint64_t switches = seed % 2 == 0 ? rng.below(nodes - 1) : 0;
  const auto name = [&](uint64_t v) { return fmt::format("{}{}", v < switches ? 's' : 'n', v); };
  std::string links;
  std::set<std::pair<uint64_t, uint64_t>> known;
  const auto link = [&](uint64_t a, uint64_t b) {
    if (a == b || !known.insert({std::min(a, b), std::max(a, b)}).second) return;
    links += fmt::format("{}{} {}", links.empty() ? "" : ", ", name(a), name(b));
  };
  // A tree, and some links more; of every third network many at the first node.
  for (uint32_t v = 1; v < nodes; ++v) link(v, rng.below(seed % 3 == 1 ? std::min(v, 2U) : v));
  for (uint64_t more = rng.below(nodes); more > 0; --more)
    link(seed % 3 == 0 ? 0 : rng.below(nodes), rng.below(nodes));
  return parse_topology("edges(\"" + links + "\"" + (switches > 0 ? ";\"switches s*\")" : ")"));
}

}  // namespace

uint32_t broadcast_optimum(const Topology& net, NodeId root, uint32_t ports) {
  QUADRILLE_CHECK(net.num_nodes() <= 16, net.name());
  Knowing all = 0;
  for (const NodeId v : net.endpoints()) all |= 1U << index(v);
  Steps steps(net, ports);
  std::set<Knowing> reached{1U << index(root)};
  for (uint32_t out = 0;; ++out) {
    std::set<Knowing> next;
    for (const Knowing knowing : reached) {
      if ((knowing & all) == all) return out;
      next.merge(steps.after(knowing));
    }
    reached = std::move(next);
  }
}

uint32_t hold_against_optima(const char* bound) {
  const BoundCard& card = *bound_catalog().find(bound);
  std::vector<Topology> nets;
  for (const char* spec :
       {"complete(1)", "line(2)", "line(3)", "ring(7)", "mesh(3,3)", "complete(6)", "de_bruijn(2,3)",
        "kautz(2,2)", "xgft(2,2;1,2)", "xgft(3,2;1,2)", "jellyfish(3,2,2;1)", "megafly(1,1,1,2)",
        "edges(\"h a, h b, h c, h d, h e, h f, h g, a b, b c, c d, d e, e f, f g, g a\")",
        "edges(\"a b, a c, b c, c d, d e, e f, e g, e h, f g, f h, g h\")"})
    nets.push_back(parse_topology(spec));
  for (uint32_t seed = 1; seed <= 60; ++seed) nets.push_back(random_network(seed));
  uint32_t exact = 0;
  for (const Topology& net : nets) {
    uint32_t most_links = 0;
    for (const NodeId v : net.nodes()) most_links = std::max(most_links, net.out_degree(v));
    for (const NodeId root : net.endpoints()) {
      for (uint32_t count = 1; count <= std::min(3U, most_links); ++count) {
        const uint32_t optimum = broadcast_optimum(net, root, count);
        for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
          if (kind == CollectiveKind::kReduce && net.is_directed()) continue;
          const Problem problem = standard_problem(net, kind, ports(count), root);
          const std::optional<Bound> found = card.evaluate(problem);
          if (!found) continue;
          EXPECT_LE(found->value, Rational(optimum)) << problem.title() << " with " << count << " ports";
          exact += optimum > 1 && found->value == Rational(optimum) ? 1 : 0;
        }
      }
    }
  }
  return exact;
}

}  // namespace quadrille::testing
