// Middle nodes: what some nodes must send because without them the network falls into many parts.
//
// A block of a broadcast or an allgather comes into every part that has an endpoint, but for the part where it begins, and into a part it
// comes from one of the nodes between. Where the links between these nodes alone join some of the parts, it goes over such a link besides,
// to all but one of the groups that are left. With few ports that may take far longer than anybody takes to receive: the
// hubs of a network that has grown, whose leaves fall apart without them. A reduce and a reduce_scatter are the same backwards; of an
// allreduce all parts but the first that has a piece whole receive it afterwards, and all groups but one have sent before; or, of the
// nodes between and the parts the first that has a piece whole: by then each node between that is an endpoint has sent its
// share, and afterwards the parts receive. Those are as many sends as there are of both, but for one.
//
// Which nodes are between is found by spanning trees, since for links both ways the cheapest tree that costs its senders is the cheapest
// one that costs both ends of every link: trees at prices that rise with what a node sends in the trees before (Young 1995, Fuerer and
// Raghavachari 1994 for the degree of one tree), the nodes in the order of that, and of these every beginning; then nodes come in,
// or go, one by one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/bounds/spreading/joined_parts.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::bounds {

extern const BoundCard middle_nodes;

namespace middle_nodes_parts {
namespace {

constexpr uint64_t kMostArcs = uint64_t{1} << 16U;
constexpr uint64_t kMostNodes = 4096;
constexpr uint32_t kFewNodes = 128;  // of which all is looked at in a moment
constexpr uint64_t kMostTrees = 100;
constexpr size_t kStarts = 4;  // sets that are changed; the best one that comes out is taken
constexpr uint64_t kTreesInVain = 24;
constexpr uint64_t kTreeWork = 600'000;      // links sorted, of all trees
constexpr uint64_t kChangeWork = 4'000'000;  // links looked at for nodes that come in or go
constexpr uint64_t kChangeWorkOfMany = 1'000'000;
constexpr uint32_t kManyNodes = 512;
constexpr uint64_t kMostBlocks = uint64_t{1} << 40U;
constexpr size_t kNoise = 4096;  // millionths: of links that cost the same now one, now the other
constexpr double kFirstSharpness = 4;
constexpr double kLastSharpness = 60;

struct Value {
  uint64_t sends = 0;  // at least
  uint64_t a_step = 0;

  friend bool operator<(const Value& a, const Value& b) {
    return Int128{a.sends} * b.a_step < Int128{b.sends} * a.a_step;
  }
};

class MiddleNodes {
 public:
  // `backwards`: what nodes receive, where blocks go the other way.
  MiddleNodes(const Problem& problem, bool backwards)
      : topology_(problem.topology()),
        kind_(problem.collective().kind()),
        ports_(backwards ? problem.model().receive : problem.model().send),
        blocks_(problem.collective().pieces()),
        origin_(topology_.num_nodes(), 0),
        arcs_(topology_.num_nodes()),
        capacity_(topology_.num_nodes(), 0),
        parts_(topology_),
        joined_(topology_) {
    const std::optional<Rank> root = problem.collective().root();
    for (const NodeId v : topology_.endpoints()) {
      if (root && topology_.rank(v) != root) continue;
      if (!is_allreduce()) origin_[index(v)] = blocks_;
    }
    if (!root && !is_allreduce()) blocks_ *= topology_.num_endpoints();
    for (const ArcId arc : topology_.arcs()) {
      const ArcId back = topology_.reverse(arc);
      const Arc one{topology_.head(arc), topology_.capacity(backwards ? back : arc)};
      arcs_[index(topology_.tail(arc))].push_back(one);
      capacity_[index(topology_.tail(arc))] += one.capacity;
      if (topology_.tail(arc) < topology_.head(arc)) links_.push_back(arc);
    }
  }

