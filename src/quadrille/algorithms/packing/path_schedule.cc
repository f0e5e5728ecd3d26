#include "quadrille/algorithms/packing/path_schedule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/packing/round_paths.h"
#include "quadrille/algorithms/packing/timed/even_rounds.h"
#include "quadrille/algorithms/packing/timed/urgent_first.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace {

// Hops that all tries together may take.
constexpr uint64_t kScheduleWork = 60'000'000;
constexpr int kScheduleRounds = 4;
// Times that a schedule is disturbed, hops of all of them, and how many hops it should have.
constexpr uint64_t kMostShakes = 300;
constexpr uint64_t kShakeWork = 50'000'000;
constexpr uint64_t kFewestHopsShaken = 4'000;
constexpr uint64_t kMostHopsShaken = 1'000'000;
// Rounds of hosts with one link: orders that are tried, blocks that they have together, steps of a window, and blocks times links
// between routers.
constexpr uint64_t kFewestOrders = 3;
constexpr uint64_t kMostOrders = 24;
constexpr uint64_t kBlocksOfAllOrders = 150'000;
constexpr uint32_t kRoundWindow = 16;
constexpr uint64_t kRoundTries = 3'000;  // to exchange two of an order
constexpr uint64_t kShakesOfAnOrder = 10;
constexpr uint64_t kRoundWork = 100'000'000;
constexpr uint32_t kMostMatchedNodes = 512;

struct PathSchedule {
  uint32_t steps = 0;
  std::vector<uint32_t> step_of;  // of every hop, in the order of the paths
};

enum class Direction : uint8_t { kForward, kBackward };

// One try after another over the same paths. Backward, time and all arcs run the other way.
class Tries {
 public:
  Tries(const Problem& problem, const PricedPaths& paths)
      : topology_(problem.topology()),
        paths_(paths),
        use_(problem),
        matches_(problem.model().duplex == Duplex::kFull && topology_.num_nodes() <= kMostMatchedNodes),
        limited_(!problem.model().send.unlimited() || !problem.model().receive.unlimited() ||
                 problem.model().duplex == Duplex::kHalf),
        send_ports_(problem.model().send.unlimited() ? topology_.num_arcs() : problem.model().send.count),
        receive_ports_(problem.model().receive.unlimited() ? topology_.num_arcs()
                                                           : problem.model().receive.count),
        place_out_(topology_.num_arcs()),
        place_in_(topology_.num_arcs()) {
    std::vector<uint32_t> in(topology_.num_nodes(), 0);
    for (const ArcId arc : topology_.arcs()) {
      place_out_[index(arc)] =
          static_cast<uint32_t>(index(arc) - index(topology_.arcs_from(topology_.tail(arc))[0]));
      place_in_[index(arc)] = in[index(topology_.head(arc))]++;
    }
    matches_ = matches_ && limited_;
    for (const NodeId v : topology_.nodes())
      most_arcs_ = std::max<uint64_t>({most_arcs_, topology_.out_degree(v), in[index(v)]});
    in_degree_ = std::move(in);
    rank_distance_.reserve(paths.size());
    const Collective& collective = problem.collective();
    const uint32_t ranks = collective.num_ranks();
    const std::vector<uint32_t> place = places(problem);
    for (size_t i = 0; i < paths.size(); ++i) {
      const uint32_t from = place[index(collective.origin(paths.block(i)))];
      const uint32_t to = place[index(collective.destination(paths.block(i)))];
      rank_distance_.push_back((to + ranks - from) % ranks);
    }
    // Not all sources serve the same destination first: the block for the neighbour in rank, then the next.
    order_of_paths_.resize(paths_.size());
    std::iota(order_of_paths_.begin(), order_of_paths_.end(), 0U);
    std::ranges::stable_sort(order_of_paths_, {}, [&](uint32_t i) { return rank_distance_[i]; });
    if (!limited_) urgent_first_.emplace(topology_, paths_, order_of_paths_);
  }

