#include "quadrille/algorithms/cayley/balanced_ways.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "quadrille/base/check.h"
#include "quadrille/base/numbers/load_mixture.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostTrees = 200;
// Arcs that are looked at for trees, and ways for a better choice of them.
constexpr uint64_t kMostLooks = 150'000'000;
constexpr uint64_t kMostHopsTried = 40'000'000;
constexpr uint64_t kTriesOfAHop = 1000;
// Trees beside those of the mixture that messages may take ways of.
constexpr size_t kMostTreesOffered = 12;
constexpr double kAlmost = 1e-6;
// Rounds of changes for the better alone.
constexpr uint32_t kCoolRounds = 8;
// Of all steps the part that is not worth a long search.
constexpr uint64_t kFewHopsTried = 10'000'000;
constexpr double kWorthless = 1e-4;

uint64_t rounded_up(double x) { return static_cast<uint64_t>(std::ceil(x - kAlmost)); }

// Of each element the generator of its last hop from the identity.
using Tree = std::vector<uint16_t>;

class WaySearch {
 public:
  WaySearch(const CayleyStructure& cayley, const StepRoom& room, uint32_t pieces)
      : room_(room),
        order_(cayley.group->order()),
        degree_(cayley.generators.size()),
        pieces_(pieces),
        inverses_(cayley.inverses) {
    QUADRILLE_CHECK(degree_ <= size_t{1} << 16U, "generators are numbered by 16 bits");
    to_.resize(degree_ * order_);
    for (size_t k = 0; k < degree_; ++k)
      cayley.group->right_translation(cayley.generators[k],
                                      std::span<uint32_t>(to_).subspan(k * order_, order_));
    const uint64_t widest = std::accumulate(room.capacity.begin(), room.capacity.end(), uint64_t{0});
    counts_ports_ = room.ports < widest;
    ports_ = static_cast<double>(std::min<uint64_t>(room.ports, widest));
  }

  RelativeWays run() {
    RelativeWays shortest = share_out_shortest();
    const std::vector<uint64_t> loads = shortest.loads(degree_);
    const double least = static_cast<double>(shortest.total()) / ports_;
    if (order_ < 3 || degree_ < 2 || room_.steps(loads) <= rounded_up(least)) return shortest;
    bound_ = least;
    mix(loads);
    return choose(shortest);
  }

 private:
  [[nodiscard]] uint32_t before(uint32_t x, size_t k) const { return to_[inverses_[k] * order_ + x]; }

  // --- Shortest ways -------------------------------------------------------------------------------------

  // Breadth first; those that are near have less to choose from, and choose first. Each hop, from the last, goes along the
  // generator that carries least of those that lead closer.
  RelativeWays share_out_shortest() {
    length_.assign(order_, 0);
    std::vector<uint32_t> nearest{0};
    nearest.reserve(order_);
    for (size_t i = 0; i < nearest.size(); ++i) {
      for (size_t k = 0; k < degree_; ++k) {
        const uint32_t x = to_[k * order_ + nearest[i]];
        if (x == 0 || length_[x] != 0) continue;
        length_[x] = static_cast<uint16_t>(length_[nearest[i]] + 1);
        nearest.push_back(x);
      }
    }
    QUADRILLE_CHECK(nearest.size() == order_, "generators that do not generate the group");
    std::vector<uint64_t> begin(order_ + 1, 0);
    for (uint32_t x = 0; x < order_; ++x) begin[x + 1] = begin[x] + length_[x];
    std::vector<uint16_t> hops(begin.back() * pieces_);
    std::vector<double> load(degree_, 0);
    std::vector<double> each;
    for (const uint32_t capacity : room_.capacity) each.push_back(1.0 / capacity);
    for (size_t i = 1; i < order_; ++i) {
      for (uint32_t piece = 0; piece < pieces_; ++piece) {
        uint16_t* const way = hops.data() + begin.back() * piece + begin[nearest[i]];
        for (uint32_t x = nearest[i]; x != 0;) {
          size_t best = degree_;
          for (size_t k = 0; k < degree_; ++k)
            if (length_[before(x, k)] + 1 == length_[x] && (best == degree_ || load[k] < load[best]))
              best = k;
          load[best] += each[best];
          way[length_[x] - 1] = static_cast<uint16_t>(best);
          x = before(x, best);
        }
      }
    }
    RelativeWays out(order_, pieces_);
    for (uint32_t m = 0; m < out.count(); ++m) {
      const uint32_t r = out.displacement(m);
      out.add(std::span<const uint16_t>(hops).subspan(begin.back() * out.piece(m) + begin[r], length_[r]));
    }
    return out;
  }

