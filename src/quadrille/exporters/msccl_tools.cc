// msccl-tools: the algorithm as JSON that msccl-tools (SCCL) reads, checks and turns into other forms. It knows ranks, links between
// them and blocks that are copied; switches that hold blocks, paths of several links and sums it does not.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json_text.h"
#include "quadrille/exporters/exporter.h"

namespace quadrille::exporters {
namespace msccl_tools_parts {
namespace {

// The links are a matrix.
constexpr uint32_t kMostRanks = 4096;

std::string list_of(uint32_t count, auto&& value) {
  std::string out = "[";
  for (uint32_t i = 0; i < count; ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", value(i));
  return out + "]";
}

class StepRows final : public StepSink {
 public:
  explicit StepRows(const Problem& problem) : problem_(problem), used_(problem.topology().num_arcs()) {}

  void push(const StepView& step) override {
    const Topology& network = problem_.topology();
    std::string sends;
    uint64_t rounds = 1;
    for (size_t t = 0; t < step.size(); ++t) {
      if (step.arcs(t).size() != 1 || step.arcs(t).front() == kNoArc) {
        throw InputError(fmt::format(
            "msccl-tools: step {}, transfer {} takes a path of {} links at once; a send of msccl-tools takes one (plan with --switching packet)",
            steps_ + 1, t + 1, step.arcs(t).size()));
      }
      const ArcId arc = step.arcs(t).front();
      for (const BlockId block : step.blocks(t)) {
        fmt::format_to(std::back_inserter(sends), "{}[{},{},{}]", sends.empty() ? "" : ",", index(block),
                       rank(network.tail(arc)), rank(network.head(arc)));
        const uint64_t load = ++used_[index(arc)];
        rounds = std::max(rounds, (load + network.capacity(arc) - 1) / network.capacity(arc));
      }
    }
    for (const ArcId arc : step.all_arcs) used_[index(arc)] = 0;
    fmt::format_to(std::back_inserter(out_), "{}\n{{\"msccl_type\":\"step\",\"rounds\":{},\"sends\":[{}]}}",
                   steps_ == 0 ? "" : ",", rounds, sends);
    ++steps_;
    rounds_ += rounds;
  }

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t rounds() const { return rounds_; }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  [[nodiscard]] size_t rank(NodeId node) const { return index(*problem_.topology().rank(node)); }

  const Problem& problem_;
  std::string out_{};
  std::vector<uint64_t> used_;
  uint64_t steps_ = 0;
  uint64_t rounds_ = 0;
};

std::string links_text(const Topology& network) {
  const auto ranks = static_cast<uint32_t>(network.num_nodes());
  std::vector<uint32_t> links(size_t{ranks} * ranks);
  for (const ArcId arc : network.arcs()) {
    const size_t head = index(*network.rank(network.head(arc)));
    links[head * ranks + index(*network.rank(network.tail(arc)))] += network.capacity(arc);
  }
  return list_of(ranks, [&](uint32_t head) {
    return list_of(ranks, [&](uint32_t tail) { return links[size_t{head} * ranks + tail]; });
  });
}

bool holds_first(const Collective& all, BlockId block, uint32_t rank) {
  return all.origin(block) == Rank{rank};
}

std::string ranks_where(uint32_t ranks, auto&& holds) {
  std::string out;
  for (uint32_t r = 0; r < ranks; ++r)
    if (holds(r)) fmt::format_to(std::back_inserter(out), "{}{}", out.empty() ? "" : ",", r);
  return "[" + out + "]";
}

// Of each rank the addresses that it has first, or wants last.
std::string map_text(const Collective& all, auto&& holds) {
  std::string out;
  for (uint32_t r = 0; r < all.num_ranks(); ++r) {
    std::string blocks;
    for (uint32_t b = 0; b < all.num_blocks(); ++b)
      if (holds(BlockId{b}, r))
        fmt::format_to(std::back_inserter(blocks), "{}{}", blocks.empty() ? "" : ",", b);
    if (!blocks.empty())
      fmt::format_to(std::back_inserter(out), "{}\"{}\":[{}]", out.empty() ? "" : ",", r, blocks);
  }
  return "{" + out + "}";
}

std::string write(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  const Topology& network = problem.topology();
  const Collective& all = problem.collective();
  if (all.flow() == Flow::kCombine) {
    throw InputError(fmt::format(
        "msccl-tools: {} adds up what it sends, from the first transfer on; what msccl-tools reads says only "
        "what is copied where (--to msccl has sums)",
        all.name()));
  }
  for (const NodeId node : network.nodes()) {
    if (!network.rank(node)) {
      throw InputError(fmt::format(
          "msccl-tools: {} is a router, through which blocks go; it knows ranks and the links between them alone "
          "(--to msccl leaves routers out)",
          network.label(node)));
    }
  }
  if (network.num_nodes() > kMostRanks)
    throw InputError(fmt::format("msccl-tools: links are a matrix; {} ranks are more than {}",
                                 network.num_nodes(), kMostRanks));
  StepRows rows(problem);
  what.schedule.plan().replay(rows);
  const auto first = [&](BlockId block, uint32_t r) { return holds_first(all, block, r); };
  const auto last = [&](BlockId block, uint32_t r) { return all.is_destination(block, Rank{r}); };
  const std::string name = fmt::format("{}(n={})", all.name(), all.num_ranks());
  const std::string chunks = list_of(all.num_blocks(), [&](uint32_t b) {
    return fmt::format("\n{{\"msccl_type\":\"chunk\",\"pre\":{},\"post\":{},\"addr\":{}}}",
                       ranks_where(all.num_ranks(), [&](uint32_t r) { return first(BlockId{b}, r); }),
                       ranks_where(all.num_ranks(), [&](uint32_t r) { return last(BlockId{b}, r); }), b);
  });
  const bool has_runtime =
      all.kind() == CollectiveKind::kAlltoall || all.kind() == CollectiveKind::kAllgather;
  return fmt::format(
      "{{\"msccl_type\":\"algorithm\",\"name\":{},\n"
      "\"instance\":{{\"msccl_type\":\"instance\",\"steps\":{},\"extra_rounds\":{},\"chunks\":1,\"pipeline\":null,"
      "\"extra_memory\":null,\"allow_exchange\":false}},\n"
      "\"input_map\":{},\n\"output_map\":{},\n\"steps\":[{}],\n"
      "\"collective\":{{\"msccl_type\":\"collective\",\"name\":{},\"nodes\":{},\"chunks\":{},\"triggers\":{{}},"
      "\"runtime_name\":\"{}\"}},\n"
      "\"topology\":{{\"msccl_type\":\"topology\",\"name\":{},\"switches\":[],\"links\":{}}}}}\n",
      json_string(fmt::format("{}-{}-{}", name, network.name(), what.algorithm)), rows.steps(),
      rows.rounds() - rows.steps(), map_text(all, first), map_text(all, last), rows.text(), json_string(name),
      all.num_ranks(), chunks, has_runtime ? all.name() : "custom", json_string(network.name()),
      links_text(network));
}

}  // namespace
}  // namespace msccl_tools_parts

extern const Exporter msccl_tools;

constinit const Exporter msccl_tools{
    .name = "msccl-tools",
    .summary = "which block goes where in which step, as the JSON of msccl-tools",
    .extension = ".json",
    .write = msccl_tools_parts::write};

}  // namespace quadrille::exporters