  // How a link chooses among the blocks that wait for it: the least key, or, where `pull` is not 0, of the
  // neighbour with most left to do, `pull` times what waits for it taken off.
  PathSchedule run(Direction direction, const std::vector<uint32_t>& keys, int64_t pull) {
    if (urgent_first_ && pull == 0 && urgent_first_->can_take(keys)) {
      PathSchedule out;
      out.steps = urgent_first_->run(direction == Direction::kBackward, keys, out.step_of);
      return out;
    }
    direction_ = direction;
    pulls_ = pull != 0;
    start(keys);
    PathSchedule out;
    out.step_of.assign(paths_.num_hops(), 0);
    size_t left = paths_.num_hops();
    std::vector<std::pair<uint32_t, uint32_t>> moved;  // path, hop
    for (uint32_t step = 0; left > 0; ++step) {
      order_arcs(step);
      if (matches_) match();
      for (const uint32_t arc : order_) {
        while (matches_ ? used_[arc]-- > 0 : waiting_[arc] > 0 && use_.take(id_at<ArcId>(arc))) {
          const uint32_t path = take_from(arc, pull);
          const uint32_t hop = at_[path];
          out.step_of[paths_.first_hop(path) + hop] = step;
          moved.emplace_back(path, hop);
          --rest_[arc];
          --rest_out_[index(topology_.tail(id_at<ArcId>(arc)))];
          --rest_in_[index(topology_.head(id_at<ArcId>(arc)))];
        }
      }
      left -= moved.size();
      for (const auto& [path, hop] : moved) {
        const auto hops = static_cast<uint32_t>(paths_.path(path).size());
        const bool last = direction_ == Direction::kForward ? hop + 1 == hops : hop == 0;
        if (last) continue;
        at_[path] = direction_ == Direction::kForward ? hop + 1 : hop - 1;
        wait(path, keys);
      }
      moved.clear();
      chosen_.assign(chosen_.size(), 0);
      use_.next_step();
      out.steps = step + 1;
    }
    return out;
  }

  // Hops still to go, for every hop: the longest way first.
  [[nodiscard]] std::vector<uint32_t> by_hops_left(Direction direction) const {
    std::vector<uint32_t> keys(paths_.num_hops());
    uint32_t most = 0;
    for (size_t i = 0; i < paths_.size(); ++i)
      most = std::max(most, static_cast<uint32_t>(paths_.path(i).size()));
    for (size_t i = 0; i < paths_.size(); ++i) {
      const auto hops = static_cast<uint32_t>(paths_.path(i).size());
      for (uint32_t h = 0; h < hops; ++h)
        keys[paths_.first_hop(i) + h] = most - (direction == Direction::kForward ? hops - h : h + 1);
    }
    return keys;
  }

 private:
  // Where each rank stands in the circle of whom everybody serves next. Hosts are numbered group by group, and at the same time a whole
  // group would send to another one, over the few links there are; so they stand in any order. (In trees their own order does as well.)
  [[nodiscard]] static std::vector<uint32_t> places(const Problem& problem) {
    std::vector<uint32_t> place(problem.collective().num_ranks());
    std::iota(place.begin(), place.end(), 0U);
    Rng rng{7};
    const bool has_groups = problem.topology().has_routers() && problem.topology().tree() == nullptr;
    if (has_groups) rng.shuffle(place);
    return place;
  }

  struct Waiting {
    uint64_t key;
    uint32_t path;
    bool operator>(const Waiting& other) const {
      return key != other.key ? key > other.key : path > other.path;
    }
  };

  void start(const std::vector<uint32_t>& keys) {
    const bool forward = direction_ == Direction::kForward;
    first_queue_.assign(1, 0);
    for (const ArcId arc : topology_.arcs()) {
      const uint32_t next = !pulls_   ? 0
                            : forward ? topology_.out_degree(topology_.head(arc))
                                      : in_degree_[index(topology_.tail(arc))];
      first_queue_.push_back(first_queue_.back() + next + 1);
    }
    queues_.assign(first_queue_.back(), {});
    queue_arc_.assign(first_queue_.back(), kNoNext);
    waiting_.assign(topology_.num_arcs(), 0);
    chosen_.assign(topology_.num_arcs(), 0);
    rest_.assign(topology_.num_arcs(), 0);
    rest_out_.assign(topology_.num_nodes(), 0);
    rest_in_.assign(topology_.num_nodes(), 0);
    at_.assign(paths_.size(), 0);
    arrivals_ = 0;
    for (const uint32_t i : order_of_paths_) {
      for (const ArcId arc : paths_.path(i)) {
        ++rest_[index(arc)];
        ++rest_out_[index(topology_.tail(arc))];
        ++rest_in_[index(topology_.head(arc))];
      }
      at_[i] = forward ? 0 : static_cast<uint32_t>(paths_.path(i).size()) - 1;
      wait(i, keys);
    }
  }

