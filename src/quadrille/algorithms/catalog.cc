#include "quadrille/algorithms/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr std::array kCatalog = {
#define QUADRILLE_ALGORITHM(name) &algorithms::name,
#include "quadrille/algorithms/catalog.inc"
#undef QUADRILLE_ALGORITHM
};

struct Candidate {
  const Algorithm* card;
  std::optional<uint64_t> steps;
};

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string describe(const Candidate& candidate) {
  return candidate.steps ? fmt::format("{} claims {}", candidate.card->name, *candidate.steps)
                         : fmt::format("{} claims no number", candidate.card->name);
}

std::string explain(const Candidate& best, const std::vector<Candidate>& candidates) {
  if (candidates.size() == 1) {
    return best.steps ? fmt::format("claims {}; nothing else applies", plural(*best.steps, "step"))
                      : std::string("nothing else applies");
  }
  std::vector<std::string> others;
  for (const Candidate& c : candidates) {
    if (c.card != best.card) others.push_back(describe(c));
  }
  const std::string rest = fmt::format("{}", fmt::join(others, ", "));
  if (!best.steps) return fmt::format("the first of {} applicable: {}", candidates.size(), rest);
  return fmt::format("claims {}, the fewest of {} applicable: {}", plural(*best.steps, "step"),
                     candidates.size(), rest);
}

InputError nothing_applies(const Problem& problem, const std::vector<std::string>& reasons) {
  if (reasons.empty())
    return InputError(fmt::format("there is no algorithm for {} yet", problem.collective().name()));
  std::string message =
      fmt::format("no algorithm applies to {} with {}:", problem.title(), describe(problem.model()));
  for (const std::string& reason : reasons) message += "\n  " + reason;
  return InputError(message);
}

}  // namespace

std::span<const Algorithm* const> algorithm_catalog() { return kCatalog; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto at =
      std::find_if(kCatalog.begin(), kCatalog.end(), [name](const Algorithm* a) { return a->name == name; });
  return at == kCatalog.end() ? nullptr : *at;
}

Applicability serves(const Algorithm& card, const Problem& problem) {
  Applicability fits = card.applies(problem);
  const std::optional<uint32_t> limit = problem.model().queue_limit;
  if (!fits.applies || !limit) return fits;
  const std::optional<uint64_t> queue = card.claimed(problem).queue;
  if (!queue) return Applicability::no("it does not say how long its queues get");
  if (*queue <= *limit) return fits;
  return Applicability::no(
      fmt::format("{} may wait for one link; the limit is {}", plural(*queue, "block"), *limit));
}

Choice choose_algorithm(const Problem& problem) {
  std::vector<Candidate> candidates;
  std::vector<std::string> reasons;
  for (const Algorithm* card : kCatalog) {
    if (card->collective != problem.collective().kind()) continue;
    const Applicability fits = serves(*card, problem);
    if (fits.applies) {
      candidates.push_back({card, card->claimed(problem).steps});
    } else {
      reasons.push_back(fmt::format("{}: {}", card->name, fits.reason));
    }
  }
  if (candidates.empty()) throw nothing_applies(problem, reasons);
  const auto best =
      std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.steps.value_or(UINT64_MAX) < b.steps.value_or(UINT64_MAX);
      });
  return {best->card, explain(*best, candidates)};
}

}  // namespace quadrille
