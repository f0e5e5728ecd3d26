// perfetto: the plan as a timeline, in the JSON of Chrome's traces, which Perfetto and chrome://tracing open. A process is a
// node, a thread one of its links (or one of the things that share it), a slice a transfer on it for as long as its step lasts.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json_text.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/exporters/exporter.h"

namespace quadrille::exporters {
namespace perfetto_parts {
namespace {

constexpr uint64_t kMostEvents = 1'000'000;  // viewers take no more
constexpr size_t kBlocksNamed = 8;
// Threads of a node: a link has at most so many things at once that are told apart.
constexpr uint32_t kLanes = 1024;

std::string time_text(double microseconds) { return fmt::format("{:.3f}", microseconds); }

std::string block_text(const Collective& collective, BlockId block) {
  const BlockName name = collective.name(block);
  std::string out;
  for (uint32_t i = 0; i < name.size; ++i)
    out +=
        fmt::format("{}{}", i == 0 ? "" : (name.has_piece && i + 1 == name.size ? "#" : ">"), name.parts[i]);
  return out;
}

class TraceRows final : public StepSink {
 public:
  TraceRows(const Problem& problem, uint64_t message_bytes)
      : problem_(problem),
        network_(problem.topology()),
        block_bytes_(chunk_bytes(problem, message_bytes)),
        lanes_(network_.num_arcs()),
        named_(network_.num_arcs()) {
    first_thread_.resize(network_.num_arcs());
    for (const NodeId v : network_.nodes()) {
      event(fmt::format(R"("ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}})", pid(v),
                        json_string(fmt::format("node {}", network_.label(v)))));
      event(fmt::format(R"("ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}})",
                        pid(v), index(v)));
      uint32_t thread = 1;
      for (const ArcId arc : network_.arcs_from(v)) {
        first_thread_[index(arc)] = thread;
        thread += kLanes;
      }
    }
  }

  void push(const StepView& step) override {
    ++step_;
    const double takes = duration(step);
    event(fmt::format(
        R"("ph":"X","name":"step {}","cat":"step","pid":1,"tid":1,"ts":{},"dur":{},"args":{{"transfers":{}}})",
        step_, time_text(time_), time_text(takes), step.size()));
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) add(step, t, arc, takes);
      if (events_ > kMostEvents) {
        throw InputError(fmt::format(
            "perfetto: step {}, transfer {}: the timeline passes {} events, and viewers take no more; "
            "quadrille view shows plans of any length",
            step_, t + 1, kMostEvents));
      }
    }
    for (const ArcId arc : step.all_arcs)
      if (arc != kNoArc) lanes_[index(arc)] = 0;
    time_ += takes;
  }

  std::string take(const ScheduleToExport& what) {
    event(R"("ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"steps"})");
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"generator\":\"quadrille export\",\"topology\":{},"
        "\"collective\":{},\"algorithm\":{},\"unit\":{}}},\"traceEvents\":[{}\n]}}\n",
        json_string(network_.name()), json_string(problem_.collective().name()), json_string(what.algorithm),
        json_string(has_times()
                        ? message_text(problem_, what.message_bytes)
                        : "a step is shown as a microsecond: the model has no constants in microseconds"),
        out_);
  }

 private:
  [[nodiscard]] bool has_times() const { return problem_.model().cost.in_microseconds; }
  [[nodiscard]] static uint64_t pid(NodeId v) { return index(v) + 2; }

  // By the constants, what a step takes that everybody begins at once; without them one.
  double duration(const StepView& step) {
    if (!has_times()) return 1.0;
    TimedFigures figures{.start_ups = step.size() == 0 ? uint64_t{0} : 1};
    for (size_t t = 0; t < step.size(); ++t) {
      const uint64_t blocks = step.blocks(t).size();
      figures.critical_hops = std::max<uint64_t>(figures.critical_hops, step.arcs(t).size());
      figures.critical_blocks = std::max(figures.critical_blocks, blocks);
      if (!shares_arcs(problem_.model())) continue;
      for (const ArcId arc : step.arcs(t)) {
        if (arc == kNoArc) continue;
        lanes_[index(arc)] += static_cast<uint32_t>(blocks);
        const uint32_t capacity = network_.capacity(arc);
        figures.critical_blocks =
            std::max<uint64_t>(figures.critical_blocks, (lanes_[index(arc)] + capacity - 1) / capacity);
      }
    }
    for (const ArcId arc : step.all_arcs)
      if (arc != kNoArc) lanes_[index(arc)] = 0;
    return time_of(problem_.model().cost, figures, block_bytes_);
  }

  void add(const StepView& step, size_t t, ArcId arc, double takes) {
    if (arc == kNoArc) return;
    const uint32_t lane = std::min(lanes_[index(arc)]++, kLanes - 1);
    const NodeId tail = network_.tail(arc);
    const uint32_t thread = first_thread_[index(arc)] + lane;
    if (lane >= named_[index(arc)]) {
      named_[index(arc)] = lane + 1;
      event(fmt::format(
          R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}})", pid(tail), thread,
          json_string(lane == 0 ? fmt::format("to {}", network_.label(network_.head(arc)))
                                : fmt::format("to {} ({})", network_.label(network_.head(arc)), lane + 1))));
    }
    const std::span<const BlockId> blocks = step.blocks(t);
    std::string named;
    for (size_t i = 0; i < std::min(blocks.size(), kBlocksNamed); ++i)
      named += fmt::format("{}{}", i == 0 ? "" : " ", block_text(problem_.collective(), blocks[i]));
    if (blocks.size() > kBlocksNamed) named += fmt::format(" and {} more", blocks.size() - kBlocksNamed);
    event(fmt::format(
        R"("ph":"X","name":{},"cat":"transfer","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"step":{},"transfer":{},"blocks":{},"bytes":{}}})",
        json_string(named), pid(tail), thread, time_text(time_), time_text(takes), step_, t + 1,
        blocks.size(), blocks.size() * block_bytes_));
  }

  void event(const std::string& members) {
    fmt::format_to(std::back_inserter(out_), "{}{{{}}}", events_ == 0 ? "\n" : ",\n", members);
    ++events_;
  }

  const Problem& problem_;
  const Topology& network_;
  uint64_t block_bytes_;
  std::string out_{};
  uint64_t events_ = 0;
  uint64_t step_ = 0;
  double time_ = 0;
  std::vector<uint32_t> first_thread_{};
  std::vector<uint32_t> lanes_;  // of each link, those in use in this step
  std::vector<uint32_t> named_;
};

std::string write(const ScheduleToExport& what) {
  TraceRows rows(what.schedule.problem(), what.message_bytes);
  what.schedule.plan().replay(rows);
  return rows.take(what);
}

}  // namespace
}  // namespace perfetto_parts

extern const Exporter perfetto;

constinit const Exporter perfetto{.name = "perfetto",
                                  .summary = "the plan as a timeline, for Perfetto and chrome://tracing",
                                  .extension = ".json",
                                  .write = perfetto_parts::write};

}  // namespace quadrille::exporters
