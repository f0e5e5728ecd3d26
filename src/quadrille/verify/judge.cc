// The judge: admits steps, and lets the rules at them, on several threads where there is much to do.
//
// Two kinds of work have no order among themselves. The step rules (ports, capacities, worms) look at one
// step alone: threads take different steps. The holdings (who has what) look at one block alone: threads take
// different blocks, and each follows its own through all steps. So steps are collected until there are many
// transfers, and judged as a batch with two joins, not two a step.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <variant>

#include "quadrille/base/input_error.h"
#include "quadrille/verify/holdings/combine_holdings.h"
#include "quadrille/verify/holdings/copy_holdings.h"
#include "quadrille/verify/holdings/move_holdings.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/rules/queue_limit.h"
#include "quadrille/verify/rules/transfer_form.h"
#include "quadrille/verify/step_rules.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

// Transfers in a batch: two megabytes of steps, which stay in the second-level cache between the passes over
// them.
constexpr uint64_t kBatch = uint64_t{1} << 18U;
// Fewer are judged faster by one thread than handed out.
constexpr uint64_t kWorthSharing = uint64_t{1} << 14U;

using Holdings = std::variant<MoveHoldings, CopyHoldings, CombineHoldings>;

Holdings holdings_for(const Problem& problem) {
  switch (problem.collective().flow()) {
    case Flow::kMove:
      return Holdings(std::in_place_type<MoveHoldings>, problem);
    case Flow::kCopy:
      return Holdings(std::in_place_type<CopyHoldings>, problem);
    case Flow::kCombine:
      break;
  }
  return Holdings(std::in_place_type<CombineHoldings>, problem);
}

// One thread's share of the work.
struct Worker {
  Worker(const Problem& problem, BlockRange blocks, size_t max_findings)
      : steps(problem), range(blocks), findings(max_findings) {}

  StepRules steps;
  BlockRange range;
  Findings findings;
};

}  // namespace

class Judge::Impl {
 public:
  Impl(const Problem& problem, const JudgeOptions& options)
      : problem_(problem),
        form_(problem_),
        holdings_(holdings_for(problem_)),
        findings_(options.max_findings) {
    if (options.queues || problem.model().queue_limit) queues_.emplace(problem_);
    const uint32_t blocks = problem.collective().num_blocks();
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned threads = std::min<unsigned>(options.threads == 0 ? cores : options.threads, 64);
    workers_.reserve(threads);
    for (unsigned w = 0; w < threads; ++w) {
      const auto first = static_cast<uint32_t>(uint64_t{blocks} * w / threads);
      const auto last = static_cast<uint32_t>(uint64_t{blocks} * (w + 1) / threads);
      workers_.emplace_back(problem_, BlockRange{first, last}, options.max_findings);
    }
  }

  void push(const StepView& step) {
    if (++pushed_ >= kMaxIds) throw InputError("a plan of more than 4294967294 steps cannot be judged");
    const JudgedStep judged = form_.admit(step, static_cast<uint32_t>(pushed_), findings_);
    if (queues_) queues_->measure(judged);
    if (workers_.size() == 1) {
      judge_alone(judged);
      return;
    }
    steps_.push(judged.view);
    originals_.emplace_back(judged.original.begin(), judged.original.end());
    waiting_ += judged.view.size() + 1;
    for (const uint32_t end : judged.view.blocks_end.last(judged.view.blocks_end.empty() ? 0 : 1))
      waiting_ += end;
    if (waiting_ >= kBatch) judge_batch();
  }

  Verdict finish() {
    judge_batch();
    for_each_worker(problem_.collective().num_blocks() >= kWorthSharing, [this](Worker& worker) {
      std::visit([&](const auto& holdings) { holdings.finish(worker.range, worker.findings); }, holdings_);
    });
    if (problem_.model().queue_limit) rules::check_queue_limit(problem_, *queues_, findings_);
    LoadMeter load(problem_);
    for (Worker& worker : workers_) {
      findings_.take(worker.findings);
      load.take(worker.steps.load);
    }
    Verdict verdict{findings_.first(), findings_.total(), load.figures()};
    if (queues_) verdict.queues = queues_->figures();
    return verdict;
  }

 private:
  void judge_alone(const JudgedStep& step) {
    Worker& worker = workers_.front();
    worker.steps.check(step, worker.findings);
    std::visit([&](auto& holdings) { holdings.apply(step, worker.range, worker.findings); }, holdings_);
  }

  [[nodiscard]] JudgedStep waiting_step(size_t s) const {
    return {steps_.step(s), static_cast<uint32_t>(pushed_ - steps_.num_steps() + s + 1), originals_[s]};
  }

  void judge_batch() {
    const bool shared = waiting_ >= kWorthSharing;
    const size_t count = steps_.num_steps();
    // Not more steps to a thread than its share: the last of many large ones should not leave the others
    // idle.
    for_each_worker(shared, [&](Worker& worker) {
      const auto mine = static_cast<size_t>(&worker - workers_.data());
      for (size_t s = mine; s < count; s += workers_.size())
        worker.steps.check(waiting_step(s), worker.findings);
      std::visit(
          [&](auto& holdings) {
            for (size_t s = 0; s < count; ++s) holdings.apply(waiting_step(s), worker.range, worker.findings);
          },
          holdings_);
    });
    steps_.clear();
    originals_.clear();
    waiting_ = 0;
  }

  template <typename Work>
  void for_each_worker(bool in_parallel, Work work) {
    if (in_parallel) {
      tbb::parallel_for(size_t{0}, workers_.size(), [&](size_t w) { work(workers_[w]); });
    } else {
      for (Worker& worker : workers_) work(worker);
    }
  }

  Problem problem_;
  rules::TransferForm form_;
  Holdings holdings_;
  Findings findings_;
  std::vector<Worker> workers_;
  std::optional<QueueMeter> queues_;

  uint64_t pushed_ = 0;
  Plan steps_;  // admitted and waiting
  std::vector<std::vector<uint32_t>> originals_;
  uint64_t waiting_ = 0;  // transfers and blocks in steps_
};

Judge::Judge(const Problem& problem, const JudgeOptions& options)
    : impl_(std::make_unique<Impl>(problem, options)) {}
Judge::~Judge() = default;

void Judge::push(const StepView& step) { impl_->push(step); }
Verdict Judge::finish() { return impl_->finish(); }

Verification verify(const Problem& problem, Plan plan) {
  Judge judge(problem);
  plan.replay(judge);
  Verification out{judge.finish(), std::nullopt};
  if (out.verdict.passed()) out.schedule = Schedule(problem, std::move(plan), out.verdict.figures);
  return out;
}

}  // namespace quadrille
