// Waiting middle: what must pass a node, or a link, that alone joins parts of the network, and the steps in which none of it can.
//
// As of a middle node, so many sends take so many steps. Besides, nothing comes to it in the first steps unless it comes from
// near, and what it sends last has hops before it: of a line of n with one port, the node in the middle must send n + 1 blocks of an
// allgather, and both ends are n/2 - 1 hops from its neighbours, so that there are none in the last n/2 - 1 steps. No
// pieces make that more, so these steps are not in proportion to them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille::bounds {

extern const BoundCard waiting_middle;

namespace waiting_middle_parts {
namespace {

constexpr uint64_t kMostSearched = uint64_t{1}
                                   << 26U;  // links, looked at from every node or link in the middle

// How many endpoints are how many hops away.
struct Levels {
  std::vector<uint64_t> at;
  uint64_t endpoints = 0;
  std::optional<uint32_t> root{};  // the root's, if it is one of them

  void add(uint32_t hops, bool is_root) {
    if (hops >= at.size()) at.resize(hops + 1, 0);
    ++at[hops];
    ++endpoints;
    if (is_root) root = hops;
  }
  [[nodiscard]] uint32_t farthest() const { return static_cast<uint32_t>(at.size()) - 1; }
};

// All but some of them.
Levels without(const Levels& all, const Levels& some) {
  Levels out = all;
  for (size_t hops = 0; hops < some.at.size(); ++hops) out.at[hops] -= some.at[hops];
  while (!out.at.empty() && out.at.back() == 0) out.at.pop_back();
  out.endpoints -= some.endpoints;
  if (some.root) out.root.reset();
  return out;
}

// Blocks that pass, by the hops before and by those after.
class Passing {
 public:
  explicit Passing(const Problem& problem)
      : kind_(problem.collective().kind()), pieces_(problem.collective().pieces()) {}

  // From whoever has something on one side to whoever wants it on the other. Copies go on to the farthest, and sums wait for it.
  void add(const Levels& from, const Levels& to) {
    if (from.endpoints == 0 || to.endpoints == 0) return;
    switch (kind_) {
      case CollectiveKind::kBroadcast:
        return from.root ? count(*from.root, to.farthest(), 1) : void();
      case CollectiveKind::kReduce:
        return to.root ? count(from.farthest(), *to.root, 1) : void();
      case CollectiveKind::kAllreduce:
        return count(from.farthest(), to.farthest(), 1);
      case CollectiveKind::kScatter:
        if (!from.root) return;
        for (uint32_t h = 0; h < to.at.size(); ++h) count(*from.root, h, to.at[h]);
        return;
      case CollectiveKind::kGather:
        if (!to.root) return;
        for (uint32_t h = 0; h < from.at.size(); ++h) count(h, *to.root, from.at[h]);
        return;
      case CollectiveKind::kAllgather:
        for (uint32_t h = 0; h < from.at.size(); ++h) count(h, to.farthest(), from.at[h]);
        return;
      case CollectiveKind::kReduceScatter:
        for (uint32_t h = 0; h < to.at.size(); ++h) count(from.farthest(), h, to.at[h]);
        return;
      case CollectiveKind::kAlltoall:
        for (uint32_t h = 0; h < from.at.size(); ++h) count(before_, h, from.at[h] * to.endpoints);
        for (uint32_t h = 0; h < to.at.size(); ++h) count(after_, h, to.at[h] * from.endpoints);
        return;
      case CollectiveKind::kAlltoallv:
        return;
    }
  }

