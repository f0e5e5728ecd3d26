// goal: what each rank sends and receives, in the words of GOAL, which LogGOPSim and ATLAHS simulate. A rank of several ports
// has a network card, and a processor, for each; its peers share them in turn.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/exporters/program_of_schedule.h"
#include "quadrille/exporters/rank_operations.h"

namespace quadrille::exporters {
namespace goal_parts {
namespace {

using Kind = RankOperation::Kind;

constexpr size_t kMostBytes = size_t{1} << 30U;
constexpr uint32_t kMostCards = 255;  // the binary form has eight bits for them

// How many messages a rank may send at once.
uint32_t cards_of(const Problem& problem, uint32_t rank) {
  const Topology& network = problem.topology();
  const auto links = static_cast<uint32_t>(network.arcs_from(network.endpoint(Rank{rank})).size());
  const Ports ports = problem.model().send;
  return std::clamp(ports == kAllPorts ? links : std::min(links, ports.count), 1U, kMostCards);
}

class RankWriter {
 public:
  RankWriter(const RankOperations& rank, uint32_t cards, uint64_t block_bytes, std::string& out)
      : rank_(rank), block_bytes_(block_bytes), out_(out), joined_(rank.waits.size()) {
    std::map<uint32_t, uint32_t> card_of;
    for (const RankOperation& one : rank.operations)
      if (one.kind != Kind::kReduce) card_of.try_emplace(one.peer, 0);
    uint32_t next = 0;
    for (auto& [peer, card] : card_of) card = next++ % cards;
    card_of_ = std::move(card_of);
    has_cards_ = cards > 1;
  }

  void write() {
    std::vector<uint32_t> users(rank_.waits.size());
    for (const RankOperation& one : rank_.operations) ++users[one.after];
    for (uint32_t i = 0; i < rank_.operations.size(); ++i) {
      const RankOperation& one = rank_.operations[i];
      if (rank_.waits[one.after].size() > 1 && users[one.after] > 1) join(one.after);
      add(one, i);
    }
  }

 private:
  [[nodiscard]] std::string label(uint32_t operation) const {
    constexpr std::string_view kLetters = "src";
    return fmt::format("{}{}", kLetters[static_cast<size_t>(rank_.operations[operation].kind)], operation);
  }

  // A step of no time that several others wait for, so that their lines do not multiply.
  void join(uint32_t set) {
    if (joined_[set]) return;
    joined_[set] = true;
    fmt::format_to(std::back_inserter(out_), "w{}: calc 0\n", set);
    for (const uint32_t before : rank_.waits[set])
      fmt::format_to(std::back_inserter(out_), "w{} requires {}\n", set, label(before));
  }

  void add(const RankOperation& one, uint32_t number) {
    auto to = std::back_inserter(out_);
    if (one.kind == Kind::kReduce) {
      fmt::format_to(to, "{}: calc 0\n", label(number));
    } else {
      fmt::format_to(to, "{}: {} {}b {} {} tag {}", label(number), one.kind == Kind::kSend ? "send" : "recv",
                     one.blocks * block_bytes_, one.kind == Kind::kSend ? "to" : "from", one.peer, one.tag);
      if (has_cards_) fmt::format_to(to, " cpu {0} nic {0}", card_of_.at(one.peer));
      out_ += '\n';
    }
    if (joined_[one.after]) {
      fmt::format_to(to, "{} requires w{}\n", label(number), one.after);
    } else {
      for (const uint32_t before : rank_.waits[one.after])
        fmt::format_to(to, "{} requires {}\n", label(number), label(before));
    }
    if (out_.size() > kMostBytes)
      throw InputError(fmt::format("goal: the text of this plan passes 1 GiB in step {}", one.plan_step + 1));
  }

  const RankOperations& rank_;
  uint64_t block_bytes_;
  std::string& out_;
  std::vector<bool> joined_;
  std::map<uint32_t, uint32_t> card_of_{};
  bool has_cards_ = false;
};

std::string write(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  const ProgramFile file = program_of_schedule(what);
  const std::vector<RankOperations> ranks = rank_operations(file.program, "goal");
  const uint64_t block_bytes = chunk_bytes(problem, what.message_bytes);
  std::string out = fmt::format("// {} on {} by {}, {}\nnum_ranks {}\n", problem.collective().name(),
                                problem.topology().name(), what.algorithm,
                                message_text(problem, what.message_bytes), ranks.size());
  for (uint32_t r = 0; r < ranks.size(); ++r) {
    fmt::format_to(std::back_inserter(out), "\nrank {} {{\n", r);
    RankWriter(ranks[r], cards_of(problem, r), block_bytes, out).write();
    out += "}\n";
  }
  return out;
}

}  // namespace
}  // namespace goal_parts

extern const Exporter goal;

constinit const Exporter goal{
    .name = "goal",
    .summary = "what each rank sends and receives, as GOAL, for LogGOPSim and ATLAHS",
    .extension = ".goal",
    .write = goal_parts::write};

}  // namespace quadrille::exporters
