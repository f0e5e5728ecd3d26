// A plan as one page of HTML that needs nothing else: a browser opens it without a network. What the page shows and how is
// in web/; here its data are written into it.
//
//     PageColumns steps(problem);
//     schedule.plan().replay(steps);
//     write_file("page.html", view_page(std::vector{PagePlan{.steps = steps, .verdict = &verdict}}));
//
// Of a rejected plan the findings say by fields where they belong, and the page shows them there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/verify/verdict.h"
#include "quadrille/viewer/page_columns.h"

namespace quadrille {

/// The lower bound that a plan is held against, for the page.
struct PageBound {
  std::string name{};
  Rational value{};
  std::string text{};                     ///< the witness in words
  std::optional<BoundWitness> witness{};  ///< the same as data, which the page draws
};

/// By the model's constants, in its unit.
struct PageTime {
  double total = 0.0;
  double least = 0.0;  ///< no plan takes less
  uint64_t message_bytes = 0;
};

/// That a link was held in a simulation: by which step of the plan (from 0), in which cycles.
struct LinkHold {
  ArcId arc = kNoArc;
  uint32_t step = 0;
  uint64_t from = 0;
  uint64_t to = 0;
};

/// A simulated run of a plan, which the page shows in time beside the plan's steps.
struct PageRun {
  std::vector<LinkHold> holds{};  ///< in any order
  double cycle_microseconds = 0.001;
};

/// A plan and what is known of it.
struct PagePlan {
  const PageColumns& steps;
  const Verdict* verdict = nullptr;
  std::string algorithm{};
  std::optional<PageBound> bound{};
  std::optional<PageTime> time{};
  std::optional<PageRun> run{};
  std::vector<std::string> notes{};  ///< sentences, such as what the plan states that is false
};

/// How many plans a page shows side by side.
inline constexpr size_t kMostPagePlans = 8;

/// The page for one plan, or for several side by side, at most kMostPagePlans. Same plans, same bytes. Throws InputError for more than
/// `most_bytes`, saying what may be left out.
[[nodiscard]] std::string view_page(std::span<const PagePlan> plans,
                                    uint64_t most_bytes = uint64_t{64} << 20U);

/// The page without plans, as web/ makes it.
[[nodiscard]] std::string_view empty_page();

}  // namespace quadrille