  struct Steps {
    Rational value = 0;
    uint64_t blocks = 0;
    uint64_t idle = 0;
  };
  // Those that have so many hops on one side at least, whatever number it is, and as many as any has on the other.
  [[nodiscard]] Steps steps(uint64_t in_a_step) const {
    Steps best;
    if (before_.empty() || in_a_step == 0) return best;
    for (const auto& [own, other] : {std::pair(&before_, &after_), std::pair(&after_, &before_)}) {
      const auto least =
          std::ranges::find_if(*other, [](uint64_t blocks) { return blocks > 0; }) - other->begin();
      uint64_t blocks = 0;
      for (size_t h = own->size(); h-- > 0;) {
        if ((*own)[h] == 0) continue;
        blocks += (*own)[h];
        const uint64_t idle = h + static_cast<uint64_t>(least);
        const Rational value = Rational::of(blocks, in_a_step) + Rational(static_cast<int64_t>(idle));
        if (value > best.value) best = {value, blocks, idle};
      }
    }
    return best;
  }

 private:
  void count(std::vector<uint64_t>& by_hops, uint32_t hops, uint64_t blocks) const {
    if (blocks == 0) return;
    if (hops >= by_hops.size()) by_hops.resize(hops + 1, 0);
    by_hops[hops] += blocks * pieces_;
  }
  void count(uint32_t before, uint32_t after, uint64_t blocks) {
    count(before_, before, blocks);
    count(after_, after, blocks);
  }

  CollectiveKind kind_;
  uint64_t pieces_;
  std::vector<uint64_t> before_;
  std::vector<uint64_t> after_;
};

class Best {
 public:
  explicit Best(const Problem& problem)
      : problem_(problem),
        net_(problem.topology()),
        around_(net_),
        capacities_(node_capacities(net_)),
        group_(net_.num_nodes(), 0) {
    if (const std::optional<Rank> root = problem.collective().root()) root_ = net_.endpoint(*root);
  }

  void hold_nodes() {
    for (const NodeId v : net_.nodes()) {
      const std::vector<Separations::Part> parts = around_.parts(v);
      const Model& model = problem_.model();
      if (parts.size() < 2 || (model.send.unlimited() && model.receive.unlimited())) continue;
      for (uint32_t p = 0; p < parts.size(); ++p) {
        for (const NodeId w : net_.nodes())
          if (around_.is_in(parts[p], w)) group_[index(w)] = p;
      }
      hold(v, static_cast<uint32_t>(parts.size()));
    }
  }

  void hold_links() {
    for (const Separations::Part& beyond : around_.bridges()) {
      NodeId far = kNoNode;
      uint64_t there = 0;
      uint64_t back = 0;
      for (const NodeId w : net_.nodes()) group_[index(w)] = around_.is_in(beyond, w) ? 1 : 0;
      for (const ArcId arc : net_.arcs()) {
        const uint32_t to = group_[index(net_.head(arc))];
        if (group_[index(net_.tail(arc))] == to) continue;
        far = to == 1 ? net_.head(arc) : net_.tail(arc);
        (to == 1 ? there : back) += net_.capacity(arc);
      }
      const Model& model = problem_.model();
      const auto within = [&](uint64_t links) { return limited(model.send, limited(model.receive, links)); };
      const std::vector<uint32_t> to_near = distances_to(net_, beyond.without);
      const std::vector<uint32_t> from_near = distances_from(net_, beyond.without);
      const std::vector<uint32_t> to_far = distances_to(net_, far);
      const std::vector<uint32_t> from_far = distances_from(net_, far);
      std::array<Levels, 4> levels;  // near: to the link and from it; far: to the link and from it
      for (const NodeId w : net_.endpoints()) {
        const bool is_far = group_[index(w)] == 1;
        levels[is_far ? 2 : 0].add((is_far ? to_far : to_near)[index(w)], w == root_);
        levels[is_far ? 3 : 1].add((is_far ? from_far : from_near)[index(w)], w == root_);
      }
      Passing out(problem_);
      out.add(levels[0], levels[3]);
      Passing in(problem_);
      in.add(levels[2], levels[1]);
      for (const auto& [passing, links] : {std::pair(&out, there), std::pair(&in, back)}) {
        const Passing::Steps found = passing->steps(within(links));
        if (!is_better(found)) continue;
        CutWitness cut;
        const bool far_is_less = 2 * std::ranges::count(group_, 1U) <= std::ssize(group_);
        for (const NodeId w : net_.nodes())
          if ((group_[index(w)] == 1) == far_is_less) cut.nodes.push_back(w);
        take(found,
             fmt::format(
                 "{} must go from {} to {}, over the only link between two parts, that carries {} a step",
                 plural(found.blocks, "block"), net_.label(passing == &out ? beyond.without : far),
                 net_.label(passing == &out ? far : beyond.without), within(links)),
             std::move(cut));
      }
    }
  }