  void wait(uint32_t path, const std::vector<uint32_t>& keys) {
    const auto arcs = paths_.path(path);
    const uint32_t hop = at_[path];
    const bool forward = direction_ == Direction::kForward;
    const bool last = forward ? hop + 1 == arcs.size() : hop == 0;
    const size_t arc = index(arcs[hop]);
    size_t queue = first_queue_[arc];
    if (!last && pulls_) {
      const ArcId next = arcs[forward ? hop + 1 : hop - 1];
      queue += 1 + (forward ? place_out_ : place_in_)[index(next)];
      queue_arc_[queue] = static_cast<uint32_t>(index(next));
    }
    std::vector<Waiting>& heap = queues_[queue];
    heap.push_back({(uint64_t{keys[paths_.first_hop(path) + hop]} << 32U) | arrivals_++, path});
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    ++waiting_[arc];
  }

  // How much a link wants to be served: what it has left to do, less what waits for it already.
  [[nodiscard]] int64_t pull_of(uint32_t arc, int64_t pull) const {
    const int64_t rest = static_cast<int64_t>(rest_[arc]) - pull * int64_t{waiting_[arc] + chosen_[arc]};
    return rest * 64 / int64_t{topology_.capacity(ArcId{arc})};
  }

  uint32_t take_from(uint32_t arc, int64_t pull) {
    size_t best = first_queue_[arc + 1];
    int64_t most = 0;
    for (size_t q = first_queue_[arc]; q < first_queue_[arc + 1]; ++q) {
      if (queues_[q].empty()) continue;
      const bool first = best == first_queue_[arc + 1];
      if (pull == 0) {
        if (first || queues_[best].front() > queues_[q].front()) best = q;
        continue;
      }
      const int64_t score = q == first_queue_[arc] ? INT64_MIN : pull_of(queue_arc_[q], pull);
      if (first || score > most) {
        best = q;
        most = score;
      }
    }
    std::vector<Waiting>& heap = queues_[best];
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const uint32_t path = heap.back().path;
    heap.pop_back();
    --waiting_[arc];
    if (best != first_queue_[arc]) ++chosen_[queue_arc_[best]];
    return path;
  }

