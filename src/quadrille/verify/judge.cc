// The judge: admits steps, and lets the rules at them, on several threads where there is much to do.
//
// Two kinds of work have no order among themselves. The step rules (ports, capacities, worms) look at one
// step alone: threads take different steps. The holdings (who has what) look at one block alone: threads take
// different blocks, and each follows its own through all steps. So steps are collected until there are many
// transfers, and judged as a batch with two joins, not two a step; and while one batch is judged, whoever makes the plan makes the
// next. Processes share both kinds as threads do: every process sees all steps, and what each has found is put together in the end.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "quadrille/base/check.h"
#include "quadrille/base/crew/crew.h"
#include "quadrille/base/crew/packing.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/base/work_count.h"
#include "quadrille/verify/holdings/combine_holdings.h"
#include "quadrille/verify/holdings/copy_holdings.h"
#include "quadrille/verify/holdings/move_holdings.h"
#include "quadrille/verify/holdings/slot_holdings.h"
#include "quadrille/verify/load_meter.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/rules/chunks_in_order.h"
#include "quadrille/verify/rules/transfer_form.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

// Transfers in a batch: two megabytes of steps, which stay in the second-level cache between the passes over
// them.
constexpr uint64_t kBatch = uint64_t{1} << 18U;
// Fewer are judged faster by one thread than handed out.
constexpr uint64_t kWorthSharing = uint64_t{1} << 14U;

using Holdings = std::variant<MoveHoldings, CopyHoldings, CombineHoldings, SlotHoldings>;

Holdings holdings_for(const Problem& problem, BlockRange followed) {
  switch (problem.collective().flow()) {
    case Flow::kMove:
      return Holdings(std::in_place_type<MoveHoldings>, problem, followed);
    case Flow::kCopy:
      return Holdings(std::in_place_type<CopyHoldings>, problem, followed);
    case Flow::kCombine:
      break;
  }
  return Holdings(std::in_place_type<CombineHoldings>, problem, followed);
}

// What is less is judged by each process alone.
Crew* crew_for(const Problem& problem, Crew* crew) {
  return problem.collective().num_blocks() >= kWorthSharing ? crew : nullptr;
}

BlockRange followed_by(const Crew* crew, const Problem& problem) {
  const BlockRange all{0, problem.collective().num_blocks()};
  return crew == nullptr ? all : share_of(all, crew->me(), crew->size());
}

// One thread's share of the work: blocks, and every so-many-th step.
struct Worker {
  Worker(const Problem& problem, BlockRange blocks, size_t turn, size_t max_findings)
      : load(problem), range(blocks), first_step(turn), findings(max_findings) {
    for (const RuleCard* card : rule_catalog()) {
      if (card->in_a_step == nullptr) continue;
      if (std::unique_ptr<StepRule> rule = card->in_a_step(problem)) rules.push_back(std::move(rule));
    }
  }

  // By the rules that look at one step alone. A call a rule and step; the loops over transfers are theirs.
  void look_at(const JudgedStep& step) {
    for (const auto& rule : rules) rule->check(step, findings);
    load.measure(step);
  }

  std::vector<std::unique_ptr<StepRule>> rules;  // those that the model asks for, by name
  LoadMeter load;
  BlockRange range;
  size_t first_step;
  Findings findings;
};

// Steps that were admitted, and are judged at once.
struct Batch {
  Plan steps;
  std::vector<std::vector<uint32_t>> originals;
  uint64_t before = 0;   // steps of the batches before
  uint64_t waiting = 0;  // transfers and blocks in it

  void add(const JudgedStep& judged) {
    steps.push(judged.view);
    originals.emplace_back(judged.original.begin(), judged.original.end());
    waiting += judged.view.size() + 1;
    if (!judged.view.blocks_end.empty()) waiting += judged.view.blocks_end.back();
  }
  void clear() {
    before += steps.num_steps();
    steps.clear();
    originals.clear();
    waiting = 0;
  }
  [[nodiscard]] JudgedStep step(size_t s) const {
    return {steps.step(s), static_cast<uint32_t>(before + s + 1), originals[s]};
  }
};

bool wants_queues(const RuleCard& card, const Problem& problem) {
  return card.wants_queues != nullptr && card.wants_queues(problem);
}

}  // namespace

static void fields(auto& io, FindingPlace& place) { io(place.node, place.arc, place.block); }

// A rule goes by its name, and is the one of that name here.
static void fields(auto& io, Finding& finding) {
  std::string rule(finding.rule);
  io(rule, finding.step, finding.transfer, finding.message, finding.place);
  if constexpr (std::remove_reference_t<decltype(io)>::kReads) finding.rule = rule_catalog().find(rule)->name;
}

