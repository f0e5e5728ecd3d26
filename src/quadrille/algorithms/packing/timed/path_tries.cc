#include "quadrille/algorithms/packing/timed/path_tries.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostMatchedNodes = 1024;
// A link is tight where all but one step in so many must use it.
constexpr uint64_t kSlack = 16;

}  // namespace

PathTries::PathTries(const Problem& problem, const PricedPaths& paths)
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
PathSchedule PathTries::run(Direction direction, const std::vector<uint32_t>& keys, int64_t pull) {
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
std::vector<uint32_t> PathTries::by_hops_left(Direction direction) const {
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

// Where each rank stands in the circle of whom everybody serves next. Hosts are numbered group by group, and at the same time a whole
// group would send to another one, over the few links there are; so they stand in any order. (In trees their own order does as well.)
std::vector<uint32_t> PathTries::places(const Problem& problem) {
  std::vector<uint32_t> place(problem.collective().num_ranks());
  std::iota(place.begin(), place.end(), 0U);
  Rng rng{7};
  const bool has_groups = problem.topology().has_routers() && problem.topology().tree() == nullptr;
  if (has_groups) rng.shuffle(place);
  return place;
}

void PathTries::start(const std::vector<uint32_t>& keys) {
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

void PathTries::wait(uint32_t path, const std::vector<uint32_t>& keys) {
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
int64_t PathTries::pull_of(uint32_t arc, int64_t pull) const {
  const int64_t rest = static_cast<int64_t>(rest_[arc]) - pull * int64_t{waiting_[arc] + chosen_[arc]};
  return rest * 64 / int64_t{topology_.capacity(ArcId{arc})};
}

uint32_t PathTries::take_from(uint32_t arc, int64_t pull) {
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
void PathTries::order_arcs(uint32_t step) {
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
void PathTries::match() {
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
  fixed_.assign(topology_.num_arcs(), 0);
  if (tight_first_) take_tight_links();
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

void PathTries::take_tight_links() {
  const auto steps_for = [](uint64_t work, uint64_t a_step) { return (work + a_step - 1) / a_step; };
  uint64_t left = 0;
  for (const NodeId v : topology_.nodes())
    left = std::max(
        {left, steps_for(rest_out_[index(v)], send_ports_), steps_for(rest_in_[index(v)], receive_ports_)});
  tight_.clear();
  for (const ArcId arc : topology_.arcs())
    left = std::max(left, steps_for(rest_[index(arc)], topology_.capacity(arc)));
  for (const uint32_t arc : order_)
    if (steps_for(rest_[arc], topology_.capacity(ArcId{arc})) + left / kSlack + 1 >= left)
      tight_.push_back(arc);
  std::stable_sort(tight_.begin(), tight_.end(), [this](uint32_t a, uint32_t b) {
    return rest_[a] * topology_.capacity(ArcId{b}) > rest_[b] * topology_.capacity(ArcId{a});
  });
  for (const uint32_t arc : tight_) {
    const size_t from = index(topology_.tail(ArcId{arc}));
    const size_t to = index(topology_.head(ArcId{arc}));
    while (has_room(arc) && sent_[from] < send_ports_ && received_[to] < receive_ports_) {
      ++used_[arc];
      ++sent_[from];
      ++received_[to];
    }
    fixed_[arc] = used_[arc];
  }
}

bool PathTries::has_choice_of_links() const {
  return matches_ && most_arcs_ > std::min(send_ports_, receive_ports_) &&
         std::max(send_ports_, receive_ports_) > 1;
}

void PathTries::by_rest(const std::vector<uint64_t>& rest, const std::vector<uint64_t>& taken) {
  nodes_.clear();
  for (uint32_t v = 0; v < rest.size(); ++v)
    if (rest[v] > 0) nodes_.push_back(v);
  std::stable_sort(nodes_.begin(), nodes_.end(),
                   [&](uint32_t a, uint32_t b) { return rest[a] - taken[a] > rest[b] - taken[b]; });
}

bool PathTries::has_room(uint32_t arc) const {
  return used_[arc] < std::min<int64_t>(waiting_[arc], topology_.capacity(ArcId{arc}));
}

// One transfer more from a node, with others of its receivers' senders sent elsewhere.
bool PathTries::send_more(uint32_t v) {
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
      if (used_[other] == fixed_[other] || u == v) continue;
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
bool PathTries::receive_more(uint32_t w, uint32_t first) {
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
      if (used_[other] == fixed_[other] || u == w) continue;
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

}  // namespace quadrille