  // The best set that is found, as a flag for each node.
  std::vector<char> search() {
    const size_t nodes = topology_.num_nodes();
    std::vector<double> sent(nodes, 0);
    std::vector<double> price(nodes, 1);
    std::vector<NodeId> order;
    for (const NodeId v : topology_.nodes()) order.push_back(v);
    std::array<std::vector<NodeId>, kStarts> best;
    std::array<Value, kStarts> values;
    values.fill({0, 1});
    Value most{0, 1};
    const Value alike = average();
    const uint64_t trees =
        std::clamp<uint64_t>(kTreeWork / std::max<size_t>(links_.size(), 1), 8, kMostTrees);
    for (uint64_t i = 0; i < trees && (i < kTreesInVain || alike < most); ++i) {
      const std::vector<uint32_t> degree = cheapest_tree(price);
      const double share = 2.0 / double(i + 2);
      for (const NodeId v : topology_.nodes()) {
        // To all neighbours in the tree but the one that it comes from; in an allreduce to that one, too.
        const double sends = double(degree[index(v)]) - (is_allreduce() ? 0 : 1);
        const double now = sends / double(limited(ports_, capacity_[index(v)]));
        sent[index(v)] += share * (now - sent[index(v)]);
      }
      std::ranges::stable_sort(
          order, [&](NodeId a, NodeId b) { return rounded(sent[index(a)]) > rounded(sent[index(b)]); });
      const auto [value, number] = best_beginning(order);
      if (values[i % kStarts] < value) {
        values[i % kStarts] = value;
        best[i % kStarts].assign(order.begin(), order.begin() + static_cast<ptrdiff_t>(number));
      }
      if (most < value) most = value;
      const double sharpness =
          kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, double(i) / double(trees));
      const double fullest = std::max(1.0, *std::ranges::max_element(sent));
      for (size_t v = 0; v < nodes; ++v) price[v] = std::exp(sharpness * (sent[v] / fullest - 1));
    }
    const bool is_worth_it = alike < most;
    std::vector<char> is_middle(nodes, 0);
    std::array<std::vector<char>, kStarts> sets;
    for (size_t start = 0; start < kStarts; ++start) {
      sets[start].assign(nodes, 0);
      for (const NodeId v : best[start]) sets[start][index(v)] = 1;
    }
    if (is_worth_it) change_all(sets, values);
    most = {0, 1};
    for (size_t start = 0; start < kStarts; ++start) {
      if (!(most < values[start])) continue;
      most = values[start];
      is_middle = std::move(sets[start]);
    }
    return is_middle;
  }

  struct Result {
    Value value;
    uint64_t parts = 0;
    uint64_t groups = 0;
    uint64_t middles = 0;
    bool with_shares = false;
    WeightsWitness witness{};
  };
  // With weights for who is short of ports, and of links.
  Result exact(const std::vector<char>& is_middle, bool backwards) {
    Result out;
    out.value = value_of(is_middle);
    out.parts = parts_.number();
    out.groups = counted_ == Counted::kGroups ? joined_.number() : 1;
    out.with_shares = counted_ == Counted::kShares;
    for (const NodeId v : topology_.nodes()) {
      if (is_middle[index(v)] == 0) continue;
      ++out.middles;
      if (!is_short_of_links(v, is_middle)) {
        (backwards ? out.witness.receivers : out.witness.senders).push_back({v, 1});
        continue;
      }
      for (const Arc& arc : arcs_[index(v)])
        if (is_needed(v, arc, is_middle))
          out.witness.links.push_back(backwards ? WeightsWitness::Link{arc.to, v, 1}
                                                : WeightsWitness::Link{v, arc.to, 1});
    }
    std::ranges::sort(out.witness.links, [](const auto& a, const auto& b) {
      return std::pair(a.tail, a.head) < std::pair(b.tail, b.head);
    });
    return out;
  }

 private:
  struct Arc {
    NodeId to;
    uint64_t capacity;
  };
  // What is counted of a set: sends into parts; between groups, too; or all, an allreduce's own shares among them.
  enum class Counted : uint8_t { kParts, kGroups, kShares };

  [[nodiscard]] bool is_allreduce() const { return kind_ == CollectiveKind::kAllreduce; }

  // The last digit of a machine's exp() does not matter.
  static int64_t rounded(double x) { return std::llround(x * 1e6); }

  // What all together must send, as if none were between others.
  [[nodiscard]] Value average() const {
    Value out{blocks_ * (topology_.num_endpoints() - 1) * (is_allreduce() ? 2 : 1), 0};
    for (const NodeId v : topology_.nodes()) out.a_step += limited(ports_, capacity_[index(v)]);
    return out;
  }

