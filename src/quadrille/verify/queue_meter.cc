#include "quadrille/verify/queue_meter.h"

#include <algorithm>

namespace quadrille {
namespace {

// The steps in which waits begin and those at the end of which they are over, each ascending.
struct Course {
  template <typename Waits>
  explicit Course(const Waits& waits) {
    add(waits);
  }
  Course() = default;

  template <typename Waits>
  void add(const Waits& waits) {
    for (const auto& wait : waits) {
      begins.push_back(wait.first);
      ends.push_back(wait.last);
    }
  }
  void sort() {
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
  }

  // Calls use(step, count before, count at its end) for every step in which a wait begins.
  template <typename Use>
  void for_each_rise(Use use) const {
    size_t over = 0;
    size_t over_before = 0;
    for (size_t i = 0; i < begins.size();) {
      const uint32_t step = begins[i];
      const size_t begun_before = i;
      while (i < begins.size() && begins[i] == step) ++i;
      while (over_before < ends.size() && ends[over_before] + 1 < step) ++over_before;
      while (over < ends.size() && ends[over] < step) ++over;
      use(step, begun_before - over_before, i - over);
    }
  }

  std::vector<uint32_t> begins;
  std::vector<uint32_t> ends;
};

}  // namespace

QueueMeter::QueueMeter(const Problem& problem)
    : problem_(problem),
      moves_(problem.collective().flow() == Flow::kMove),
      counts_(problem.collective().flow() != Flow::kCombine) {
  if (!counts_) return;
  const Topology& topology = problem.topology();
  for_link_.resize(topology.num_arcs());
  on_link_.resize(topology.num_arcs());
  uint32_t routers = 0;
  for (const NodeId v : topology.nodes()) router_.push_back(topology.rank(v) ? kNoRouter : routers++);
  places_.resize((moves_ ? 1 : size_t{routers}) * problem.collective().num_blocks());
}

// Null where a block cannot wait: a copy at an endpoint.
QueueMeter::Place* QueueMeter::place(NodeId node, BlockId block) {
  if (moves_) return &places_[index(block)];
  const uint32_t router = router_[index(node)];
  if (router == kNoRouter) return nullptr;
  return &places_[size_t{router} * problem_.collective().num_blocks() + index(block)];
}

void QueueMeter::measure(const JudgedStep& step) {
  if (!counts_) return;
  // All senders are looked at before anything arrives.
  for (size_t t = 0; t < step.view.size(); ++t) {
    const ArcId arc = step.view.arcs(t).front();
    for (const BlockId block : step.view.blocks(t)) leave(step.number, arc, block);
  }
  for (size_t t = 0; t < step.view.size(); ++t) {
    const ArcId arc = step.view.arcs(t).back();
    for (const BlockId block : step.view.blocks(t)) arrive(step.number, arc, block);
  }
}

void QueueMeter::leave(uint32_t step, ArcId arc, BlockId block) {
  const NodeId from = problem_.topology().tail(arc);
  Place* at = place(from, block);
  if (at == nullptr || at->node != from || (moves_ && from == problem_.destination(block))) return;
  at->last_sent = step;
  if (at->arrived + 1 < step) for_link_[index(arc)].push_back({at->arrived + 1, step - 1});
}

void QueueMeter::arrive(uint32_t step, ArcId arc, BlockId block) {
  const NodeId to = problem_.topology().head(arc);
  Place* at = place(to, block);
  if (at == nullptr) return;
  if (at->last_sent > at->arrived + 1) {
    on_link_[index(at->over)].push_back({at->arrived + 1, at->last_sent - 1});
  }
  *at = {to, arc, step, 0};
}

// Besides the waits that are over, those of blocks that have not come back.
std::vector<std::vector<QueueMeter::Wait>> QueueMeter::waits_on_links() const {
  std::vector<std::vector<Wait>> out = on_link_;
  for (const Place& at : places_) {
    if (at.last_sent > at.arrived + 1) out[index(at.over)].push_back({at.arrived + 1, at.last_sent - 1});
  }
  return out;
}

QueueFigures QueueMeter::figures() const {
  QueueFigures out;
  if (!counts_) return out;
  for (size_t a = 0; a < for_link_.size(); ++a) {
    Course course(for_link_[a]);
    course.sort();
    course.for_each_rise([&](uint32_t step, size_t, size_t count) {
      if (count <= out.link) return;
      out.link = count;
      out.arc = id_at<ArcId>(a);
      out.link_step = step - 1;
    });
  }
  const std::vector<std::vector<Wait>> came_on = waits_on_links();
  std::vector<Course> at_node(problem_.topology().num_nodes());
  for (size_t a = 0; a < came_on.size(); ++a) {
    if (came_on[a].empty()) continue;
    at_node[index(problem_.topology().head(id_at<ArcId>(a)))].add(came_on[a]);
    Course course(came_on[a]);
    course.sort();
    course.for_each_rise([&](uint32_t step, size_t, size_t count) {
      if (count <= out.incoming) return;
      out.incoming = count;
      out.incoming_arc = id_at<ArcId>(a);
      out.incoming_step = step - 1;
    });
  }
  for (size_t v = 0; v < at_node.size(); ++v) {
    at_node[v].sort();
    at_node[v].for_each_rise([&](uint32_t step, size_t, size_t count) {
      if (count <= out.node) return;
      out.node = count;
      out.at = id_at<NodeId>(v);
      out.node_step = step - 1;
    });
  }
  return out;
}

std::vector<QueueExcess> QueueMeter::excesses(uint32_t limit, QueuesPer per) const {
  std::vector<QueueExcess> out;
  const std::vector<std::vector<Wait>> queues =
      per == QueuesPer::kIncoming && counts_ ? waits_on_links() : for_link_;
  for (size_t a = 0; a < queues.size(); ++a) {
    Course course(queues[a]);
    course.sort();
    course.for_each_rise([&](uint32_t step, size_t before, size_t count) {
      if (before <= limit && count > limit) out.push_back({id_at<ArcId>(a), step - 1, count});
    });
  }
  return out;
}

QueueFigures measure_queues(const Schedule& schedule) {
  QueueMeter meter(schedule.problem());
  const Plan& plan = schedule.plan();
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    meter.measure({.view = plan.step(s), .number = static_cast<uint32_t>(s + 1)});
  }
  return meter.figures();
}

}  // namespace quadrille