  // --- The mixture ---------------------------------------------------------------------------------------

  // What the machines of the program, generators and ports, have to do for one piece.
  [[nodiscard]] std::vector<double> work(const std::vector<uint64_t>& loads) const {
    std::vector<double> out;
    uint64_t all = 0;
    for (size_t k = 0; k < degree_; ++k) {
      out.push_back(static_cast<double>(loads[k]) / room_.capacity[k]);
      all += loads[k];
    }
    if (counts_ports_) out.push_back(static_cast<double>(all) / ports_);
    return out;
  }

  void mix(const std::vector<uint64_t>& loads) {
    std::vector<double> first = work(loads);
    LoadMixture mixture(first);
    const uint64_t looks = uint64_t{order_} * degree_;
    const uint64_t most = std::min<uint64_t>(kMostTrees, SearchLimits::work(kMostLooks) / looks + 2);
    // Prices change wildly at first: half of them are those that have proved most.
    std::vector<double> proven = mixture.prices();
    for (uint64_t i = 0; i < most && !searches_are_stopped(); ++i) {
      std::vector<double> prices = mixture.prices();
      if (i % 2 == 1)
        for (size_t k = 0; k < prices.size(); ++k) prices[k] = (prices[k] + proven[k]) / 2;
      const double before_it = bound_;
      const std::vector<double> added = work(cheapest_tree(prices));
      if (bound_ > before_it) proven = prices;
      mixture.add(added);
      if (rounded_up(bound_) >= rounded_up(mixture.busiest()) ||
          mixture.busiest() - bound_ < 2e-4 * mixture.busiest())
        break;
    }
    shares_ = mixture.shares();
    goal_ = rounded_up(bound_);
  }

  // The tree of cheapest ways, and what generators carry on it; the prices may prove a bound.
  std::vector<uint64_t> cheapest_tree(const std::vector<double>& prices) {
    std::vector<double> cost(degree_);
    const double of_a_port = counts_ports_ ? prices.back() / ports_ : 0;
    for (size_t k = 0; k < degree_; ++k) cost[k] = prices[k] / room_.capacity[k] + of_a_port;
    const double dearest = *std::max_element(cost.begin(), cost.end());
    // Whole numbers, which buckets sort. None is 0, or ways would be of any length.
    const double unit = std::clamp(4.0 * order_, 100.0, 4000.0) / dearest;
    const auto port = static_cast<uint64_t>(std::lround(of_a_port * unit));
    std::vector<uint32_t> weight(degree_);
    double together = static_cast<double>(port) * ports_;
    for (size_t k = 0; k < degree_; ++k) {
      const auto own = static_cast<uint64_t>(std::lround(prices[k] / room_.capacity[k] * unit));
      weight[k] = static_cast<uint32_t>(std::max<uint64_t>(own + port, 1));
      together += static_cast<double>(weight[k] - port) * room_.capacity[k];
    }
    const uint64_t distances = grow(weight);
    bound_ = std::max(bound_, static_cast<double>(distances) * pieces_ / together);
    std::vector<uint64_t> loads(degree_, 0);
    std::vector<uint32_t> below(order_, pieces_);
    for (size_t i = settled_.size(); i-- > 1;) {
      const uint32_t x = settled_[i];
      const size_t k = trees_.back()[x];
      loads[k] += below[x];
      below[before(x, k)] += below[x];
    }
    return loads;
  }

  // Adds the tree, and returns the sum of all distances (Dijkstra, with a bucket for each distance).
  uint64_t grow(const std::vector<uint32_t>& weight) {
    const size_t buckets = *std::max_element(weight.begin(), weight.end()) + size_t{1};
    waiting_.resize(std::max(waiting_.size(), buckets));
    distance_.assign(order_, std::numeric_limits<uint32_t>::max());
    settled_.clear();
    Tree& tree = trees_.emplace_back(order_, 0);
    uint64_t sum = 0;
    distance_[0] = 0;
    waiting_[0].push_back(0);
    for (uint32_t d = 0; settled_.size() < order_; ++d) {
      std::vector<uint32_t>& here = waiting_[d % buckets];
      for (const uint32_t x : here) {
        if (distance_[x] != d) continue;
        settled_.push_back(x);
        sum += d;
        for (size_t k = 0; k < degree_; ++k) {
          const uint32_t y = to_[k * order_ + x];
          if (distance_[y] < d + weight[k]) continue;
          // Of ways that cost the same any is taken, so that trees differ.
          const bool is_tie = distance_[y] == d + weight[k];
          if (is_tie && ties_.below(2) == 0) continue;
          tree[y] = static_cast<uint16_t>(k);
          if (is_tie) continue;
          distance_[y] = d + weight[k];
          waiting_[(d + weight[k]) % buckets].push_back(y);
        }
      }
      here.clear();
    }
    for (std::vector<uint32_t>& bucket : waiting_) bucket.clear();
    return sum;
  }

