#include "quadrille/exporters/program_of_schedule.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/lowering/lower_rank.h"
#include "quadrille/program/lowering/lower_sums.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"

namespace quadrille {
namespace {

// Programs of all ranks need the state of all blocks at all nodes.
constexpr uint64_t kMostBlocksOfAll = uint64_t{1} << 21U;

std::optional<Translations> translations_for(const Problem& problem) {
  if (problem.collective().root() || RankLowering::why_not(problem)) return std::nullopt;
  return translations_of(problem.topology());
}

// Those of a network, with the blocks of an allreduce dealt out first.
std::vector<Translations> translations_to_try(const Problem& problem) {
  std::vector<Translations> out;
  std::optional<Translations> all = translations_for(problem);
  if (!all && !SumLowering::why_not(problem)) all = translations_of(problem.topology());
  if (!all) return out;
  if (can_deal_out(problem.collective())) {
    out.push_back(*all);
    out.back().deals_out = true;
  }
  out.push_back(*std::move(all));
  return out;
}

// Of a plan whose steps are the same after each of these.
std::optional<RankProgram> program_of_first(const Schedule& schedule, const Translations& translations) {
  const Problem& problem = schedule.problem();
  if (problem.collective().flow() == Flow::kCombine) {
    SumLowering lowering(problem, translations);
    schedule.plan().replay(lowering);
    return lowering.finish();
  }
  RankLowering lowering(problem, Rank{0});
  schedule.plan().replay(lowering);
  return lowering.finish();
}

// A program for rank 0, and whether it is everybody's.
class StreamedProgram final : public StreamedExport, private SymmetricSink {
 public:
  StreamedProgram(const Problem& problem, Translations translations)
      : problem_(problem),
        translations_(std::move(translations)),
        watch_(problem.topology(), problem.collective(), translations_),
        lowering_(problem, Rank{0}) {}

  void push(const StepView& step) override {
    watch_.push(step);
    lowering_.push(step);
  }
  [[nodiscard]] SymmetricSink* symmetric() override { return this; }
  std::string finish(std::string_view algorithm) override {
    if (const std::optional<uint64_t> step = watch_.broken_at()) {
      throw InputError(fmt::format(
          "{} does not do the same at all nodes (step {}), and the programs of all {} ranks are too large; a plan by "
          "displacements is written for one rank, such as --algorithm alltoall_torus or alltoall_cayley",
          algorithm, *step + 1, problem_.topology().num_nodes()));
    }
    return write_program({.program = {problem_.collective(), {lowering_.finish()}},
                          .topology = problem_.topology().name(),
                          .algorithm = std::string(algorithm),
                          .translations = translations_});
  }

 private:
  // What rank 0 sends and what it receives: there is nothing to watch in what is the same at all nodes by its form.
  void push_symmetric(std::span<const SymmetricMove> moves) override {
    const CayleyStructure& cayley = *problem_.topology().cayley();
    for (size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
      end = begin + 1;
      while (end < moves.size() && moves[end].joins) ++end;
      const std::span<const SymmetricMove> transfer = moves.subspan(begin, end - begin);
      const uint32_t before = cayley.generators[cayley.inverses[moves[begin].generator]];
      for (const NodeId sender : {NodeId{0}, NodeId{before}})
        add_transfers(problem_, transfer, sender, of_rank_0_);
    }
    of_rank_0_.flush(lowering_);
  }

  Problem problem_;
  StepBuilder of_rank_0_;
  Translations translations_;
  TranslationWatch watch_;
  RankLowering lowering_;
};

}  // namespace

ProgramFile program_of_schedule(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  return {.program = lower(what.schedule),
          .topology = problem.topology().name(),
          .algorithm = std::string(what.algorithm),
          .in_order = problem.collective().flow() == Flow::kCombine &&
                      problem.model().combining == Operator::kOrdered};
}

ProgramFile smallest_program_of(const ScheduleToExport& what, const std::function<void()>& before_all) {
  const Problem& problem = what.schedule.problem();
  for (Translations& translations : translations_to_try(problem)) {
    TranslationWatch watch(problem.topology(), problem.collective(), translations);
    what.schedule.plan().replay(watch);
    if (watch.broken_at()) continue;
    std::optional<RankProgram> first = program_of_first(what.schedule, translations);
    if (!first) continue;
    return {.program = {problem.collective(), {*std::move(first)}},
            .topology = problem.topology().name(),
            .algorithm = std::string(what.algorithm),
            .translations = std::move(translations)};
  }
  if (before_all) before_all();
  return program_of_schedule(what);
}

std::unique_ptr<StreamedExport> stream_program(const Problem& problem) {
  if (problem.collective().num_blocks() <= kMostBlocksOfAll) return nullptr;
  std::optional<Translations> translations = translations_for(problem);
  if (!translations) return nullptr;
  return std::make_unique<StreamedProgram>(problem, *std::move(translations));
}

}  // namespace quadrille
