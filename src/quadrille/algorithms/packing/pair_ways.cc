#include "quadrille/algorithms/packing/pair_ways.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "quadrille/base/random.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint64_t kPairWork = 200'000'000;  // hops that are looked at, about
constexpr uint64_t kFewestPairPasses = 5;
constexpr uint64_t kMostPairPasses = 40;
constexpr uint64_t kPairPatience = 3;           // passes that find hardly anything,
constexpr uint64_t kHardlyFewerOfPairs = 4096;  // which is one of so many rounds
constexpr double kGoodEnoughForPairs = 1.001;   // times the least
constexpr double kGoodEnoughForFactors = 1.005;
constexpr double kBelowBusiest = 0.999;  // the busiest link: what prices are to come down to
constexpr double kFirstSharpnessOfPairs = 8;
constexpr double kSharperForPairs = 25;
constexpr double kPairPriceUnit = 4096;
// In a pass: where few ranks send, each asks several times, for a part of its pairs each.
constexpr size_t kFewestSearches = 512;
constexpr uint64_t kMostPairLoadsKept = uint64_t{1} << 20U;
// Searches that know the same prices: of so many sources one, up to so many.
constexpr size_t kSourcesOfSearch = 64;
constexpr size_t kMostSearchesAtOnce = 16;
constexpr unsigned kThreadsOfPairs = 2;

}  // namespace

class PairPricing {
 public:
  struct Target {
    uint32_t node = 0;
    uint32_t blocks = 0;  // none for a rank itself
  };
  struct Source {
    uint32_t node = 0;
    std::vector<Target> targets{};
  };

  PairPricing(PairWays& out, std::vector<Source> sources)
      : out_(out),
        topology_(out.topology_),
        bits_(static_cast<uint32_t>(std::bit_width(topology_.num_nodes()))),
        sources_(std::move(sources)),
        parts_(static_cast<uint32_t>(
            std::max<size_t>(1, kFewestSearches / std::max<size_t>(1, sources_.size())))) {
    list_links();
    list_ways_out();
    find_least();
    load_.assign(capacity_.size(), 0);
    price_.assign(capacity_.size(), 0);
  }

  void run() {
    for (const Source& source : sources_) {
      PairWays::FromRank& from = out_.from_.emplace_back();
      from.begin.assign(source.targets.size(), 0);
      from.end.assign(source.targets.size(), 0);
    }
    const uint64_t searched = sources_.size() * parts_ * topology_.num_arcs();
    const uint64_t passes =
        std::clamp(kPairWork / (searched / 4 + 4 * hops_ + 1), kFewestPairPasses, kMostPairPasses);
    level_ = static_cast<double>(std::max<uint64_t>(1, least_));
    std::vector<PairWays::FromRank> best;
    uint64_t least_so_far = UINT64_MAX;
    uint64_t in_vain = 0;
    // Where prices have found nothing for long they rise faster.
    for (uint64_t pass = 0; pass < passes; pass += in_vain < kPairPatience ? 1 : kPairPatience) {
      sharpness_ = kFirstSharpnessOfPairs *
                   std::pow(kSharperForPairs, static_cast<double>(pass) / static_cast<double>(passes));
      prices_of_loads_.clear();
      for (uint32_t link = 0; link < price_.size(); ++link) set_price(link);
      route(pass);
      const uint64_t rounds = rounds_of_choice();
      level_ = std::max(static_cast<double>(std::max<uint64_t>(1, least_)),
                        kBelowBusiest * static_cast<double>(rounds));
      in_vain = rounds + rounds / kHardlyFewerOfPairs < least_so_far ? 0 : in_vain + 1;
      if (rounds >= least_so_far) continue;
      least_so_far = rounds;
      best = out_.from_;
      out_.loads_ = load_;
      if (static_cast<double>(rounds) <= kGoodEnoughForPairs * static_cast<double>(least_)) break;
    }
    out_.from_ = std::move(best);
    out_.capacities_ = capacity_;
  }

 private:
  // Over a link from a node, and where it leads; to one, and where it comes from.
  struct Way {
    uint32_t link = 0;
    uint32_t node = 0;
  };