  // --- The choice ----------------------------------------------------------------------------------------

  using Way = std::vector<uint16_t>;

  void follow(const Tree& tree, uint32_t displacement, Way& out) const {
    out.clear();
    for (uint32_t x = displacement; x != 0; x = before(x, tree[x])) out.push_back(tree[x]);
    std::reverse(out.begin(), out.end());
  }

  // A shortest way along generators that have little to carry now.
  void follow_shortest(uint32_t displacement, Rng& rng, Way& out) const {
    out.assign(length_[displacement], 0);
    for (uint32_t x = displacement; x != 0;) {
      size_t best = degree_;
      double least = 0;
      for (size_t k = 0; k < degree_; ++k) {
        if (length_[before(x, k)] + 1 != length_[x]) continue;
        const double load = load_[k] + 4 * static_cast<double>(rng.below(1024)) / 1024;
        if (best < degree_ && load >= least) continue;
        best = k;
        least = load;
      }
      out[length_[x] - 1] = static_cast<uint16_t>(best);
      x = before(x, best);
    }
  }

  void carry(const Way& way, double sign) {
    for (const uint16_t k : way) load_[k] += sign / room_.capacity[k];
    if (counts_ports_) load_.back() += sign * static_cast<double>(way.size()) / ports_;
  }

  struct Change {
    double worse = 0;  // by the squares of what machines have too much
    double size = 0;   // of the machine that it changes most
  };

  // What it changes to take one way instead of another.
  [[nodiscard]] Change change(const Way& from, const Way& to) {
    Change out{1e-3 * (static_cast<double>(to.size()) - static_cast<double>(from.size())), 0};
    const auto too_much = [this](double load) {
      const double over = std::max(load - static_cast<double>(goal_), 0.0);
      return over * over;
    };
    const auto changes = [&](size_t machine, double by) {
      out.worse += too_much(load_[machine] + by) - too_much(load_[machine]);
      out.size = std::max(out.size, std::abs(by));
    };
    for (const uint16_t k : from) --times_[k];
    for (const uint16_t k : to) ++times_[k];
    for (const Way* way : {&from, &to}) {
      for (const uint16_t k : *way) {
        if (times_[k] == 0) continue;
        changes(k, static_cast<double>(times_[k]) / room_.capacity[k]);
        times_[k] = 0;
      }
    }
    if (counts_ports_ && from.size() != to.size())
      changes(degree_, (static_cast<double>(to.size()) - static_cast<double>(from.size())) / ports_);
    return out;
  }

  [[nodiscard]] double busiest() const { return *std::max_element(load_.begin(), load_.end()); }

  // In the parts of the mixture.
  std::vector<Way> as_mixed(const RelativeWays& shortest, std::span<const uint32_t> messages) {
    std::vector<Way> ways(messages.size());
    std::vector<double> due(shares_.size(), 0);
    for (const uint32_t m : messages) {
      for (size_t i = 0; i < due.size(); ++i) due[i] += shares_[i];
      const auto next = static_cast<size_t>(std::max_element(due.begin(), due.end()) - due.begin());
      due[next] -= 1;
      if (next > 0) {
        follow(trees_[next - 1], shortest.displacement(m), ways[m]);
      } else {
        const auto hops = shortest.hops(m);
        ways[m].assign(hops.begin(), hops.end());
      }
      carry(ways[m], 1);
    }
    return ways;
  }

