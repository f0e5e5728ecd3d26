#include "quadrille/exporters/rank_operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

class OperationsWriter {
 public:
  OperationsWriter(const RankProgram& rank, std::string_view form) : rank_(rank), form_(form) {
    sent_.resize(1);
    received_.resize(1);
  }

  RankOperations write() {
    for (const Action& action : rank_.actions) {
      switch (action.kind) {
        case ActionKind::kSend:
          start(action, RankOperation::Kind::kSend, sent_);
          break;
        case ActionKind::kReceive:
        case ActionKind::kReceiveReduce:
          start(action, RankOperation::Kind::kReceive, received_);
          break;
        case ActionKind::kWait:
          wait(action);
          break;
        case ActionKind::kReduce:
        case ActionKind::kReduceBefore:
          finish({add({.kind = RankOperation::Kind::kReduce,
                       .blocks = rank_.runs_of(action)[0].count,
                       .plan_step = action.step})},
                 static_cast<uint32_t>(out_.waits.size()));
          break;
        case ActionKind::kCopy:
          break;
        case ActionKind::kBarrier:
          throw InputError(fmt::format("{}: rank {} meets all others in step {}; barriers are no messages",
                                       form_, index(rank_.rank), action.step + 1));
      }
    }
    return std::move(out_);
  }

 private:
  // What was waited for, and in which wait.
  struct Over {
    uint32_t operation = 0;
    uint32_t wait = 0;
  };

  uint32_t add(RankOperation operation) {
    operation.after = static_cast<uint32_t>(out_.waits.size() - 1);
    out_.operations.push_back(operation);
    return static_cast<uint32_t>(out_.operations.size() - 1);
  }

  void start(const Action& action, RankOperation::Kind kind, std::vector<uint32_t>& messages) {
    const auto peer = static_cast<uint32_t>(index(action.peer));
    if (messages.size() <= peer) messages.resize(peer + 1);
    uint64_t blocks = 0;
    for (const SlotRun& run : rank_.runs_of(action)) blocks += run.count;
    started_.push_back(add(
        {.kind = kind, .peer = peer, .tag = messages[peer]++, .blocks = blocks, .plan_step = action.step}));
    reduces_.push_back(action.kind == ActionKind::kReceiveReduce);
  }

  void wait(const Action& action) {
    std::vector<uint32_t> ended;
    uint32_t begun = 0;  // everything that was over in the first so many waits is over with these
    for (const uint32_t request : rank_.requests_of(action)) {
      const uint32_t operation = started_[request];
      begun = std::max(begun, out_.operations[operation].after);
      ended.push_back(operation);
    }
    if (ended.empty()) return;
    finish(ended, begun);
    // What comes to be added is added when it is there.
    std::vector<uint32_t> sums;
    for (const uint32_t request : rank_.requests_of(action)) {
      if (!reduces_[request]) continue;
      const RankOperation& received = out_.operations[started_[request]];
      sums.push_back(add({.kind = RankOperation::Kind::kReduce,
                          .blocks = received.blocks,
                          .plan_step = received.plan_step}));
    }
    if (!sums.empty()) finish(sums, static_cast<uint32_t>(out_.waits.size() - 1));
  }

  // From here on these are over, too; they began after the first `begun` waits.
  void finish(const std::vector<uint32_t>& ended, uint32_t begun) {
    const auto number = static_cast<uint32_t>(out_.waits.size());
    std::erase_if(over_, [begun](const Over& one) { return one.wait <= begun; });
    for (const uint32_t operation : ended) over_.push_back({operation, number});
    std::vector<uint32_t> now;
    for (const Over& one : over_) now.push_back(one.operation);
    out_.waits.push_back(std::move(now));
  }

  const RankProgram& rank_;
  std::string_view form_;
  RankOperations out_{};
  std::vector<uint32_t> started_{};  // by request
  std::vector<bool> reduces_{};
  std::vector<uint32_t> sent_{};  // by peer, how many messages
  std::vector<uint32_t> received_{};
  std::vector<Over> over_{};
};

}  // namespace

std::vector<RankOperations> rank_operations(const Program& program, std::string_view form) {
  std::vector<RankOperations> out;
  out.reserve(program.ranks.size());
  for (const RankProgram& rank : program.ranks) out.push_back(OperationsWriter(rank, form).write());
  return out;
}

}  // namespace quadrille