  // Links that have a load of their own: arcs or, where one node's ways are everybody's, generators.
  void list_links() {
    link_of_.resize(topology_.num_arcs());
    if (out_.is_translated_) {
      const CayleyStructure& cayley = *topology_.cayley();
      for (uint32_t k = 0; k < cayley.generators.size(); ++k) {
        capacity_.push_back(topology_.capacity(cayley.arc(NodeId{0}, k)));
        for (const NodeId x : topology_.nodes()) link_of_[index(cayley.arc(x, k))] = k;
      }
    } else {
      capacity_.assign(topology_.capacities().begin(), topology_.capacities().end());
      std::iota(link_of_.begin(), link_of_.end(), 0U);
    }
    is_given_.assign(capacity_.size(), 0);
    for (const ArcId arc : topology_.arcs())
      if (is_leaf(topology_.tail(arc)) || is_leaf(topology_.head(arc))) is_given_[link_of_[index(arc)]] = 1;
  }
  // Nobody else's way leads through it.
  [[nodiscard]] bool is_leaf(NodeId v) const {
    return topology_.out_degree(v) == 1 && !topology_.is_directed();
  }

  void list_ways_out() {
    first_way_.assign(1, 0);
    for (const NodeId v : topology_.nodes()) {
      for (const ArcId arc : topology_.arcs_from(v))
        ways_.push_back({link_of_[index(arc)], static_cast<uint32_t>(index(topology_.head(arc)))});
      first_way_.push_back(static_cast<uint32_t>(ways_.size()));
    }
  }

  // Links of leaves are given, and what they have to do; the others have this to do at least.
  void find_least() {
    const auto is_a_leaf = [&](uint32_t v) { return is_leaf(NodeId{v}); };
    std::vector<uint64_t> sent(topology_.num_nodes(), 0);
    std::vector<uint64_t> received(topology_.num_nodes(), 0);
    uint64_t work = 0;
    for (const Source& source : sources_) {
      const std::vector<uint32_t> away = distances_from(topology_, NodeId{source.node});
      for (const Target& target : source.targets) {
        if (target.blocks == 0) continue;
        const uint64_t leaves = (is_a_leaf(source.node) ? 1U : 0U) + (is_a_leaf(target.node) ? 1U : 0U);
        hops_ += away[target.node];
        work += target.blocks * (away[target.node] - std::min<uint64_t>(away[target.node], leaves));
        sent[source.node] += target.blocks;
        received[target.node] += target.blocks;
      }
    }
    uint64_t lanes = 0;
    for (const ArcId arc : topology_.arcs()) {
      const uint32_t link = link_of_[index(arc)];
      if (is_given_[link] == 0) continue;
      const uint64_t blocks =
          std::max(is_leaf(topology_.tail(arc)) ? sent[index(topology_.tail(arc))] : 0,
                   is_leaf(topology_.head(arc)) ? received[index(topology_.head(arc))] : 0);
      least_ = std::max(least_, (blocks + capacity_[link] - 1) / capacity_[link]);
    }
    for (size_t link = 0; link < capacity_.size(); ++link)
      if (is_given_[link] == 0) lanes += capacity_[link];
    if (lanes > 0) least_ = std::max(least_, (work + lanes - 1) / lanes);
  }

  [[nodiscard]] uint64_t rounds_of_choice() const {
    uint64_t most = 0;
    for (size_t link = 0; link < load_.size(); ++link)
      if (is_given_[link] == 0) most = std::max(most, (load_[link] + capacity_[link] - 1) / capacity_[link]);
    return most;
  }

  // Rounded, so that the last digit of a machine's exp() does not matter. Most links are alike, and their prices worked out once in a pass.
  [[nodiscard]] uint64_t price_of(uint64_t load, uint64_t capacity) const {
    const double over = static_cast<double>(load) / (static_cast<double>(capacity) * level_) - 1.0;
    const double price =
        kPairPriceUnit * std::exp(sharpness_ * std::clamp(over, -1.0, 0.1)) / static_cast<double>(capacity);
    return 1 + static_cast<uint64_t>(std::llround(price));
  }
  void set_price(uint32_t link) {
    if (is_given_[link] != 0) {
      price_[link] = 1;
      return;
    }
    if (capacity_[link] != capacity_[0] || load_[link] >= kMostPairLoadsKept) {
      price_[link] = price_of(load_[link], capacity_[link]);
      return;
    }
    if (load_[link] >= prices_of_loads_.size()) {
      prices_of_loads_.resize(std::min(load_[link] + load_[link] / 8 + 64, kMostPairLoadsKept), 0);
    }
    uint64_t& kept = prices_of_loads_[load_[link]];
    if (kept == 0) kept = price_of(load_[link], capacity_[link]);
    price_[link] = kept;
  }