class Judge::Impl {
 public:
  Impl(const Problem& problem, const JudgeOptions& options)
      : problem_(problem),
        watcher_(options.watcher),
        crew_(crew_for(problem_, options.crew)),
        followed_(followed_by(crew_, problem_)),
        form_(problem_),
        holdings_(holdings_for(problem_, followed_)),
        max_findings_(options.max_findings),
        findings_(options.max_findings) {
    const auto& cards = rule_catalog();
    const bool limited = std::any_of(cards.begin(), cards.end(),
                                     [this](const RuleCard* card) { return wants_queues(*card, problem_); });
    if (options.queues || limited) queues_.emplace(problem_);
    if (rules::ChunkOrder::is_asked_for(problem_)) chunk_order_.emplace(problem_);
    if (problem_.model().combining == Operator::kOrdered) keep_slots_apart();  // which knows sets by number
    const unsigned cores =
        crew_ != nullptr ? crew_->threads() : std::max(1U, std::thread::hardware_concurrency());
    const unsigned threads = std::min<unsigned>(options.threads == 0 ? cores : options.threads, 64);
    const unsigned all_threads = crew_ == nullptr ? threads : threads_of_all(threads);
    every_step_ = all_threads;
    workers_.reserve(threads);
    for (unsigned w = 0; w < threads; ++w)
      workers_.emplace_back(problem_, share_of(followed_, w, threads), first_turn_ + w, options.max_findings);
  }

  void push(const StepView& step) {
    if (++pushed_ >= kMaxIds) throw InputError("a plan of more than 4294967294 steps cannot be judged");
    take(form_.admit(step, static_cast<uint32_t>(pushed_), findings_));
    if (watcher_ != nullptr) watcher_->push(step);
  }
  Verdict finish() {
    count_work(Work::kJudging);
    end_batches();
    for_each_worker(problem_.collective().num_blocks() >= kWorthSharing, [this](Worker& worker) {
      std::visit([&](auto& holdings) { holdings.finish(worker.range, worker.findings); }, holdings_);
    });
    for (const RuleCard* card : rule_catalog()) {
      if (wants_queues(*card, problem_)) card->on_queues(problem_, *queues_, findings_);
    }
    // What is seen without a worker is seen by every process.
    if (crew_ != nullptr && crew_->me() > 0) findings_ = Findings(max_findings_);
    LoadMeter load(problem_);
    for (Worker& worker : workers_) {
      findings_.take(worker.findings);
      load.take(worker.load);
    }
    const Figures figures = crew_ == nullptr ? load.figures() : figures_of_all(load);
    Verdict verdict{findings_.first(), findings_.total(), figures};
    if (queues_) verdict.queues = queues_->figures();
    return verdict;
  }

 private:
  void take(const JudgedStep& judged) {
    if (!judged.view.slots.empty()) keep_slots_apart();
    if (queues_) queues_->measure(judged);
    if (chunk_order_) chunk_order_->check(judged, findings_);
    if (workers_.size() == 1) {
      judge_alone(judged);
      return;
    }
    filled_.add(judged);
    if (filled_.waiting >= kBatch) hand_over();
  }

  // From here on partial sums have slots.
  void keep_slots_apart() {
    auto* whole = std::get_if<CombineHoldings>(&holdings_);
    if (whole == nullptr) return;
    end_batches();
    CombineHoldings before = std::move(*whole);
    holdings_.emplace<SlotHoldings>(problem_, std::move(before));
  }

  void judge_alone(const JudgedStep& step) {
    Worker& worker = workers_.front();
    if (step.step() % every_step_ == worker.first_step) worker.look_at(step);
    std::visit([&](auto& holdings) { holdings.apply(step, worker.range, worker.findings); }, holdings_);
  }

  // Processes may have different numbers of threads; the turns of this one's come after those of the ones before it.
  unsigned threads_of_all(unsigned mine) {
    unsigned all = 0;
    const std::vector<std::string> said = crew_->gather(packed(mine));
    for (uint32_t i = 0; i < said.size(); ++i) {
      if (i == crew_->me()) first_turn_ = all;
      all += unpacked<unsigned>(said[i]);
    }
    return all;
  }

  // What this process has found becomes what all have; returns what all have measured.
  Figures figures_of_all(const LoadMeter& mine) {
    Packer packer;
    packer(findings_.first(), findings_.total(), mine);
    findings_ = Findings(max_findings_);
    LoadMeter load(problem_);
    for (const std::string& said : crew_->gather(packer.take())) {
      std::vector<Finding> first;
      uint64_t total = 0;
      LoadMeter there(problem_);
      Unpacker unpacker(said);
      unpacker(first, total, there);
      findings_.take(first, total);
      load.take(there);
    }
    return load.figures();
  }

