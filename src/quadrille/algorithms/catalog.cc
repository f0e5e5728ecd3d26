#include "quadrille/algorithms/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
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
  Claim claim;
};

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool claims_fewer(const Candidate& a, const Candidate& b) {
  return a.claim.steps.value_or(UINT64_MAX) < b.claim.steps.value_or(UINT64_MAX);
}

// How many others apply, and the best of them.
std::string explain(const Candidate& best, const std::vector<Candidate>& candidates) {
  const std::string claim =
      best.claim.steps ? fmt::format("claims {}", plural(*best.claim.steps, "step")) : "";
  if (candidates.size() == 1)
    return claim.empty() ? "nothing else applies" : claim + "; nothing else applies";
  if (claim.empty())
    return fmt::format("the first of {} that apply; none claims a number", candidates.size());
  const Candidate* next = nullptr;
  for (const Candidate& c : candidates) {
    if (c.card != best.card && (next == nullptr || claims_fewer(c, *next))) next = &c;
  }
  return fmt::format("{}, the fewest of {} that apply; next: {}, {}", claim, candidates.size(),
                     next->card->name,
                     next->claim.steps ? fmt::format("{}", *next->claim.steps) : "no number");
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

std::string instead_of(const Algorithm& card, const Problem& problem) {
  std::optional<Candidate> best;
  for (const Algorithm* other : kCatalog) {
    if (other == &card || other->collective != card.collective || !serves(*other, problem).applies) continue;
    const Candidate candidate{other, other->claimed(problem)};
    if (!best || claims_fewer(candidate, *best)) best = candidate;
  }
  if (!best) return "no other algorithm applies either";
  return best->claim.steps
             ? fmt::format("{} applies, and claims {}", best->card->name, plural(*best->claim.steps, "step"))
             : fmt::format("{} applies", best->card->name);
}

void require_serves(const Algorithm& card, const Problem& problem) {
  const Applicability fits = serves(card, problem);
  if (fits.applies) return;
  throw InputError(fmt::format("--algorithm: {} does not apply to {}: {}; {}", card.name, problem.title(),
                               fits.reason, instead_of(card, problem)));
}

Choice choose_algorithm(const Problem& problem) {
  std::vector<Candidate> candidates;
  std::vector<std::string> reasons;
  for (const Algorithm* card : kCatalog) {
    if (card->collective != problem.collective().kind()) continue;
    const Applicability fits = serves(*card, problem);
    if (fits.applies) {
      candidates.push_back({card, card->claimed(problem)});
    } else {
      reasons.push_back(fmt::format("{}: {}", card->name, fits.reason));
    }
  }
  if (candidates.empty()) throw nothing_applies(problem, reasons);
  const auto best = std::min_element(candidates.begin(), candidates.end(), claims_fewer);
  return {best->card, explain(*best, candidates), best->claim};
}

}  // namespace quadrille