  // A source and some of its targets: from one on every n-th, of n parts.
  struct Job {
    uint32_t source = 0;
    uint32_t first = 0;
  };
  // The cheapest ways by some prices, and those of them that are cheaper than the present ones.
  struct Search {
    Job job{};
    std::vector<uint64_t> cost{};
    std::vector<Way> over{};
    std::vector<uint64_t> heap{};
    std::vector<uint32_t> pairs{};  // by their numbers
    std::vector<uint32_t> ends{};   // of the way of each of them
    std::vector<uint32_t> links{};
  };

  // Searches know the same prices, a few at a time, and fewer from pass to pass: their ways are taken one by one, by the prices that
  // these leave.
  void route(uint64_t pass) {
    std::vector<Job> jobs;
    for (uint32_t source = 0; source < sources_.size(); ++source)
      for (uint32_t part = 0; part < std::min<size_t>(parts_, sources_[source].targets.size()); ++part)
        jobs.push_back({source, part});
    rng_.shuffle(jobs);
    const size_t at_once =
        std::clamp<size_t>((sources_.size() / kSourcesOfSearch) >> (pass / 2), 1, kMostSearchesAtOnce);
    searches_.resize(at_once);
    for (size_t first = 0; first < jobs.size(); first += at_once) {
      const size_t now = std::min(at_once, jobs.size() - first);
      for (size_t i = 0; i < now; ++i) searches_[i].job = jobs[first + i];
      if (now == 1) {
        search(searches_.front());
      } else {
        team_.for_each(now, [this](size_t i) { search(searches_[i]); });
      }
      for (size_t i = 0; i < now; ++i) take(searches_[i]);
    }
  }

  // A host with one link is on no way but its own.
  void search(Search& search) const {
    search.cost.assign(topology_.num_nodes(), UINT64_MAX);
    search.over.resize(topology_.num_nodes());
    std::vector<uint64_t>& heap = search.heap;
    heap.clear();
    const auto reach = [&](uint32_t v, uint64_t cost, const Way& by) {
      if (cost >= search.cost[v]) return;
      search.cost[v] = cost;
      search.over[v] = by;
      heap.push_back(cost << bits_ | v);
      std::ranges::push_heap(heap, std::greater<>());
    };
    const uint32_t source = sources_[search.job.source].node;
    reach(source, 0, {});
    while (!heap.empty()) {
      const uint64_t key = heap.front();
      std::ranges::pop_heap(heap, std::greater<>());
      heap.pop_back();
      const uint64_t cost = key >> bits_;
      const auto v = static_cast<uint32_t>(key & ((uint64_t{1} << bits_) - 1));
      if (cost > search.cost[v]) continue;
      for (uint32_t w = first_way_[v]; w < first_way_[v + 1]; ++w)
        reach(ways_[w].node, cost + price_[ways_[w].link], {ways_[w].link, v});
    }
    list_cheaper(search, source);
  }
  void list_cheaper(Search& search, uint32_t source) const {
    search.pairs.clear();
    search.ends.clear();
    search.links.clear();
    const PairWays::FromRank& from = out_.from_[search.job.source];
    const std::vector<Target>& targets = sources_[search.job.source].targets;
    for (uint32_t p = search.job.first; p < targets.size(); p += parts_) {
      const uint32_t to = targets[p].node;
      if (targets[p].blocks == 0) continue;
      const std::span<const uint32_t> present = from.of(p);
      const uint64_t now = present.empty() ? UINT64_MAX : cost_of(present);
      if (now - now / 1024 <= search.cost[to]) continue;
      const auto begin = static_cast<std::ptrdiff_t>(search.links.size());
      for (uint32_t v = to; v != source; v = search.over[v].node) search.links.push_back(search.over[v].link);
      std::reverse(search.links.begin() + begin, search.links.end());
      search.pairs.push_back(p);
      search.ends.push_back(static_cast<uint32_t>(search.links.size()));
    }
  }