  // Degrees of the spanning tree whose links cost least, each the prices of both its ends.
  std::vector<uint32_t> cheapest_tree(const std::vector<double>& price) {
    std::vector<std::pair<int64_t, ArcId>> by_price;
    by_price.reserve(links_.size());
    for (const ArcId arc : links_)
      by_price.emplace_back(rounded(price[index(topology_.tail(arc))] + price[index(topology_.head(arc))]) +
                                static_cast<int64_t>(rng_.below(kNoise)),
                            arc);
    std::ranges::sort(by_price);
    std::vector<uint32_t> degree(topology_.num_nodes(), 0);
    joined_.clear();
    for (const auto& [cost, arc] : by_price) {
      if (!joined_.join(topology_.tail(arc), topology_.head(arc))) continue;
      ++degree[index(topology_.tail(arc))];
      ++degree[index(topology_.head(arc))];
    }
    return degree;
  }

  // Of all beginnings of the order, from the longest on: whoever is no longer in joins parts.
  std::pair<Value, size_t> best_beginning(const std::vector<NodeId>& order) {
    parts_.clear();
    joined_.clear();
    std::vector<char> is_middle(topology_.num_nodes(), 1);
    std::vector<uint64_t> outside(topology_.num_nodes(), 0);  // capacity from a middle node to others
    uint64_t origins = 0;                                     // blocks that begin at middle nodes
    uint64_t shares = topology_.num_endpoints();              // endpoints among middle nodes
    uint64_t to_parts = 0;                                    // what middle nodes send in a step to others
    uint64_t to_all = 0;
    for (const NodeId v : topology_.nodes()) {
      joined_.add(v);
      origins += origin_[index(v)];
      to_all += limited(ports_, capacity_[index(v)]);
    }
    std::pair<Value, size_t> best{{0, 1}, 0};
    for (size_t number = order.size(); number-- > 1;) {
      const NodeId v = order[number];
      is_middle[index(v)] = 0;
      parts_.add(v);
      origins -= origin_[index(v)];
      shares -= topology_.rank(v) ? 1 : 0;
      to_parts -= limited(ports_, outside[index(v)]);
      to_all -= limited(ports_, capacity_[index(v)]);
      for (const Arc& arc : arcs_[index(v)]) {
        joined_.join(v, arc.to);
        if (is_middle[index(arc.to)] == 0) {
          parts_.join(v, arc.to);
          continue;
        }
        uint64_t& out = outside[index(arc.to)];
        to_parts -= limited(ports_, out);
        out += arc.capacity;
        to_parts += limited(ports_, out);
      }
      for (const Value value : {Value{sends(parts_.number(), 1, origins), to_parts},
                                Value{sends(parts_.number(), joined_.number(), origins), to_all},
                                Value{sends_with_shares(parts_.number(), shares), to_all}})
        if (value.a_step > 0 && best.first < value) best = {value, number};
    }
    return best;
  }
  [[nodiscard]] uint64_t sends(uint64_t parts, uint64_t groups, uint64_t origins) const {
    if (is_allreduce()) return parts == 0 || groups == 0 ? 0 : blocks_ * (parts - 1 + 2 * (groups - 1));
    return (parts + groups - 2) * blocks_ + origins;  // of those that begin in a part one part fewer
  }

  // Of an allreduce, wherever they go. Where nothing falls apart other bounds say as much.
  [[nodiscard]] uint64_t sends_with_shares(uint64_t parts, uint64_t shares) const {
    return is_allreduce() && parts > 1 ? blocks_ * (parts + shares - 1) : 0;
  }

