#include "quadrille/algorithms/packing/timed/path_tries.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostMatchedNodes = 1024;

PortMatching::Links links_of(const Topology& topology) {
  PortMatching::Links out;
  for (const ArcId arc : topology.arcs()) {
    out.tail.push_back(static_cast<uint32_t>(index(topology.tail(arc))));
    out.head.push_back(static_cast<uint32_t>(index(topology.head(arc))));
    out.capacity.push_back(topology.capacity(arc));
  }
  return out;
}

}  // namespace

PathTries::PathTries(const Problem& problem, const PricedPaths& paths)
    : topology_(problem.topology()),
      paths_(paths),
      use_(problem),
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
  if (limited_ && problem.model().duplex == Duplex::kFull && topology_.num_nodes() <= kMostMatchedNodes)
    matching_.emplace(topology_.num_nodes(), links_of(topology_), send_ports_, receive_ports_,
                      PortMatching::Search::kLinkByLink);
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
    if (matching_) {
      const auto used = matching_->match(order_, waiting_, {rest_, rest_out_, rest_in_}, tight_first_);
      used_.assign(used.begin(), used.end());
    }
    for (const uint32_t arc : order_) {
      while (matching_ ? used_[arc]-- > 0 : waiting_[arc] > 0 && use_.take(id_at<ArcId>(arc))) {
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

bool PathTries::has_choice_of_links() const {
  return matching_ && most_arcs_ > std::min(send_ports_, receive_ports_) &&
         std::max(send_ports_, receive_ports_) > 1;
}

}  // namespace quadrille