  // Judges what was filled in the background.
  void hand_over() {
    wait();
    std::swap(filled_, judged_);
    filled_.before = judged_.before + judged_.steps.num_steps();
    try {
      background_ = std::async(std::launch::async, [this] { judge(judged_); });
    } catch (const std::system_error&) {
      judge(judged_);  // no thread to be had
    }
  }
  // For the batch in the background, and throws what that has thrown.
  void wait() {
    if (background_.valid()) background_.get();
  }
  // All that was pushed so far is judged.
  void end_batches() {
    wait();
    judge(filled_);
  }

  void judge(Batch& batch) {
    const bool shared = batch.waiting >= kWorthSharing;
    const size_t count = batch.steps.num_steps();
    std::vector<JudgedStep> steps;
    steps.reserve(count);
    for (size_t s = 0; s < count; ++s) steps.push_back(batch.step(s));
    // Not more steps to a thread than its share: the last of many large ones should not leave the others
    // idle.
    for_each_worker(shared, [&](Worker& worker) {
      if (count > 0) {
        const uint64_t first = steps.front().step() % every_step_;
        const uint64_t skipped = (worker.first_step + every_step_ - first) % every_step_;
        for (size_t s = skipped; s < count; s += every_step_) worker.look_at(steps[s]);
      }
      follow(steps, worker);
    });
    batch.clear();
  }

  // What becomes of a worker's blocks.
  void follow(std::span<const JudgedStep> steps, Worker& worker) {
    if (auto* sums = std::get_if<CombineHoldings>(&holdings_)) {
      sums->apply(steps, worker.range, worker.findings);
      return;
    }
    std::visit(
        [&](auto& holdings) {
          for (const JudgedStep& step : steps) holdings.apply(step, worker.range, worker.findings);
        },
        holdings_);
  }

  template <typename Work>
  void for_each_worker(bool in_parallel, Work work) {
    if (in_parallel) {
      if (!team_) team_.emplace(static_cast<unsigned>(workers_.size()));
      team_->for_each(workers_.size(), [&](size_t w) { work(workers_[w]); });
    } else {
      for (Worker& worker : workers_) work(worker);
    }
  }

  Problem problem_;
  StepSink* watcher_;  // may be null
  Crew* crew_;         // null: judged by this process alone
  BlockRange followed_;
  unsigned every_step_ = 1;  // threads of all processes, who take turns
  unsigned first_turn_ = 0;  // of this one's
  rules::TransferForm form_;
  Holdings holdings_;
  size_t max_findings_;
  Findings findings_;
  std::vector<Worker> workers_;
  std::optional<ThreadTeam> team_{};  // of the first work worth sharing
  std::optional<QueueMeter> queues_;
  std::optional<rules::ChunkOrder> chunk_order_{};

  uint64_t pushed_ = 0;
  Batch filled_;
  Batch judged_;
  std::future<void> background_;  // judges that one; the last member, so that it ends before the others
};

Judge::Judge(const Problem& problem, const JudgeOptions& options)
    : impl_(std::make_unique<Impl>(problem, options)) {}
Judge::~Judge() = default;

void Judge::push(const StepView& step) { impl_->push(step); }
Verdict Judge::finish() { return impl_->finish(); }

Verification verify(const Problem& problem, Plan plan, const JudgeOptions& options) {
  Judge judge(problem, options);
  plan.replay(judge);
  Verification out{judge.finish(), std::nullopt};
  if (out.verdict.passed()) out.schedule = Schedule(problem, std::move(plan), out.verdict.figures);
  return out;
}

ScheduleBuilder::ScheduleBuilder(const Problem& problem, const JudgeOptions& options)
    : problem_(problem), judge_(problem, options) {}
ScheduleBuilder::~ScheduleBuilder() = default;

void ScheduleBuilder::push(const StepView& step) {
  QUADRILLE_CHECK(!finished_, "a step after finish()");
  plan_.push(step);
  judge_.push(step);
}

Verification ScheduleBuilder::finish() {
  QUADRILLE_CHECK(!finished_, "finish() twice");
  finished_ = true;
  Verification out{judge_.finish(), std::nullopt};
  // A push that threw half-way, and was caught, may have left a step with one of the two.
  QUADRILLE_CHECK(out.verdict.figures.steps == plan_.num_steps(),
                  fmt::format("{} steps judged, {} kept", out.verdict.figures.steps, plan_.num_steps()));
  if (out.verdict.passed()) out.schedule = Schedule(problem_, std::move(plan_), out.verdict.figures);
  return out;
}

}  // namespace quadrille