  // Of a set, with the links between groups, or all links, if they say more.
  Value value_of(const std::vector<char>& is_middle) {
    parts_.clear();
    joined_.clear();
    uint64_t origins = 0;
    uint64_t shares = 0;
    uint64_t to_all = 0;
    for (const NodeId v : topology_.nodes()) {
      joined_.add(v);
      if (is_middle[index(v)] == 0) {
        parts_.add(v);
        continue;
      }
      origins += origin_[index(v)];
      shares += topology_.rank(v) ? 1 : 0;
      to_all += limited(ports_, capacity_[index(v)]);
    }
    for (const ArcId arc : links_) {
      const NodeId v = topology_.tail(arc);
      const NodeId w = topology_.head(arc);
      // All of them together are joined by what comes first.
      if (joined_.number() > 1 && (is_middle[index(v)] == 0 || is_middle[index(w)] == 0)) joined_.join(v, w);
      if (is_middle[index(v)] == 0 && is_middle[index(w)] == 0) parts_.join(v, w);
    }
    counted_ = Counted::kParts;
    Value out{sends(parts_.number(), 1, origins), a_step_of(is_middle)};
    if (joined_.number() > 1 && !(is_allreduce() && has_lonely(is_middle))) {
      counted_ = Counted::kGroups;
      const Value together{sends(parts_.number(), joined_.number(), origins), a_step_of(is_middle)};
      if (out.a_step == 0 || out < together) {
        out = together;
      } else {
        counted_ = Counted::kParts;
      }
    }
    const Value with_shares{sends_with_shares(parts_.number(), shares), to_all};
    if (to_all == 0 || !(out.a_step == 0 || out < with_shares)) return out;
    counted_ = Counted::kShares;
    return with_shares;
  }
  // A middle node among such nodes alone: as a group it would send to its neighbours what they count as theirs.
  [[nodiscard]] bool has_lonely(const std::vector<char>& is_middle) const {
    const auto is_one = [&](const Arc& arc) { return is_middle[index(arc.to)] != 0; };
    for (const NodeId v : topology_.nodes())
      if (is_middle[index(v)] != 0 && std::ranges::all_of(arcs_[index(v)], is_one)) return true;
    return false;
  }
  [[nodiscard]] uint64_t a_step_of(const std::vector<char>& is_middle) {
    uint64_t sum = 0;
    for (const NodeId v : topology_.nodes())
      if (is_middle[index(v)] != 0) sum += limited(v, is_middle);
    return sum;
  }
  [[nodiscard]] uint64_t limited(Ports ports, uint64_t capacity) const {
    return quadrille::limited(ports, capacity);
  }
  // Whether what it must send can go over the link: into a part with an endpoint, or to another group.
  [[nodiscard]] bool is_needed(NodeId from, const Arc& arc, const std::vector<char>& is_middle) {
    if (is_middle[index(arc.to)] == 0) return parts_.has_endpoint(arc.to);
    return counted_ == Counted::kGroups && joined_.of(from) != joined_.of(arc.to);
  }
  [[nodiscard]] bool is_short_of_links(NodeId v, const std::vector<char>& is_middle) {
    if (counted_ == Counted::kShares) return false;
    uint64_t needed = 0;
    for (const Arc& arc : arcs_[index(v)]) {
      if (is_middle[index(arc.to)] == 0 && !parts_.has_endpoint(arc.to)) return false;
      if (is_needed(v, arc, is_middle)) needed += arc.capacity;
    }
    return limited(ports_, needed) == needed;
  }
  [[nodiscard]] uint64_t limited(NodeId v, const std::vector<char>& is_middle) {
    uint64_t needed = 0;
    bool has_links = is_short_of_links(v, is_middle);
    for (const Arc& arc : arcs_[index(v)])
      if (!has_links || is_needed(v, arc, is_middle)) needed += arc.capacity;
    return limited(ports_, needed);
  }

  // Of large networks by two threads: each set is changed by itself.
  void change_all(std::array<std::vector<char>, kStarts>& sets, std::array<Value, kStarts>& values) {
    const auto change_some = [&](MiddleNodes& by, size_t first) {
      for (size_t start = first; start < kStarts; start += 2) by.change(sets[start], values[start]);
    };
    if (topology_.num_nodes() <= kFewNodes) {
      for (const size_t first : {size_t{0}, size_t{1}}) change_some(*this, first);
      return;
    }
    MiddleNodes beside(*this);
    both_at_once([&] { change_some(*this, 0); }, [&] { change_some(beside, 1); });
  }

