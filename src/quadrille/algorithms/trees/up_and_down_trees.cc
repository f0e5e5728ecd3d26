#include "quadrille/algorithms/trees/up_and_down_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/urgent_links.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/priced/negotiated_halves.h"
#include "quadrille/algorithms/packing/swarms/halves_in_turn.h"
#include "quadrille/algorithms/trees/even_trees.h"
#include "quadrille/base/check.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace up_and_down_parts {
namespace {

constexpr uint32_t kMostTrees = 256;  // more pieces take them in turn
// Of each hop from the root (even_trees.h), in parts of the unit: few for links, or ports, that are used most evenly, many for lower trees, more than
// a unit for the lowest, which few pieces take.
constexpr uint64_t kPricesOfDepth[] = {20'971, 419'430, 4'194'304, 1'000, 5'000};
constexpr uint64_t kPricesWithFewPorts[] = {5'000, 1'000, 10'000, 20'971, 419'430, 4'194'304};
constexpr uint64_t kTwoPrices[] = {20'971, 419'430};
constexpr std::array<uint64_t, 1> kHigherPrices = {4'194'304};
constexpr std::array<uint64_t, 3> kLowerPrices = {10'000, 5'000, 1'000};
constexpr uint32_t kManyNodes = 512;
// How many tenths of a hop a piece waits behind the one before it.
constexpr int64_t kStaggers[] = {3, 5, 2, 0, 10, 30, 100};
constexpr uint64_t kMostTurns = 12;  // of a timetable, forwards and backwards
constexpr uint64_t kTurnsInVain = 3;
constexpr uint64_t kVeryFewNodes = 20;
constexpr uint64_t kMostOfAll = uint64_t{1} << 13U;  // pieces at nodes, where each timetable is turned
constexpr uint64_t kTurnsWork = uint64_t{1} << 20U;  // pieces at nodes, in all of them
// What turns of halves look at (packing/swarms/halves_in_turn.h).
constexpr uint64_t kLooks = 30'000'000;
constexpr uint64_t kLooksByTime = 6'000'000;
// The same of negotiations: steps of links; of so many nodes times pieces.
constexpr uint64_t kLooksNegotiated = 100'000'000;
constexpr uint64_t kNegotiations = 8;
constexpr uint64_t kMostNegotiated = uint64_t{1} << 20U;

uint64_t within(Ports ports, uint64_t links) {
  return ports.unlimited() ? links : std::min<uint64_t>(ports.count, links);
}
// Messages of a step.
uint64_t sends_at_once(const Topology& net, NodeId v, Ports ports) {
  uint64_t links = 0;
  for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
  return within(ports, links);
}
uint64_t receives_at_once(const Topology& net, NodeId v, Ports ports) {
  uint64_t links = 0;
  for (const ArcId arc : net.arcs_from(v)) links += net.capacity(net.reverse(arc));
  return within(ports, links);
}

// When each message is sent, by piece and the lower end of its link; in which order those that wait are served.
struct Times {
  std::vector<uint32_t> up;
  std::vector<uint32_t> down;
};

Times times_of(const Topology& net, const HalfSteps& steps, uint32_t pieces) {
  Times out{std::vector<uint32_t>(size_t{net.num_nodes()} * pieces, 0), {}};
  out.down = out.up;
  for (size_t s = 0; s < steps.size(); ++s) {
    for (const HalfSend& send : steps[s]) {
      const size_t first = size_t{send.piece} * net.num_nodes();
      if (send.down) {
        out.down[first + index(net.head(send.arc))] = static_cast<uint32_t>(s);
      } else {
        out.up[first + index(net.tail(send.arc))] = static_cast<uint32_t>(s);
      }
    }
  }
  return out;
}

// Links of one step by what waits for them, those of large keys first, as many as are alike by number.
class MostUrgentFirst {
 public:
  void clear() { links_.clear(); }
  void add(int64_t key, ArcId arc) { links_.emplace_back(-key, arc); }
  // The span lives until the next call. By counting, where keys are near each other, as they are but for very many pieces.
  [[nodiscard]] std::span<const ArcId> sorted() {
    sorted_.resize(links_.size());
    if (links_.empty()) return sorted_;
    const auto [least, most] = std::ranges::minmax_element(links_, {}, &Link::first);
    const int64_t first = least->first;
    const int64_t range = most->first - first;
    if (range > kMostCounted) {
      std::ranges::sort(links_);
      std::ranges::transform(links_, sorted_.begin(), &Link::second);
      return sorted_;
    }
    begin_.assign(static_cast<size_t>(range) + 2, 0);
    for (const auto& [key, arc] : links_) ++begin_[static_cast<size_t>(key - first) + 1];
    for (size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    for (const auto& [key, arc] : links_) sorted_[begin_[static_cast<size_t>(key - first)]++] = arc;
    return sorted_;
  }

 private:
  using Link = std::pair<int64_t, ArcId>;
  static constexpr int64_t kMostCounted = 1 << 14U;
  std::vector<Link> links_{};
  std::vector<uint32_t> begin_{};
  std::vector<ArcId> sorted_{};
};

// What waits for each link is sent in order of what is to come after it; or, given the times of another timetable, in the order
// of that one read backwards, in which what went down goes up.
class Timetable {
 public:
  Timetable(const Problem& problem, const std::vector<EvenTree>& trees, int64_t stagger,
            const Times* backwards = nullptr)
      : backwards_(backwards),
        net_(problem.topology()),
        sends_(problem.model().send),
        receives_(problem.model().receive),
        trees_(trees),
        stagger_(stagger),
        queues_(net_.num_arcs()),
        first_(net_.num_arcs()),
        links_(net_, sends_, receives_) {
    const size_t nodes = net_.num_nodes();
    const uint32_t pieces = problem.collective().pieces();
    QUADRILLE_CHECK(pieces <= Waiting::kMostPieces, "more pieces than can be put in order");
    waits_.resize(nodes * pieces);
    for (uint32_t p = 0; p < pieces; ++p) {
      const EvenTree& tree = tree_for(p);
      for (const NodeId v : tree.order) {
        waits_[p * nodes + index(v)] = tree.children[index(v)];
        if (tree.children[index(v)] == 0) go_up(p, v);
      }
      left_ += 2 * (tree.order.size() - 1);
    }
    uint64_t sent = 0;
    uint64_t received = 0;
    for (const NodeId v : net_.nodes()) {
      sent += sends_at_once(net_, v, sends_);
      received += receives_at_once(net_, v, receives_);
    }
    most_a_step_ = std::min(sent, received);
  }

  // Nothing where it takes more than `most` steps.
  std::optional<HalfSteps> run(size_t most) {
    HalfSteps out;
    const size_t nodes = net_.num_nodes();
    while (left_ > 0) {
      if (out.size() + (left_ + most_a_step_ - 1) / most_a_step_ > most) return std::nullopt;
      std::vector<HalfSend>& step = out.emplace_back();
      if (sends_.unlimited() && receives_.unlimited()) {
        over_all_links(step);
      } else {
        through_ports(step);
      }
      left_ -= step.size();
      for (const HalfSend& send : step) {
        const NodeId v = net_.head(send.arc);
        const EvenTree& tree = tree_for(send.piece);
        if (send.down) {
          go_down(send.piece, v);
        } else if (--waits_[send.piece * nodes + index(v)] == 0) {
          if (v == tree.root) {
            go_down(send.piece, v);
          } else {
            go_up(send.piece, v);
          }
        }
      }
    }
    return out;
  }

 private:
  // By key, piece and direction, in one word.
  class Waiting {
   public:
    Waiting(int64_t key, uint32_t piece, bool down)
        : word_((static_cast<uint64_t>(key + kMiddle) << kPieceBits) | (uint64_t{piece} << 1U) |
                (down ? 1U : 0U)) {}
    [[nodiscard]] int64_t key() const { return static_cast<int64_t>(word_ >> kPieceBits) - kMiddle; }
    [[nodiscard]] uint32_t piece() const { return static_cast<uint32_t>(word_ >> 1U) % kMostPieces; }
    [[nodiscard]] bool down() const { return word_ % 2 != 0; }
    friend bool operator<(const Waiting& a, const Waiting& b) { return a.word_ < b.word_; }

    static constexpr uint32_t kMostPieces = uint32_t{1} << 24U;

   private:
    static constexpr unsigned kPieceBits = 25;
    static constexpr int64_t kMiddle = int64_t{1} << 38U;

    uint64_t word_;
  };

  void over_all_links(std::vector<HalfSend>& step) {
    for (const ArcId arc : net_.arcs()) {
      for (uint32_t c = 0; c < net_.capacity(arc) && first_[index(arc)]; ++c) take(arc, step);
    }
  }
  void take(ArcId arc, std::vector<HalfSend>& step) {
    std::priority_queue<Waiting>& queue = queues_[index(arc)];
    const Waiting next = queue.top();
    queue.pop();
    first_[index(arc)] = queue.empty() ? std::nullopt : std::optional(queue.top());
    step.push_back({arc, next.piece(), next.down()});
  }

  void through_ports(std::vector<HalfSend>& step) {
    urgency_.clear();
    for (const ArcId arc : net_.arcs())
      if (first_[index(arc)]) urgency_.add(first_[index(arc)]->key(), arc);
    const auto sent = links_.choose(urgency_.sorted(), [&](ArcId arc) { return queues_[index(arc)].size(); });
    for (const ArcId arc : net_.arcs())
      for (uint32_t c = sent[index(arc)]; c > 0; --c) take(arc, step);
  }

  [[nodiscard]] const EvenTree& tree_for(uint32_t piece) const { return trees_[piece % trees_.size()]; }
  void wait(ArcId arc, uint32_t hops_to_come, uint32_t piece, bool down) {
    int64_t key = int64_t{hops_to_come} * 10 - stagger_ * piece;
    if (backwards_ != nullptr) {
      const size_t first = size_t{piece} * net_.num_nodes();
      key = down ? backwards_->up[first + index(net_.head(arc))]
                 : backwards_->down[first + index(net_.tail(arc))];
    }
    std::priority_queue<Waiting>& queue = queues_[index(arc)];
    queue.emplace(key, piece, down);
    first_[index(arc)] = queue.top();
  }
  void go_up(uint32_t piece, NodeId v) {
    const EvenTree& tree = tree_for(piece);
    if (v == tree.root) return;
    wait(net_.reverse(tree.arc[index(v)]), tree.depth[index(v)] + tree.height[index(tree.root)], piece,
         false);
  }
  void go_down(uint32_t piece, NodeId v) {
    const EvenTree& tree = tree_for(piece);
    uint32_t left = tree.children[index(v)];
    if (left == 0) return;
    for (const ArcId arc : net_.arcs_from(v)) {
      const NodeId w = net_.head(arc);
      if (tree.arc[index(w)] != arc) continue;
      wait(arc, tree.height[index(w)] + 1, piece, true);
      if (--left == 0) return;
    }
  }

  const Times* backwards_;
  const Topology& net_;
  Ports sends_;
  Ports receives_;
  const std::vector<EvenTree>& trees_;
  int64_t stagger_;
  std::vector<std::priority_queue<Waiting>> queues_;  // per arc
  std::vector<std::optional<Waiting>> first_;         // of each queue
  std::vector<uint32_t> waits_;                       // per piece and node: for so many children
  uint64_t left_ = 0;                                 // messages
  uint64_t most_a_step_ = 0;
  UrgentLinks links_;
  MostUrgentFirst urgency_;
};

}  // namespace

// In how many trees, for each piece, the fullest link of capacity 1 must be.
double least_per_link(const Topology& net) {
  std::vector<std::pair<uint64_t, NodeId>> few;
  for (const NodeId v : net.endpoints()) {
    uint64_t links = 0;
    for (const ArcId arc : net.arcs_from(v)) links += net.capacity(arc);
    few.emplace_back(links, v);
  }
  std::stable_sort(few.begin(), few.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<char> apart(net.num_nodes(), 0);
  uint64_t arcs = 0;  // that touch those apart, in both directions
  double most = 0;
  for (size_t i = 0; i + 1 < few.size(); ++i) {
    const NodeId v = few[i].second;
    apart[index(v)] = 1;
    for (const ArcId arc : net.arcs_from(v)) {
      if (apart[index(net.head(arc))] == 0)
        arcs += uint64_t{net.capacity(arc)} + net.capacity(net.reverse(arc));
    }
    most = std::max(most, 2.0 * double(i + 1) / double(arcs));
  }
  return most;
}

}  // namespace up_and_down_parts

uint64_t least_up_and_down_steps(const Problem& allreduce) {
  const Topology& net = allreduce.topology();
  const uint32_t pieces = allreduce.collective().pieces();
  const double steps = up_and_down_parts::least_per_link(net) * pieces;
  auto least = static_cast<uint64_t>(std::ceil(steps - 1e-6));
  // No piece is whole at a node before the farthest's part has come.
  for_each_distance_row(net, [&](NodeId v, std::span<const uint32_t> hops) {
    uint32_t farthest = 0;
    for (const NodeId w : net.endpoints()) farthest = std::max(farthest, hops[index(w)]);
    const uint64_t at_once = up_and_down_parts::receives_at_once(net, v, allreduce.model().receive);
    if (farthest > 0) least = std::max(least, farthest - 1 + (pieces + at_once - 1) / at_once);
  });
  // Each link of a tree is two ends, which take a port each, both ways.
  if (!net.has_routers()) {
    uint64_t ends = 0;
    for (const NodeId v : net.nodes()) {
      ends += up_and_down_parts::within(allreduce.model().receive,
                                        up_and_down_parts::sends_at_once(net, v, allreduce.model().send));
    }
    const uint64_t needed = 2 * uint64_t{net.num_nodes() - 1} * pieces;
    if (ends > 0) least = std::max(least, (needed + ends - 1) / ends);
  }
  return least;
}

namespace up_and_down_parts {
namespace {

bool has_many_nodes(const Problem& allreduce) { return allreduce.topology().num_nodes() > kManyNodes; }

bool is_large(const Problem& allreduce) {
  return uint64_t{allreduce.topology().num_nodes()} * allreduce.collective().pieces() > kTurnsWork / 8;
}

// Of a large network the first price is tried alone, but where steps alone count and it leaves more than a twentieth above what is
// needed: hubs with many links, and low trees.
bool does_for_large(const Problem& allreduce, uint64_t steps, uint64_t least, size_t tried) {
  constexpr size_t kMostTried = 3;
  if (!is_large(allreduce)) return false;
  return tried == kMostTried || WorthMaking::is_by_time() || steps <= least + least / 20;
}

// What another price may come to: of many nodes the second one takes at most a tenth less, those beside the better one hardly anything.
uint64_t hardly_saved(const Problem& allreduce, uint64_t steps) {
  return has_many_nodes(allreduce) ? steps - steps / 8 : steps / 2;
}

// Small enough that each timetable is read to and fro, not the shortest alone; on very few nodes many plans are asked for at once.
bool is_small(const Problem& allreduce) {
  const uint64_t nodes = allreduce.topology().num_nodes();
  return nodes > kVeryFewNodes && nodes * allreduce.collective().pieces() <= kMostOfAll;
}

// Backwards a timetable is one, too, in which some can be sent sooner; and so on, to and fro.
void read_to_and_fro(const Problem& allreduce, const std::vector<EvenTree>& trees, uint64_t least,
                     HalfSteps now, std::optional<HalfSteps>& best) {
  const uint32_t pieces = allreduce.collective().pieces();
  const uint64_t turns = kTurnsWork / (uint64_t{allreduce.topology().num_nodes()} * pieces);
  uint64_t in_vain = 0;
  for (uint64_t i = 0; i < std::min(turns, kMostTurns) && best->size() > least; ++i) {
    const Times times = times_of(allreduce.topology(), now, pieces);
    now = *Timetable(allreduce, trees, 0, &times).run(SIZE_MAX);
    ++in_vain;
    if (now.size() < best->size()) {
      best = now;
      in_vain = 0;
    }
    if (in_vain == kTurnsInVain) break;
  }
}

// Of a large network two timetables by two threads, each turned by itself: no other way to wait was shorter there.
HalfSteps best_of_two(const Problem& allreduce, const std::vector<EvenTree>& trees, uint64_t least) {
  const bool has_all_ports = allreduce.model().send.unlimited() && allreduce.model().receive.unlimited();
  const std::array<int64_t, 2> staggers = {3, has_all_ports ? 5 : 2};
  std::array<std::optional<HalfSteps>, 2> found;
  ThreadTeam team(2);
  team.for_each(2, [&](size_t i) {
    found[i] = *Timetable(allreduce, trees, staggers[i]).run(SIZE_MAX);
    read_to_and_fro(allreduce, trees, least, HalfSteps(*found[i]), found[i]);
  });
  return *std::move(found[found[1]->size() < found[0]->size() ? 1 : 0]);
}

// The shortest of some timetables; `least`: none is shorter.
HalfSteps best_timetable(const Problem& allreduce, const std::vector<EvenTree>& trees, uint64_t least) {
  if (is_large(allreduce)) return best_of_two(allreduce, trees, least);
  std::optional<HalfSteps> best;
  const bool turns_all = is_small(allreduce);
  for (const int64_t stagger : kStaggers) {
    if (best && best->size() <= least) break;
    const size_t most = best && !turns_all ? best->size() - 1 : SIZE_MAX;
    const std::optional<HalfSteps> steps = Timetable(allreduce, trees, stagger).run(most);
    if (!steps) continue;
    if (!best || steps->size() < best->size()) best = steps;
    if (turns_all) read_to_and_fro(allreduce, trees, least, *steps, best);
  }
  if (!turns_all) read_to_and_fro(allreduce, trees, least, HalfSteps(*best), best);
  return *std::move(best);
}

// Of many nodes two prices are tried by two threads, and then those on the side of the better one.
bool tries_two_at_once(const Problem& allreduce) { return has_many_nodes(allreduce) && !is_large(allreduce); }

std::vector<uint64_t> prices_of_depth(const Problem& allreduce) {
  const Model& model = allreduce.model();
  const bool has_few_ports = !model.send.unlimited() || !model.receive.unlimited();
  if (tries_two_at_once(allreduce)) return {std::begin(kTwoPrices), std::end(kTwoPrices)};
  if (has_few_ports) return {std::begin(kPricesWithFewPorts), std::end(kPricesWithFewPorts)};
  return {std::begin(kPricesOfDepth), std::end(kPricesOfDepth)};
}

// Of those found the shortest, or a few of them, with all ports: what comes down need not keep to the trees. By time many numbers of
// pieces are asked for, and a few turns have to do.
void spread_anew(const Problem& allreduce, uint64_t least, std::vector<HalfSteps>& found) {
  if (!allreduce.model().send.unlimited() || !allreduce.model().receive.unlimited()) return;
  std::ranges::stable_sort(found, {}, &HalfSteps::size);
  const size_t steps = found.front().size();
  if (!WorthMaking::is_any_of_packets(steps - steps / 8)) return;
  const bool is_by_time = WorthMaking::is_by_time();
  const size_t tried = is_small(allreduce) && !is_by_time ? found.size() : 2;
  found.resize(std::min(tried, found.size()));
  ThreadTeam team(static_cast<uint32_t>(std::min<size_t>(2, found.size())));
  const SearchWishes wishes = SearchLimits::now();
  team.for_each(found.size(), [&](size_t i) {
    const SearchLimits limits(wishes);
    found[i] = halves_in_turn(allreduce.topology(), allreduce.collective().pieces(), found[i], least,
                              is_by_time ? kLooksByTime : kLooks);
  });
}

// The shortest of them, or trees of their own, are what pieces then negotiate about. By time that takes too long.
void negotiate(const Problem& allreduce, uint64_t least, HalfSteps& best) {
  const Topology& net = allreduce.topology();
  const uint32_t pieces = allreduce.collective().pieces();
  if (!allreduce.model().send.unlimited() || !allreduce.model().receive.unlimited()) return;
  if (WorthMaking::is_by_time() || net.has_routers() || best.size() <= least) return;
  if (uint64_t{pieces} * net.num_nodes() > kMostNegotiated) return;
  ThreadTeam team(2);
  const SearchWishes wishes = SearchLimits::now();
  // Whatever comes of two says whether others may.
  for (uint64_t seed = 1; seed <= kNegotiations; seed += 2) {
    const HalfSteps before = best;
    std::array<HalfSteps, 2> found;
    team.for_each(2, [&](size_t i) {
      const SearchLimits limits(wishes);
      found[i] = negotiated_halves(net, pieces, before, least,
                                   {.looks = kLooksNegotiated, .seed = seed + i, .begins_anew = i == 1});
    });
    for (HalfSteps& steps : found)
      if (steps.size() < best.size()) best = std::move(steps);
    if (best.size() == before.size() || best.size() <= least) return;
  }
}

}  // namespace
}  // namespace up_and_down_parts

Plan up_and_down_trees(const Problem& allreduce) {
  namespace parts = up_and_down_parts;
  const uint32_t pieces = allreduce.collective().pieces();
  const uint32_t count = std::min(pieces, parts::kMostTrees);
  const uint64_t least = least_up_and_down_steps(allreduce);
  const double per_link = parts::least_per_link(allreduce.topology()) * count;
  const auto of_price = [&](uint64_t price) {
    return parts::best_timetable(allreduce, even_trees(allreduce, count, per_link, price), least);
  };
  std::vector<uint64_t> prices = parts::prices_of_depth(allreduce);
  std::vector<HalfSteps> found;
  if (parts::tries_two_at_once(allreduce)) {
    found.resize(2);
    ThreadTeam team(2);
    team.for_each(2, [&](size_t i) { found[i] = of_price(prices[i]); });
    const std::span<const uint64_t> side = found[1].size() < found[0].size()
                                               ? std::span<const uint64_t>(parts::kHigherPrices)
                                               : std::span<const uint64_t>(parts::kLowerPrices);
    prices.insert(prices.end(), side.begin(), side.end());
  }
  const auto best = [&] { return std::ranges::min_element(found, {}, &HalfSteps::size); };
  while (found.size() < prices.size()) {
    if (!found.empty()) {
      const size_t steps = best()->size();
      if (steps <= least || parts::does_for_large(allreduce, steps, least, found.size())) break;
      if (!WorthMaking::is_any_of_packets(parts::hardly_saved(allreduce, steps)))
        break;  // no price saves so much
    }
    found.push_back(of_price(prices[found.size()]));
  }
  if (best()->size() > least) parts::spread_anew(allreduce, least, found);
  parts::negotiate(allreduce, least, *best());
  Plan plan;
  StepBuilder step;
  for (const std::vector<HalfSend>& sends : *best()) {
    for (const HalfSend& send : sends)
      step.add(send.arc, BlockId{send.piece}, send.down ? TransferOp::kCopy : TransferOp::kDefault);
    step.flush(plan);
  }
  return plan;
}

}  // namespace quadrille
