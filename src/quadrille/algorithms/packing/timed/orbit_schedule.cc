#include "quadrille/algorithms/packing/timed/orbit_schedule.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "quadrille/algorithms/packing/timed/port_matching.h"

namespace quadrille {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// What waits for each link, by the hops that it has to go; as many as there are classes of them, or more.
class Waiting {
 public:
  Waiting(size_t links, size_t paths)
      : top_(links * kClasses, kNone), below_(paths, kNone), classes_(links, 0) {}

  void push(uint32_t link, uint32_t path, size_t hops) {
    const size_t of = std::min(hops, kClasses) - 1;
    below_[path] = std::exchange(top_[link * kClasses + of], path);
    classes_[link] |= uint64_t{1} << of;
  }
  // The farthest to go.
  uint32_t pop(uint32_t link) {
    const auto of = static_cast<size_t>(std::bit_width(classes_[link]) - 1);
    uint32_t& top = top_[link * kClasses + of];
    const uint32_t path = std::exchange(top, below_[top]);
    if (top == kNone) classes_[link] &= ~(uint64_t{1} << of);
    return path;
  }

 private:
  static constexpr size_t kClasses = 64;

  std::vector<uint32_t> top_;
  std::vector<uint32_t> below_;
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
  std::vector<uint16_t> at(routes.size(), 0);
  std::vector<ArcId> next(routes.size(), kNoArc);
  Waiting queues(num_links, routes.size());
  const auto wait = [&](uint32_t path) {
    const std::span<const ArcId> hops = routes.path(path);
    next[path] = hops[at[path]];
    const uint32_t link = links.link_of[index(next[path])];
    queues.push(link, path, hops.size() - at[path]);
    ++waiting[link];
  };
  uint64_t left = 0;
  for (size_t i = 0; i < routes.size(); ++i) {
    for (const ArcId arc : routes.path(i)) ++over[links.link_of[index(arc)]];
    left += routes.path(i).size();
    if (!routes.path(i).empty()) wait(static_cast<uint32_t>(i));
  }
  for (size_t link = 0; link < num_links; ++link) {
    out[links.tail[link]] += over[link];
    in[links.head[link]] += over[link];
  }
  const uint64_t send_ports = send.unlimited() ? num_links : send.count;
  const uint64_t receive_ports = receive.unlimited() ? num_links : receive.count;
  PortMatching matching(orbits, {links.tail, links.head, links.capacity}, send_ports, receive_ports,
                        PortMatching::Search::kFreeFirst);
  OrbitSchedule plan;
  plan.moves.reserve(left);
  std::vector<uint32_t> order;
  while (plan.moves.size() < left) {
    order.clear();
    for (uint32_t link = 0; link < num_links; ++link)
      if (waiting[link] > 0) order.push_back(link);
    const std::span<const uint32_t> used =
        matching.match(order, waiting, {over, out, in}, std::max(send_ports, receive_ports) > 1);
    const size_t first = plan.moves.size();
    for (const uint32_t link : order) {
      for (uint32_t n = 0; n < used[link]; ++n) {
        const uint32_t path = queues.pop(link);
        plan.moves.push_back({path, next[path]});
        --waiting[link];
        --over[link];
        --out[links.tail[link]];
        --in[links.head[link]];
      }
    }
    for (size_t m = first; m < plan.moves.size(); ++m) {
      const uint32_t path = plan.moves[m].path;
      if (++at[path] < routes.path(path).size()) wait(path);
    }
    plan.step_ends.push_back(plan.moves.size());
  }
  return plan;
}

}  // namespace quadrille