  // Then messages change their ways, one by one: only for better ones at first, and where that ends above the goal for any
  // by chance, the less the longer it goes on (annealing).
  RelativeWays choose(const RelativeWays& shortest) {
    std::vector<uint32_t> messages(shortest.count());
    std::iota(messages.begin(), messages.end(), 0U);
    Rng rng(1);
    rng.shuffle(messages);
    load_.assign(degree_ + (counts_ports_ ? 1 : 0), 0);
    times_.assign(degree_, 0);
    std::vector<Way> ways = as_mixed(shortest, messages);
    std::vector<size_t> offers;
    for (size_t i = 1; i < shares_.size(); ++i)
      if (shares_[i] > 0 || i + kMostTreesOffered >= shares_.size()) offers.push_back(i - 1);
    std::vector<Way> best = ways;
    double least = busiest();
    double squares = 0;
    double changes = 1e-9;
    uint64_t tried = 0;
    const uint64_t most = SearchLimits::work(std::min(kMostHopsTried, kTriesOfAHop * shortest.total()));
    for (uint32_t round = 0; !is_good_enough(least, tried) && tried < most && !searches_are_stopped();
         ++round) {
      const double heat =
          round < kCoolRounds ? 0 : squares / changes * std::pow(0.7, (round - kCoolRounds) % 20);
      rng.shuffle(messages);
      for (const uint32_t m : messages) {
        Way& way = ways[m];
        const size_t offer = rng.below(offers.size() + offers.size() / 2 + 1);
        if (offer < offers.size()) {
          follow(trees_[offers[offer]], shortest.displacement(m), offered_);
        } else {
          follow_shortest(shortest.displacement(m), rng, offered_);
        }
        tried += offered_.size() + 1;
        const Change it = change(way, offered_);
        if (it.size == 0) continue;
        squares += it.size * it.size;
        changes += 1;
        if (it.worse > 0 &&
            it.worse > -heat * std::log((static_cast<double>(rng.below(1U << 20U)) + 1) / (1U << 20U)))
          continue;
        carry(way, -1);
        carry(offered_, 1);
        std::swap(way, offered_);
        if (busiest() >= least - kAlmost) continue;
        // Early on it becomes better again and again.
        if (round < kCoolRounds && rounded_up(busiest()) > goal_) continue;
        least = busiest();
        best = ways;
        if (rounded_up(least) <= goal_) break;
      }
      if (busiest() >= least - kAlmost) continue;
      least = busiest();
      best = ways;
    }
    RelativeWays out(order_, pieces_);
    for (const Way& way : best) out.add(way);
    if (room_.steps(out.loads(degree_)) < room_.steps(shortest.loads(degree_))) return out;
    return shortest;
  }

  // Some steps of many thousands are not worth a search.
  [[nodiscard]] bool is_good_enough(double load, uint64_t tried) const {
    return rounded_up(load) <= goal_ ||
           (tried > kFewHopsTried && load < static_cast<double>(goal_) * (1 + kWorthless));
  }

  const StepRoom& room_;
  uint32_t order_;
  size_t degree_;
  uint32_t pieces_;
  const std::vector<uint32_t>& inverses_;
  std::vector<uint16_t> length_{};  // of shortest ways
  std::vector<uint32_t> to_{};      // to_[k * order + x]: from x along generator k
  bool counts_ports_ = false;
  double ports_ = 0;
  double bound_ = 0;
  std::vector<Tree> trees_{};
  std::vector<double> shares_{};  // of the shortest ways, and then of each tree
  uint64_t goal_ = 0;
  std::vector<std::vector<uint32_t>> waiting_{};
  std::vector<uint32_t> distance_{};
  std::vector<uint32_t> settled_{};
  Rng ties_{2};
  Way offered_{};
  std::vector<double> load_{};
  std::vector<int32_t> times_{};
};

}  // namespace

uint64_t StepRoom::steps(std::span<const uint64_t> loads) const {
  uint64_t out = 0;
  uint64_t all = 0;
  for (size_t k = 0; k < loads.size(); ++k) {
    out = std::max(out, (loads[k] + capacity[k] - 1) / capacity[k]);
    all += loads[k];
  }
  return std::max(out, (all + ports - 1) / ports);
}

std::vector<uint64_t> RelativeWays::loads(size_t num_generators) const {
  std::vector<uint64_t> out(num_generators, 0);
  for (const uint16_t k : hops_) ++out[k];
  return out;
}

StepRoom step_room(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CayleyStructure& cayley = *topology.cayley();
  StepRoom out;
  uint64_t widths = 0;
  for (size_t k = 0; k < cayley.generators.size(); ++k) {
    uint32_t narrowest = topology.capacity(cayley.arc(NodeId{0}, k));
    for (const NodeId x : topology.nodes())
      narrowest = std::min(narrowest, topology.capacity(cayley.arc(x, k)));
    out.capacity.push_back(narrowest);
    widths += narrowest;
  }
  const auto limit = [&](Ports ports) {
    return static_cast<uint32_t>(ports.unlimited() ? widths : std::min<uint64_t>(ports.count, widths));
  };
  out.ports = std::min(limit(problem.model().send), limit(problem.model().receive));
  return out;
}

RelativeWays balanced_ways(const CayleyStructure& cayley, const StepRoom& room, uint32_t pieces) {
  count_work(Work::kSearching);
  return WaySearch(cayley, room, pieces).run();
}

}  // namespace quadrille