  // Nodes come in, or go, as long as that says more.
  void change(std::vector<char>& is_middle, Value& most) {
    uint64_t work = topology_.num_nodes() > kManyNodes ? kChangeWorkOfMany : kChangeWork;
    for (bool again = true; again && work > 0;) {
      again = false;
      for (const NodeId v : topology_.nodes()) {
        if (work < links_.size()) return;
        work -= links_.size();
        is_middle[index(v)] ^= 1;
        const Value now = value_of(is_middle);
        if (now.a_step > 0 && most < now) {
          most = now;
          again = true;
        } else {
          is_middle[index(v)] ^= 1;
        }
      }
    }
  }

  const Topology& topology_;
  CollectiveKind kind_;
  Ports ports_;
  uint64_t blocks_;
  std::vector<uint64_t> origin_;  // blocks that begin at a node
  std::vector<std::vector<Arc>> arcs_;
  std::vector<uint64_t> capacity_;
  std::vector<ArcId> links_{};
  JoinedParts parts_;   // without the middle nodes
  JoinedParts joined_;  // with them, without the links between them
  Counted counted_ = Counted::kParts;
  Rng rng_{1};
};

// What a set depends on besides the network; the one for a reduce is a broadcast's where both directions of all links are as wide.
struct Asked {
  bool is_allreduce;
  bool is_backwards;
  std::optional<Rank> root;
  uint32_t pieces;
  uint32_t ports;

  friend bool operator==(const Asked&, const Asked&) = default;
};

// Lenders ask for the same set backwards, and for several costs.
std::vector<char> best_set(const Problem& problem, bool is_backwards) {
  static LastAnswers<Asked, std::vector<char>> kept(8);
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  bool is_alike = true;
  for (const ArcId arc : topology.arcs())
    is_alike = is_alike && topology.capacity(arc) == topology.capacity(topology.reverse(arc));
  const Asked asked{.is_allreduce = collective.kind() == CollectiveKind::kAllreduce,
                    .is_backwards = is_backwards && !is_alike,
                    .root = collective.root(),
                    .pieces = collective.pieces(),
                    .ports = (is_backwards ? problem.model().receive : problem.model().send).count};
  return kept.of(topology, asked, [&] { return MiddleNodes(problem, is_backwards).search(); });
}

std::optional<Bound> evaluate(const Problem& problem) {
  using enum CollectiveKind;
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const Model& model = problem.model();
  const bool is_backwards = kind == kReduce || kind == kReduceScatter ||
                            (kind == kAllreduce && !model.receive.unlimited() &&
                             (model.send.unlimited() || model.receive.count < model.send.count));
  if (!is_backwards && kind != kBroadcast && kind != kAllgather && kind != kAllreduce) return std::nullopt;
  const Ports ports = is_backwards ? model.receive : model.send;
  if (ports.unlimited() || !sends_single_packets(model) || problem.collective().num_ranks() < 2 ||
      topology.is_directed() || topology.num_arcs() > kMostArcs || topology.num_nodes() > kMostNodes ||
      problem.collective().pieces() > kMostBlocks / topology.num_nodes() / topology.num_nodes())
    return std::nullopt;
  const MiddleNodes::Result found =
      MiddleNodes(problem, is_backwards).exact(best_set(problem, is_backwards), is_backwards);
  if (found.value.sends == 0 || found.value.a_step == 0) return std::nullopt;
  return Bound{
      middle_nodes.name, Rational::of(found.value.sends, found.value.a_step),
      fmt::format(
          "without {} the network falls into {}{}, and so they {} {} blocks{}, no more than {} a step",
          plural(found.middles, "node"), plural(found.parts, "part"),
          found.groups > 1 ? fmt::format(", {} with them", found.groups) : "",
          is_backwards ? "receive" : "send", with_thousands(found.value.sends),
          !found.with_shares ? ""
          : is_backwards     ? ", the result among them"
                             : ", their own among them",
          found.value.a_step),
      BoundOn::kSteps, found.witness};
}

}  // namespace
}  // namespace middle_nodes_parts

constinit const BoundCard middle_nodes = {
    .name = "middle_nodes",
    .summary =
        "what some nodes must send into the parts that the network falls into without them, over what they can",
    .source = "counting, as the toughness of a graph: Chvatal 1973; found by cheapest trees; ours",
    .in_proportion = true,
    .evaluate = middle_nodes_parts::evaluate,
};

}  // namespace quadrille::bounds
