// Fat tree routers: with few ports it is the routers that are short of them.
//
// A router of level i has nothing to send in the first i steps, and what it sends last has hops before it. In
// between it must send, through its p ports,
//
//     alltoall    N_i (n - N_i) up and N_i (n - N_(i-1)) down, and i - 1 hops follow (and it must receive as
//                 many, from step i on, with i hops to follow),
//     allgather   every block of its leaves up, and to each child all that is not from there: k_i n in all,
//                 (k_h - 1) n at the root; it takes ceil(k_j / p) steps on each lower level j to spread
//                 the last,
//     broadcast   one block to its parent and all children but the one it came from, which then spread it.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/topology/queries/fat_tree.h"

namespace quadrille::bounds {

extern const BoundCard fat_tree_routers;

namespace fat_tree_routers_parts {
namespace {

uint64_t rounded_up(uint64_t amount, uint64_t by) { return (amount + by - 1) / by; }

class Routers {
 public:
  Routers(const Problem& problem, const FatTree& tree) : problem_(problem), tree_(tree) {}

  std::optional<Bound> best() {
    const Ports send = problem_.model().send;
    const Ports receive = problem_.model().receive;
    const CollectiveKind kind = problem_.collective().kind();
    for (uint32_t i = 1; i <= tree_.height(); ++i) {
      if (kind == CollectiveKind::kAlltoall) {
        if (!send.unlimited()) offer(i, exchanged(i), "send", send.count, 2 * uint64_t{i} - 1);
        if (!receive.unlimited()) offer(i, exchanged(i), "receive", receive.count, 2 * uint64_t{i} - 1);
      } else if (!send.unlimited()) {
        const uint64_t parent = i < tree_.height() ? 1 : 0;
        const uint64_t branches = kind == CollectiveKind::kAllgather
                                      ? uint64_t{tree_.leaves()} * (tree_.arity(i) - 1 + parent)
                                      : tree_.arity(i) - 1 + parent;
        offer(i, branches * problem_.collective().pieces(), "send", send.count,
              i + spread_below(i, send.count));
      }
    }
    return best_;
  }

 private:
  [[nodiscard]] uint64_t exchanged(uint32_t i) const {
    const uint64_t n = tree_.leaves();
    const uint64_t below = tree_.below(i);
    return (below * (n - below) + below * (n - tree_.below(i - 1))) * problem_.collective().pieces();
  }

  // Steps to inform all leaves below a child of a router of level i.
  [[nodiscard]] uint64_t spread_below(uint32_t i, uint64_t ports) const {
    uint64_t steps = 0;
    for (uint32_t j = 1; j < i; ++j) steps += rounded_up(tree_.arity(j), ports);
    return steps;
  }

  void offer(uint32_t level, uint64_t blocks, std::string_view verb, uint64_t ports, uint64_t around) {
    const Rational value(static_cast<int64_t>(rounded_up(blocks, ports) + around));
    if (best_ && value <= best_->value) return;
    best_ = Bound{
        fat_tree_routers.name, value,
        fmt::format("a router of level {} must {} {} block{} through {} port{}, and {} step{} lost before "
                    "and after",
                    level, verb, blocks, blocks == 1 ? "" : "s", ports, ports == 1 ? "" : "s", around,
                    around == 1 ? " is" : "s are")};
    // The router above the root is the one that hears of it no sooner than that.
    const Collective& collective = problem_.collective();
    const auto leaf = collective.root() ? static_cast<uint32_t>(index(*collective.root())) : 0;
    best_->evidence = NodeWitness{tree_.ancestor(level, leaf)};
    if (collective.kind() == CollectiveKind::kBroadcast && collective.pieces() == 1)
      best_->evidence = InformedWitness{problem_.topology().endpoint(*collective.root()), 1};
  }

  const Problem& problem_;
  const FatTree& tree_;
  std::optional<Bound> best_;
};

std::optional<Bound> evaluate(const Problem& problem) {
  const CollectiveKind kind = problem.collective().kind();
  if (kind != CollectiveKind::kAlltoall && kind != CollectiveKind::kAllgather &&
      kind != CollectiveKind::kBroadcast)
    return std::nullopt;
  if (problem.model().switching != Switching::kPacket || !why_no_fat_tree(problem.topology()).empty())
    return std::nullopt;
  const FatTree tree(problem.topology());
  return Routers(problem, tree).best();
}

}  // namespace
}  // namespace fat_tree_routers_parts

constinit const BoundCard fat_tree_routers = {
    .name = "fat_tree_routers",
    .summary = "blocks that a router of a fat tree must send, over its ports, and the hops before and after",
    .source =
        "collective communication dissertation 1996, theorems 6.3 and 6.6, with the root that it overlooks",
    .evaluate = fat_tree_routers_parts::evaluate,
};

}  // namespace quadrille::bounds