  [[nodiscard]] std::optional<Bound> take() { return std::move(best_); }

 private:
  // A block comes to the node, and goes on to a neighbour in another part; or comes from one, and goes on.
  void hold(NodeId v, uint32_t parts) {
    const std::vector<uint32_t> to = distances_to(net_, v);
    const std::vector<uint32_t> on = distances_from(net_, v);
    Levels all_to;
    Levels all_on;
    std::vector<Levels> from_neighbour(parts);
    std::vector<Levels> to_neighbour(parts);
    std::vector<Levels> part_to(parts);
    std::vector<Levels> part_on(parts);
    for (const NodeId w : net_.endpoints()) {
      const size_t at = index(w);
      all_to.add(to[at], w == root_);
      all_on.add(on[at], w == root_);
      if (w == v) continue;
      part_to[group_[at]].add(to[at], w == root_);
      part_on[group_[at]].add(on[at], w == root_);
      from_neighbour[group_[at]].add(on[at] - 1, w == root_);
      to_neighbour[group_[at]].add(to[at] - 1, w == root_);
    }
    Passing sends(problem_);
    Passing receives(problem_);
    for (uint32_t p = 0; p < parts; ++p) {
      sends.add(without(all_to, part_to[p]), from_neighbour[p]);
      receives.add(to_neighbour[p], without(all_on, part_on[p]));
    }
    const Model& model = problem_.model();
    const uint64_t can_send = limited(model.send, capacities_.out[index(v)]);
    const uint64_t can_receive = limited(model.receive, capacities_.in[index(v)]);
    offer(v, parts, sends.steps(can_send), "send", can_send);
    offer(v, parts, receives.steps(can_receive), "receive", can_receive);
  }

  [[nodiscard]] bool is_better(const Passing::Steps& found) const {
    return found.idle > 0 && (!best_ || found.value > best_->value);
  }
  void offer(NodeId v, uint32_t parts, const Passing::Steps& found, std::string_view verb, uint64_t can) {
    if (!is_better(found)) return;
    take(found,
         fmt::format("without node {} the network falls into {} parts, and it must {} {}, {} a step",
                     net_.label(v), parts, verb, plural(found.blocks, "block"), can),
         NodeWitness{v});
  }
  void take(const Passing::Steps& found, std::string witness, BoundWitness evidence) {
    best_ = Bound{
        waiting_middle.name, found.value,
        fmt::format("{}; {} of them before or after", witness,
                    found.idle == 1 ? "1 step has none" : fmt::format("{} steps have none", found.idle)),
        BoundOn::kSteps, std::move(evidence)};
  }

  const Problem& problem_;
  const Topology& net_;
  Separations around_;
  NodeCapacities capacities_;
  NodeId root_ = kNoNode;
  std::vector<uint32_t> group_;
  std::optional<Bound> best_;
};

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2)
    return std::nullopt;
  if (uint64_t{topology.num_arcs()} * topology.num_nodes() > kMostSearched) return std::nullopt;
  Best best(problem);
  best.hold_nodes();
  best.hold_links();
  return best.take();
}

}  // namespace
}  // namespace waiting_middle_parts

constinit const BoundCard waiting_middle = {
    .name = "waiting_middle",
    .summary =
        "blocks that must pass a node or link that alone joins parts, and the steps that have none of them",
    .source = "counting, as middle_node, with first and last hops; ours",
    .evaluate = waiting_middle_parts::evaluate,
};

}  // namespace quadrille::bounds