  // Where ports are short: first the arcs whose link or ports have most left to do.
  void order_arcs(uint32_t step) {
    order_.clear();
    const uint32_t arcs = topology_.num_arcs();
    const auto first = static_cast<uint32_t>(uint64_t{step} * 7919 % arcs);
    for (uint32_t i = 0; i < arcs; ++i) {
      const uint32_t arc = first + i < arcs ? first + i : first + i - arcs;
      if (waiting_[arc] > 0) order_.push_back(arc);
    }
    if (!limited_) return;
    urgency_.resize(arcs);
    for (const uint32_t arc : order_) {
      const uint64_t out = rest_out_[index(topology_.tail(ArcId{arc}))] * 64 / send_ports_;
      const uint64_t in = rest_in_[index(topology_.head(ArcId{arc}))] * 64 / receive_ports_;
      const uint64_t link = rest_[arc] * 64 / topology_.capacity(ArcId{arc});
      urgency_[arc] = std::max({out, in, link}) * 1024 + std::min<uint64_t>(out + in, 65'536) / 128;
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [this](uint32_t a, uint32_t b) { return urgency_[a] > urgency_[b]; });
  }

  // Where ports are short: a set of transfers that leaves out no sender with much to do, and then no receiver,
  // if that can be helped (matched_packets.h does so for one port).
  void match() {
    used_.assign(topology_.num_arcs(), 0);
    sent_.assign(topology_.num_nodes(), 0);
    received_.assign(topology_.num_nodes(), 0);
    from_.assign(topology_.num_nodes(), {});
    into_.assign(topology_.num_nodes(), {});
    for (const uint32_t arc : order_) {
      from_[index(topology_.tail(ArcId{arc}))].push_back(arc);
      into_[index(topology_.head(ArcId{arc}))].push_back(arc);
    }
    // Of its links each node uses first the one that has most left to carry.
    const auto most_left = [this](uint32_t a, uint32_t b) { return rest_[a] > rest_[b]; };
    for (std::vector<uint32_t>& arcs : from_) std::stable_sort(arcs.begin(), arcs.end(), most_left);
    for (std::vector<uint32_t>& arcs : into_) std::stable_sort(arcs.begin(), arcs.end(), most_left);
    // One port after another: nobody gets a second transfer before all had a chance of the first.
    const uint64_t most = std::min<uint64_t>(std::max(send_ports_, receive_ports_), most_arcs_);
    for (uint64_t port = 1; port <= most; ++port) {
      send_limit_ = std::min(port, send_ports_);
      receive_limit_ = std::min(port, receive_ports_);
      by_rest(rest_out_, sent_);
      for (const uint32_t v : nodes_) {
        seen_.assign(topology_.num_nodes(), 0);
        if (sent_[v] < send_limit_) send_more(v);
      }
      by_rest(rest_in_, received_);
      for (const uint32_t v : nodes_) {
        seen_.assign(topology_.num_nodes(), 0);
        if (received_[v] < receive_limit_) receive_more(v, v);
      }
    }
  }
  void by_rest(const std::vector<uint64_t>& rest, const std::vector<uint64_t>& taken) {
    nodes_.clear();
    for (uint32_t v = 0; v < rest.size(); ++v)
      if (rest[v] > 0) nodes_.push_back(v);
    std::stable_sort(nodes_.begin(), nodes_.end(),
                     [&](uint32_t a, uint32_t b) { return rest[a] - taken[a] > rest[b] - taken[b]; });
  }
  [[nodiscard]] bool has_room(uint32_t arc) const {
    return used_[arc] < std::min<int64_t>(waiting_[arc], topology_.capacity(ArcId{arc}));
  }
  // One transfer more from a node, with others of its receivers' senders sent elsewhere.
  bool send_more(uint32_t v) {
    for (const uint32_t arc : from_[v]) {
      const size_t w = index(topology_.head(ArcId{arc}));
      if (!has_room(arc) || seen_[w] != 0) continue;
      if (received_[w] < receive_limit_) {
        ++used_[arc];
        ++sent_[v];
        ++received_[w];
        return true;
      }
      seen_[w] = 1;
      for (const uint32_t other : into_[w]) {
        const auto u = static_cast<uint32_t>(index(topology_.tail(ArcId{other})));
        if (used_[other] == 0 || u == v) continue;
        --used_[other];
        --sent_[u];
        --received_[w];
        if (send_more(u)) {
          ++used_[arc];
          ++sent_[v];
          ++received_[w];
          return true;
        }
        ++used_[other];
        ++sent_[u];
        ++received_[w];
      }
    }
    return false;
  }
  // One more into a node; a receiver that has less to do than `first` may lose one for it.
  bool receive_more(uint32_t w, uint32_t first) {
    for (const uint32_t arc : into_[w]) {
      const size_t v = index(topology_.tail(ArcId{arc}));
      if (!has_room(arc) || seen_[v] != 0) continue;
      if (sent_[v] < send_limit_) {
        ++used_[arc];
        ++sent_[v];
        ++received_[w];
        return true;
      }
      seen_[v] = 1;
      for (const uint32_t other : from_[v]) {
        const auto u = static_cast<uint32_t>(index(topology_.head(ArcId{other})));
        if (used_[other] == 0 || u == w) continue;
        --used_[other];
        --received_[u];
        --sent_[v];
        if (rest_in_[u] < rest_in_[first] || receive_more(u, first)) {
          ++used_[arc];
          ++sent_[v];
          ++received_[w];
          return true;
        }
        ++used_[other];
        ++received_[u];
        ++sent_[v];
      }
    }
    return false;
  }

  static constexpr uint32_t kNoNext = UINT32_MAX;

  const Topology& topology_;
  const PricedPaths& paths_;
  LinkUse use_;
  bool matches_;  // sets of transfers are looked for; otherwise the most urgent are taken
  bool limited_;
  uint64_t send_ports_;
  uint64_t receive_ports_;
  std::vector<uint32_t> place_out_;  // of an arc among those that leave its tail
  std::vector<uint32_t> place_in_;   // of an arc among those that enter its head
  std::vector<uint32_t> in_degree_;
  std::vector<uint32_t> rank_distance_;
  std::vector<uint32_t> order_of_paths_;
  std::optional<UrgentFirst> urgent_first_{};

  Direction direction_ = Direction::kForward;
  bool pulls_ = false;
  std::vector<size_t>
      first_queue_;  // of each arc; its queues are: those that end here, then, if it pulls, one a next arc
  std::vector<std::vector<Waiting>> queues_;
  std::vector<uint32_t> queue_arc_;
  std::vector<uint32_t> waiting_;  // per arc
  std::vector<uint32_t> chosen_;   // in this step, for each next arc
  std::vector<uint64_t> rest_;     // hops over an arc that are still to come
  std::vector<uint64_t> rest_out_;
  std::vector<uint64_t> rest_in_;
  std::vector<uint32_t> at_;
  uint32_t arrivals_ = 0;
  std::vector<uint32_t> order_;
  std::vector<uint64_t> urgency_;
  std::vector<int64_t> used_;  // transfers over each arc in this step
  std::vector<uint64_t> sent_;
  uint64_t send_limit_ = 1;
  uint64_t receive_limit_ = 1;
  uint64_t most_arcs_ = 1;  // that any node has
  std::vector<uint64_t> received_;
  std::vector<std::vector<uint32_t>> from_;
  std::vector<std::vector<uint32_t>> into_;
  std::vector<uint32_t> nodes_;
  std::vector<char> seen_;
};

// The latest first backward, and so on, as long as that is shorter.
template <typename IsDone>
void forward_and_backward(const Problem& problem, Tries& tries, PathSchedule now, PathSchedule& best,
                          uint64_t& tried, IsDone is_done) {
  for (int round = 0; round < kScheduleRounds && !is_done(); ++round) {
    const auto latest_first = [](PathSchedule& schedule) {
      std::vector<uint32_t> keys(schedule.step_of);
      for (uint32_t& key : keys) key = schedule.steps - key;
      return keys;
    };
    PathSchedule back = tries.run(Direction::kBackward, latest_first(now), 0);
    PathSchedule next = tries.run(Direction::kForward, latest_first(back), 0);
    tried += 2;
    const bool better = next.steps < now.steps;
    if (next.steps < best.steps) {
      best = next;
      tell_found(problem, best.steps);
    }
    now = std::move(next);
    if (!better) break;
  }
}

PathSchedule best_of_tries(const Problem& problem, const PricedPaths& paths) {
  PathSchedule best;
  if (paths.size() == 0) return best;
  Tries tries(problem, paths);
  const uint64_t tries_left = SearchLimits::work(kScheduleWork) / (paths.num_hops() + 1) + 1;
  uint64_t tried = 0;
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  const auto is_done = [&] {
    return best.steps == paths.busiest() || best.steps <= good_enough || tried >= tries_left ||
           searches_are_stopped();
  };
  const auto improve = [&](PathSchedule now) {
    forward_and_backward(problem, tries, std::move(now), best, tried, is_done);
  };
  best = tries.run(Direction::kForward, tries.by_hops_left(Direction::kForward), 0);
  ++tried;
  tell_found(problem, best.steps);
  PathSchedule longest_first = best;
  for (const int64_t pull : {2, 8, 30}) {
    if (is_done()) break;
    PathSchedule pulled = tries.run(Direction::kForward, tries.by_hops_left(Direction::kForward), pull);
    ++tried;
    if (pulled.steps < best.steps) best = std::move(pulled);
    tell_found(problem, best.steps);
  }
  if (!is_done()) improve(best);
  if (!is_done()) improve(std::move(longest_first));
  return best;
}

TimedPaths timed(const PricedPaths& paths, PathSchedule schedule) {
  TimedPaths out;
  out.steps = schedule.steps;
  out.step_of = std::move(schedule.step_of);
  out.arcs.reserve(paths.num_hops());
  for (size_t i = 0; i < paths.size(); ++i) {
    out.blocks.push_back(paths.block(i));
    out.arcs.insert(out.arcs.end(), paths.path(i).begin(), paths.path(i).end());
    out.begin.push_back(out.arcs.size());
  }
  return out;
}

// Whether hosts with one link each are the limit of these paths, and the links between routers are not.
bool are_hosts_the_limit(const Problem& problem, const PricedPaths& paths) {
  const Model& model = problem.model();
  if (!model.send.unlimited() || !model.receive.unlimited() || model.duplex == Duplex::kHalf ||
      !are_hosts_of_one_link(problem.topology()))
    return false;
  uint64_t work = 0;
  std::vector<uint64_t> load(problem.topology().num_arcs(), 0);
  for (size_t i = 0; i < paths.size(); ++i)
    for (const ArcId arc : paths.path(i)) ++load[index(arc)];
  uint64_t between = 0;
  for (const ArcId arc : problem.topology().arcs()) {
    if (problem.topology().rank(problem.topology().tail(arc)) ||
        problem.topology().rank(problem.topology().head(arc)))
      continue;
    between = std::max(between, load[index(arc)] / problem.topology().capacity(arc));
    ++work;
  }
  return between < paths.busiest() && work * paths.size() <= kRoundWork;
}

// The best one with its order disturbed a little, forward and backward again: of many that are about as good some are better.
void shake(const Problem& problem, const PricedPaths& paths, PathSchedule& best, uint64_t most) {
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  const auto is_done = [&] {
    return best.steps == paths.busiest() || best.steps <= good_enough || searches_are_stopped();
  };
  const uint64_t times = SearchLimits::work(kShakeWork) / (paths.num_hops() + 1);
  Tries tries(problem, paths);
  Rng rng{1};
  PathSchedule now = best;
  for (uint64_t time = 0; time < std::min(times, SearchLimits::work(most)) && !is_done(); ++time) {
    const uint32_t by = now.steps / 32 + 2;
    std::vector<uint32_t> keys(now.step_of);
    for (uint32_t& key : keys) key += static_cast<uint32_t>(rng.below(by));
    PathSchedule next = tries.run(Direction::kForward, keys, 0);
    uint64_t tried = 0;
    forward_and_backward(problem, tries, next, next, tried, is_done);
    if (next.steps > now.steps) continue;
    if (next.steps < best.steps) best = next;
    now = std::move(next);
  }
}

// In rounds, in several orders; the paths are those that suit the rounds.
void try_rounds(const Problem& problem, const PricedPaths& paths, PathSchedule& best, PricedPaths& of_best) {
  EvenRounds rounds(problem, paths);
  const uint64_t ranks = problem.collective().num_ranks();
  Rng rng{1};
  const uint64_t orders =
      std::clamp(SearchLimits::work(kBlocksOfAllOrders) / (paths.size() + 1), kFewestOrders, kMostOrders);
  const uint64_t good_enough = good_enough_steps(problem, paths.least());
  for (uint64_t order = 0; order < orders && best.steps > good_enough && !searches_are_stopped(); ++order) {
    const std::vector<uint32_t> round = rounds.found(rng, std::min(kRoundTries, 4 * ranks * ranks));
    PricedPaths spread = spread_over_rounds(problem, paths, round, kRoundWindow);
    if (spread.busiest() >= best.steps) continue;
    Tries tries(problem, spread);
    std::vector<uint32_t> keys;
    keys.reserve(spread.num_hops());
    for (size_t i = 0; i < spread.size(); ++i) keys.insert(keys.end(), spread.path(i).size(), round[i]);
    PathSchedule found = tries.run(Direction::kForward, keys, 0);
    uint64_t tried = 0;
    forward_and_backward(problem, tries, found, found, tried,
                         [&] { return found.steps == spread.busiest() || searches_are_stopped(); });
    shake(problem, spread, found, kShakesOfAnOrder);
    if (found.steps >= best.steps) continue;
    best = std::move(found);
    of_best = std::move(spread);
  }
}

// Disturbing pays where what is short is not a port, and takes too long on networks that are planned in a moment.
bool is_worth_shaking(const Problem& problem, const PricedPaths& paths) {
  const Model& model = problem.model();
  return model.send.unlimited() && model.receive.unlimited() &&
         (paths.num_hops() >= kFewestHopsShaken || are_hosts_of_one_link(problem.topology())) &&
         paths.num_hops() <= kMostHopsShaken;
}

}  // namespace

TimedPaths schedule_paths(const Problem& problem, const PricedPaths& paths) {
  PathSchedule best = best_of_tries(problem, paths);
  if (best.steps <= paths.busiest() + 1) return timed(paths, std::move(best));
  PricedPaths of_best = paths;
  if (are_hosts_the_limit(problem, paths)) try_rounds(problem, paths, best, of_best);
  if (is_worth_shaking(problem, of_best)) shake(problem, of_best, best, kMostShakes);
  return timed(of_best, std::move(best));
}

}  // namespace quadrille