  void take(const Search& search) {
    PairWays::FromRank& from = out_.from_[search.job.source];
    const std::vector<Target>& targets = sources_[search.job.source].targets;
    uint32_t begin = 0;
    for (size_t i = 0; i < search.pairs.size(); ++i) {
      const std::span<const uint32_t> other = std::span(search.links).subspan(begin, search.ends[i] - begin);
      begin = search.ends[i];
      const uint32_t p = search.pairs[i];
      const uint64_t blocks = targets[p].blocks;
      const std::span<const uint32_t> present = from.of(p);
      change(present, -blocks);
      if (!present.empty() && cost_of(other) >= cost_of(present)) {
        change(present, blocks);
        continue;
      }
      change(other, blocks);
      if (other.size() <= present.size()) {
        std::ranges::copy(other, from.links.begin() + from.begin[p]);
      } else {
        from.begin[p] = static_cast<uint32_t>(from.links.size());
        from.links.insert(from.links.end(), other.begin(), other.end());
      }
      from.end[p] = from.begin[p] + static_cast<uint32_t>(other.size());
    }
  }

  [[nodiscard]] uint64_t cost_of(std::span<const uint32_t> way) const {
    uint64_t sum = 0;
    for (const uint32_t link : way) sum += price_[link];
    return sum;
  }
  void change(std::span<const uint32_t> way, uint64_t by) {
    for (const uint32_t link : way) {
      load_[link] += by;
      set_price(link);
    }
  }

  PairWays& out_;
  const Topology& topology_;
  uint32_t bits_;  // of a node's number
  std::vector<Source> sources_;
  uint32_t parts_;                  // of a source's pairs, each with a search of its own
  std::vector<uint32_t> link_of_;   // per arc
  std::vector<uint64_t> capacity_;  // per link
  std::vector<char> is_given_;      // nobody has a choice there
  std::vector<uint32_t> first_way_;
  std::vector<Way> ways_;
  uint64_t hops_ = 0;
  uint64_t least_ = 0;
  double level_ = 1;
  double sharpness_ = kFirstSharpnessOfPairs;
  std::vector<uint64_t> load_;
  std::vector<uint64_t> price_;
  std::vector<uint64_t> prices_of_loads_;
  std::vector<Search> searches_{};
  ThreadTeam team_{kThreadsOfPairs};
  Rng rng_{1};
};

PairWays::PairWays(const Topology& topology)
    : topology_(topology), is_translated_(topology.cayley() != nullptr && !topology.has_routers()) {
  if (!is_translated_ && follow_factors()) return;
  std::vector<PairPricing::Source> sources;
  for (const NodeId source : topology.endpoints()) {
    PairPricing::Source& from = sources.emplace_back();
    from.node = static_cast<uint32_t>(index(source));
    for (const NodeId target : topology.endpoints())
      from.targets.push_back({static_cast<uint32_t>(index(target)), source == target ? 0U : 1U});
    if (is_translated_) break;
  }
  PairPricing(*this, std::move(sources)).run();
}

namespace {

// What some links of a factor have to do at least, for each unit of their capacity: by the lengths of all ways, and over cuts between
// the first nodes and the others.
double least_of_factor(const Topology& factor) {
  const uint64_t nodes = factor.num_nodes();
  std::vector<uint64_t> over(nodes, 0);  // from the first so many nodes to the others
  uint64_t all = 0;
  for (const ArcId arc : factor.arcs()) {
    all += factor.capacity(arc);
    for (size_t first = index(factor.tail(arc)) + 1; first <= index(factor.head(arc)); ++first)
      over[first] += factor.capacity(arc);
  }
  if (all == 0) return 0;
  double least = static_cast<double>(hops_of_all_pairs(factor)) / static_cast<double>(all);
  for (uint64_t first = 1; first < nodes; ++first) {
    if (over[first] == 0) continue;
    least = std::max(least, static_cast<double>(first * (nodes - first)) / static_cast<double>(over[first]));
  }
  return least;
}

}  // namespace

