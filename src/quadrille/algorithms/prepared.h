// Prepared: a plan that is ready to be made, and what is predicted of it.
//
// A card answers twice. `applies` looks at the problem; `prepare` works out how the card would solve it, and
// returns one prepared plan or, of a family, one for each member. Whoever chooses asks them for their
// predictions, keeps one, and lets it generate. What was searched, coloured or routed for the prediction is
// kept for the steps, so nothing is done twice; and it is put off until the prediction, or the first step, is
// asked for.
//
// A card says how by one of these, each a value for Algorithm::prepare:
//
//     by_formula<predicted, generate>            predicted(problem), generate(problem, sink)
//     by_plan<tree_of, predicted, generate>      both need the same thing, made once, by whoever asks first:
//                                                tree_of(problem), predicted(problem, tree),
//                                                generate(problem, tree, sink)
//     by_search<routes_of, predicted, generate>  the same, where making it may take as long as the plan
//     by_measuring<predicted, generate>          no formula is known: the plan is made, measured and kept
//                                                (measured_plan.h)
//
// or by a function of its own, which may still refuse, return what it kept(), or every member of a family.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Whether an algorithm can serve a problem; if not, the condition that fails, as a sentence fragment that
/// can follow "does not apply: ".
struct Applicability {
  bool applies = true;
  std::string reason{};
  bool single_packets_would_do =
      false;  ///< it says no to many packets over a link in a step, whatever the network

  [[nodiscard]] static Applicability yes() { return {}; }
  [[nodiscard]] static Applicability no(std::string why) {
    return {.applies = false, .reason = std::move(why)};
  }
  [[nodiscard]] static Applicability for_single_packets() {
    return {.applies = false, .reason = "it is for single packets", .single_packets_would_do = true};
  }
};

/// What a plan of the algorithm will measure. A figure that is only known once the plan exists is left empty:
/// the suite holds every given figure against the judge's.
struct Prediction {
  std::optional<uint64_t> steps{};
  std::optional<uint64_t> start_ups{};     ///< steps in which something is sent
  std::optional<uint64_t> busiest_link{};  ///< blocks over the busiest arc
  /// Most blocks that ever wait for one link (verify/queue_meter.h); given by those who are made to bound it.
  std::optional<uint64_t> queue{};
  /// Most blocks that ever came on one link and wait; where `queue` is 0 none does.
  std::optional<uint64_t> queue_incoming{};
  /// Sum over the steps of the most blocks in one transfer: what a time per block is paid for. Given under
  /// wormhole switching; under packet switching it equals start_ups.
  std::optional<uint64_t> critical_blocks{};
  /// Sum over the steps of the most hops of one transfer; under packet switching it equals start_ups.
  std::optional<uint64_t> critical_hops{};
  /// Blocks that the busiest node moves in its own memory between steps so that every transfer is one slice.
  /// Empty for whoever packs and unpacks instead.
  std::optional<uint64_t> rearranged{};
  /// Of each step the messages that one node starts, or ends, beyond its first, added up (Figures::further_messages).
  std::optional<uint64_t> further_messages{};
  /// Whether steps, start_ups and critical_blocks were read off the finished plan: then they are true by
  /// themselves, and that they agree with the judge proves little.
  bool measured = false;
};

/// What it takes to know a prediction: a moment, or, on a thousand nodes, a tenth of a second; or as much as the plan.
enum class Effort : uint8_t { kLittle, kSome, kMuch };

/// Of what takes a moment on small networks.
[[nodiscard]] Effort some_at_large(const Problem& problem);

/// A plan that is ready to be made. It knows its problem; each question has one answer, however often asked.
class Prepared {
 public:
  using Predicted = std::function<Prediction(const Problem&)>;
  using Generate = std::function<void(const Problem&, StepSink&)>;

  Prepared(Problem problem, Predicted predicted, Generate generate, Effort effort = Effort::kLittle,
           std::string member = {})
      : problem_(std::move(problem)),
        predicted_(std::move(predicted)),
        generate_(std::move(generate)),
        effort_(effort),
        member_(std::move(member)) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Of a family, which member this is: "rotation-even8".
  [[nodiscard]] const std::string& member() const { return member_; }
  /// What the first prediction() takes. Plans that take some are asked, on large networks, once others have said how long
  /// one takes at most; those that take much only where they may still be the best, and come after others that cost the same.
  [[nodiscard]] Effort effort() const { return effort_; }
  [[nodiscard]] Prediction prediction();
  /// Start-ups that it is known to take before anything is searched for; then cheapest() need not ask one that cannot be.
  void takes_at_least(uint64_t start_ups) { least_start_ups_ = start_ups; }
  [[nodiscard]] uint64_t least_start_ups() const { return least_start_ups_; }
  /// Pushes the steps; of several threads one after another.
  void generate(StepSink& sink) {
    const std::lock_guard lock(generating_);
    generate_(problem_, sink);
  }

