// Rules: what the judge demands of a plan. A rule is one file in rules/ and one line in rules/catalog.inc.
//
// Its file holds its card, its words and, where it can judge by itself, its work:
//
//     extern const RuleCard one_at_a_time;                 // so that the catalog finds it
//     namespace {
//     class OneAtATime final : public StepRule {
//       void check(const JudgedStep& step, Findings& findings) override {
//         ... findings.add(one_at_a_time, ...);
//       }
//     };
//     }  // namespace
//     const RuleCard one_at_a_time{.name = "one_at_a_time", .summary = ..., .details = ...,
//                                  .in_a_step = [](const Problem& problem) -> std::unique_ptr<StepRule> {
//                                    ...
//                                  }};
//
// Most rules look at one step alone (`in_a_step`), some at the queues of the whole plan (`on_queues`). The
// others are kept by what must be quick: whether a transfer has the form to be judged at all is asked before
// anything else (rules/transfer_form.h), and who holds what is known to the holdings (holdings/), whose
// innermost loop finds what is wrong and has the rule say it. Only such a rule has a header, with the
// functions that they call.
#pragma once

#include <memory>
#include <string_view>

#include "quadrille/base/catalog.h"

namespace quadrille {

class Findings;
class Problem;
class QueueMeter;
struct JudgedStep;

/// A rule at work on one thread's steps. No step knows another: any number of threads may each judge their
/// own.
class StepRule {
 public:
  StepRule() = default;
  StepRule(const StepRule&) = delete;
  StepRule& operator=(const StepRule&) = delete;
  virtual ~StepRule() = default;

  /// All of a step: one call a step and rule, none a transfer.
  virtual void check(const JudgedStep& step, Findings& findings) = 0;
};

/// How a rule introduces itself.
struct RuleCard {
  std::string_view name{};
  std::string_view summary{};  ///< what holds in a good plan, one sentence
  std::string_view details{};  ///< when it applies, how it counts

  /// Its work on single steps, which may keep a reference to the problem; null where the problem's model does
  /// not ask for it.
  std::unique_ptr<StepRule> (*in_a_step)(const Problem& problem) = nullptr;

  /// Its work on queues, after the last step, and whether the problem's model asks for it: then the judge
  /// measures them. Both or neither.
  bool (*wants_queues)(const Problem& problem) = nullptr;
  void (*on_queues)(const Problem& problem, const QueueMeter& queues, Findings& findings) = nullptr;
};

/// All rules, sorted by name.
[[nodiscard]] const Catalog<RuleCard>& rule_catalog();

}  // namespace quadrille