// Who differs in several coordinates goes along one dimension after the other: so a link has what the factor's has, for all other
// coordinates, and its dimension has no less to do whatever the ways.
bool PairWays::follow_factors() {
  const ProductStructure* product = topology_.product();
  if (product == nullptr || topology_.has_routers() || product->factors.size() < 2) return false;
  double least = 0;
  for (const Topology& factor : product->factors) {
    const uint64_t others = topology_.num_nodes() / factor.num_nodes();
    least = std::max(least, static_cast<double>(others) * least_of_factor(factor));
    const PairWays& ways = factors_.emplace_back(factor);
    for (const uint64_t load : ways.loads_) loads_.push_back(others * load);
    capacities_.insert(capacities_.end(), ways.capacities_.begin(), ways.capacities_.end());
  }
  if (static_cast<double>(rounds()) <= kGoodEnoughForFactors * least) return true;
  factors_.clear();
  loads_.clear();
  capacities_.clear();
  return false;
}

void PairWays::append_of_factors(NodeId from, NodeId to, std::vector<ArcId>& out) const {
  const ProductStructure& product = *topology_.product();
  NodeId at = from;
  std::vector<ArcId> way;
  for (size_t d = 0; d < factors_.size(); ++d) {
    const Topology& factor = product.factors[d];
    way.clear();
    factors_[d].append(factors_[d].pair(Rank{product.coordinate(at, d)}, Rank{product.coordinate(to, d)}),
                       way);
    for (const ArcId arc : way) {
      const NodeId next = product.with_coordinate(at, d, static_cast<uint32_t>(index(factor.head(arc))));
      out.push_back(*topology_.find_arc(at, next));
      at = next;
    }
  }
}

PairWays::PairWays(const Topology& topology, std::span<const RankPair> pairs) : topology_(topology) {
  std::vector<PairPricing::Source> sources;
  std::vector<uint32_t> of_rank(topology.num_endpoints(), UINT32_MAX);
  for (const RankPair& pair : pairs) {
    uint32_t& number = of_rank[index(pair.from)];
    if (number == UINT32_MAX) {
      number = static_cast<uint32_t>(sources.size());
      sources.push_back({static_cast<uint32_t>(index(topology.endpoint(pair.from)))});
    }
    std::vector<PairPricing::Target>& targets = sources[number].targets;
    places_.push_back({number, static_cast<uint32_t>(targets.size())});
    targets.push_back(
        {static_cast<uint32_t>(index(topology.endpoint(pair.to))), pair.from == pair.to ? 0 : pair.blocks});
  }
  PairPricing(*this, std::move(sources)).run();
}

void PairWays::append(size_t pair, std::vector<ArcId>& out) const {
  if (!places_.empty()) {
    for (const uint32_t arc : from_[places_[pair].source].of(places_[pair].number)) out.push_back(ArcId{arc});
    return;
  }
  const auto from = static_cast<uint32_t>(pair / topology_.num_endpoints());
  const auto to = static_cast<uint32_t>(pair % topology_.num_endpoints());
  if (!factors_.empty()) return append_of_factors(NodeId{from}, NodeId{to}, out);
  if (!is_translated_) {
    for (const uint32_t arc : from_[from].of(to)) out.push_back(ArcId{arc});
    return;
  }
  // Whoever is y from the identity is x y from x.
  const CayleyStructure& cayley = *topology_.cayley();
  NodeId at{from};
  for (const uint32_t generator : from_[0].of(cayley.group->multiply(cayley.group->inverse(from), to))) {
    out.push_back(cayley.arc(at, generator));
    at = topology_.head(out.back());
  }
}

uint64_t PairWays::rounds(uint64_t pieces) const {
  uint64_t most = 0;
  for (size_t link = 0; link < loads_.size(); ++link)
    most = std::max(most, (pieces * loads_[link] + capacities_[link] - 1) / capacities_[link]);
  return most;
}

std::shared_ptr<const PairWays> ways_of_all_pairs(const Topology& topology) {
  static LastAnswers<char, std::shared_ptr<const PairWays>> kept(1);
  return kept.of(topology, 0, [&] {
    count_work(Work::kSearching);
    return std::make_shared<const PairWays>(topology);
  });
}

uint64_t hops_of_all_pairs(const Topology& topology) {
  const Rational all = distance_summary(topology).average_status * Rational(topology.num_endpoints());
  return static_cast<uint64_t>(all.numerator());
}

}  // namespace quadrille