 private:
  std::mutex generating_{};
  Problem problem_;
  Predicted predicted_;
  Generate generate_;
  Effort effort_;
  std::string member_;
  uint64_t least_start_ups_ = 0;
  std::optional<Prediction> prediction_;
};

using PreparedPlan = std::shared_ptr<Prepared>;

/// What a card has for a problem: its plans; or why it does not apply after all, where that takes a search.
struct Preparation {
  Applicability fits{};
  std::vector<PreparedPlan> plans{};

  [[nodiscard]] static Preparation no(std::string why) { return {Applicability::no(std::move(why)), {}}; }
  [[nodiscard]] static Preparation of(PreparedPlan plan) { return {Applicability::yes(), {std::move(plan)}}; }
  /// Of a family every plan is a member with a name.
  [[nodiscard]] bool is_family() const { return !plans.empty() && !plans.front()->member().empty(); }
  /// The member of that name, or null.
  [[nodiscard]] PreparedPlan find(std::string_view member) const;
};

/// The plan that costs least by the model's constants, for blocks of so many bytes; among equals the one with
/// fewer start-ups, then fewer blocks, then the first. There must be one. Rearrangement counts only where it
/// is predicted: the members of one family all predict it, or none does.
[[nodiscard]] const PreparedPlan& cheapest(std::span<const PreparedPlan> plans, uint64_t block_bytes = 1);

// --- for cards ------------------------------------------------------------------------------------------

/// Made when it is first looked at, by whichever thread, and kept. It can be passed for a `const T&`; a prediction that takes it
/// as a `Once<T>&` may do without.
template <typename T>
class Once {
 public:
  Once(Problem problem, std::function<T(const Problem&)> make)
      : problem_(std::move(problem)), make_(std::move(make)) {}
  // What is kept may refer to the problem here.
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  operator const T&() { return get(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const T& get() {
    const std::lock_guard lock(mutex_);  // what is read backwards may be made beside what it is read from
    if (!made_) made_.emplace(make_(problem_));
    return *made_;
  }
  [[nodiscard]] bool is_made() const {
    const std::lock_guard lock(mutex_);
    return made_.has_value();
  }

 private:
  mutable std::mutex mutex_{};
  Problem problem_;
  std::function<T(const Problem&)> make_;
  std::optional<T> made_;
};

/// A plan whose prediction(problem, made) and generate(problem, made, sink) share what make(problem) returns.
template <typename Make, typename Predicted, typename Generate>
[[nodiscard]] PreparedPlan sharing(const Problem& problem, Make make, Predicted predicted, Generate generate,
                                   Effort effort = Effort::kLittle, std::string member = {}) {
  using Made = std::invoke_result_t<Make, const Problem&>;
  const auto made = std::make_shared<Once<Made>>(problem, std::move(make));
  return std::make_shared<Prepared>(
      problem, [made, predicted](const Problem& p) { return predicted(p, *made); },
      [made, generate](const Problem& p, StepSink& sink) { generate(p, *made, sink); }, effort,
      std::move(member));
}

/// The same for what is there already.
template <typename Made, typename Predicted, typename Generate>
[[nodiscard]] PreparedPlan kept(const Problem& problem, Made made, Predicted predicted, Generate generate,
                                std::string member = {}) {
  const auto shared = std::make_shared<const Made>(std::move(made));
  return std::make_shared<Prepared>(
      problem, [shared, predicted](const Problem& p) { return predicted(p, *shared); },
      [shared, generate](const Problem& p, StepSink& sink) { generate(p, *shared, sink); }, Effort::kLittle,
      std::move(member));
}

template <auto kPredicted, auto kGenerate>
[[nodiscard]] Preparation by_formula(const Problem& problem) {
  return Preparation::of(std::make_shared<Prepared>(problem, kPredicted, kGenerate));
}

template <auto kMake, auto kPredicted, auto kGenerate>
[[nodiscard]] Preparation by_plan(const Problem& problem) {
  return Preparation::of(sharing(problem, kMake, kPredicted, kGenerate));
}

template <auto kMake, auto kPredicted, auto kGenerate>
[[nodiscard]] Preparation by_search(const Problem& problem) {
  return Preparation::of(sharing(problem, kMake, kPredicted, kGenerate, Effort::kMuch));
}

}  // namespace quadrille
