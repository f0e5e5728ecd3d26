#include "quadrille/algorithms/packing/timed/orbit_schedule.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "quadrille/algorithms/packing/timed/port_matching.h"
#include "quadrille/base/check.h"
#include "quadrille/base/memory/large_pages.h"

namespace quadrille {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Plans of so many steps match two steps in turn anew, and longer ones fewer: one with two ports on mesh(32,32) takes no more steps then,
// where one of 1,000 steps may take one in a hundred more.
constexpr uint64_t kStepsAnew = 2'048;
constexpr uint64_t kMostFromLast = 4;

// What waits for each link, by the hops that it has to go; as many as there are classes of them, or more. What is asked of a path
// lies together, since paths come in any order.
class Waiting {
 public:
  struct Path {
    uint32_t below = kNone;  // in its queue
    ArcId next = kNoArc;
    uint32_t hop = 0;  // that comes next, and where the path ends
    uint32_t end = 0;
  };

  Waiting(size_t links, size_t paths) : top_(links * kClasses, kNone), classes_(links, 0) {
    paths_.reserve(paths);
    prefer_large_pages(paths_.data(), paths * sizeof(Path));
    paths_.resize(paths);
  }

  [[nodiscard]] Path& path(uint32_t number) { return paths_[number]; }

  void push(uint32_t link, uint32_t number) {
    Path& path = paths_[number];
    const size_t of = class_of(path);
    path.below = std::exchange(top_[link * kClasses + of], number);
    classes_[link] |= uint64_t{1} << of;
  }
  // The farthest to go.
  uint32_t pop(uint32_t link) {
    const auto of = static_cast<size_t>(std::bit_width(classes_[link]) - 1);
    uint32_t& top = top_[link * kClasses + of];
    const uint32_t number = std::exchange(top, paths_[top].below);
    if (top == kNone)
      classes_[link] &= ~(uint64_t{1} << of);
    else
      __builtin_prefetch(&paths_[top]);  // which is the next one, if nothing comes with farther to go
    return number;
  }

  void will_push(uint32_t link, const Path& path) const {
    __builtin_prefetch(&top_[link * kClasses + class_of(path)], 1);
  }

 private:
  static constexpr size_t kClasses = 64;

  [[nodiscard]] static size_t class_of(const Path& path) {
    return std::min<size_t>(path.end - path.hop, kClasses) - 1;
  }

  std::vector<uint32_t> top_;
  std::vector<Path> paths_;
  std::vector<uint64_t> classes_;  // which have any
};

}  // namespace

OrbitSchedule schedule_orbits(const EvenRoutes& routes, const Mirrors& mirrors, const OrbitLinks& links,
                              Ports send, Ports receive) {
  const uint32_t orbits = mirrors.num_orbits();
  const size_t num_links = links.tail.size();
  std::vector<uint64_t> over(num_links, 0);
  std::vector<uint64_t> out(orbits, 0);
  std::vector<uint64_t> in(orbits, 0);
  std::vector<uint32_t> waiting(num_links, 0);
  Waiting queues(num_links, routes.size());
  const std::span<const ArcId> hops = routes.hops();
  QUADRILLE_CHECK(hops.size() < UINT32_MAX, "more hops than can be numbered");
  bool has_changed = true;  // whether something waits for other links than before
  const auto wait = [&](uint32_t number) {
    const uint32_t link = links.link_of[index(queues.path(number).next)];
    queues.push(link, number);
    has_changed = waiting[link]++ == 0 || has_changed;
  };
  uint64_t left = 0;
  for (size_t i = 0; i < routes.size(); ++i) {
    for (const ArcId arc : routes.path(i)) ++over[links.link_of[index(arc)]];
    left += routes.path(i).size();
    if (routes.path(i).empty()) continue;
    Waiting::Path& path = queues.path(static_cast<uint32_t>(i));
    path.hop = static_cast<uint32_t>(routes.path(i).data() - hops.data());
    path.end = path.hop + static_cast<uint32_t>(routes.path(i).size());
    path.next = hops[path.hop];
    wait(static_cast<uint32_t>(i));
  }
  for (size_t link = 0; link < num_links; ++link) {
    out[links.tail[link]] += over[link];
    in[links.head[link]] += over[link];
  }
  const uint64_t send_ports = send.unlimited() ? num_links : send.count;
  const uint64_t receive_ports = receive.unlimited() ? num_links : receive.count;
  PortMatching matching(orbits, {links.tail, links.head, links.capacity}, send_ports, receive_ports,
                        PortMatching::Search::kFreeFirst);
  const uint64_t anew_every = std::clamp<uint64_t>(routes.steps_at_least() / kStepsAnew, 1, kMostFromLast);
  OrbitSchedule plan;
  plan.moves.reserve(left);
  prefer_large_pages(plan.moves.data(), left * sizeof(OrbitSchedule::Move));
  std::vector<uint32_t> order;  // links for which something waits
  std::vector<uint32_t> busy;
  while (plan.moves.size() < left) {
    if (std::exchange(has_changed, false)) {
      order.clear();
      for (uint32_t link = 0; link < num_links; ++link)
        if (waiting[link] > 0) order.push_back(link);
    }
    const auto start =
        plan.step_ends.size() % anew_every == 0 ? PortMatching::Start::kAnew : PortMatching::Start::kFromLast;
    const std::span<const uint32_t> used =
        matching.match(order, waiting, {over, out, in}, std::max(send_ports, receive_ports) > 1, start);
    busy.resize(order.size());
    size_t count = 0;
    for (const uint32_t link : order) {
      busy[count] = link;
      count += used[link] > 0 ? 1 : 0;
    }
    busy.resize(count);
    const size_t first = plan.moves.size();
    for (const uint32_t link : busy) {
      for (uint32_t n = 0; n < used[link]; ++n) {
        const uint32_t number = queues.pop(link);
        const Waiting::Path& path = queues.path(number);
        plan.moves.push_back({number, path.next});
        __builtin_prefetch(hops.data() + path.hop + 1);
        has_changed = --waiting[link] == 0 || has_changed;
        --over[link];
        --out[links.tail[link]];
        --in[links.head[link]];
      }
    }
    const std::span<const OrbitSchedule::Move> moved = std::span(plan.moves).subspan(first);
    for (const OrbitSchedule::Move& move : moved) {
      Waiting::Path& path = queues.path(move.path);
      if (++path.hop == path.end) continue;
      path.next = hops[path.hop];
      queues.will_push(links.link_of[index(path.next)], path);
    }
    for (const OrbitSchedule::Move& move : moved)
      if (const Waiting::Path& path = queues.path(move.path); path.hop < path.end) wait(move.path);
    plan.step_ends.push_back(plan.moves.size());
  }
  return plan;
}

}  // namespace quadrille
