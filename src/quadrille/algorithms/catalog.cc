#include "quadrille/algorithms/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "quadrille/algorithms/patterns/worm_front.h"
#include "quadrille/base/check.h"
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
  std::string member;
  Claim claim;
};

// Where two figures tell plans apart.
bool is_priced(const Problem& problem) {
  return problem.model().switching == Switching::kWormhole &&
         problem.collective().kind() == CollectiveKind::kAlltoall;
}

bool has_both(const Claim& claim) { return claim.start_ups && claim.critical_blocks; }

double price(const Claim& claim, const Problem& problem, uint64_t block_bytes) {
  return time_of(problem.model().cost, *claim.start_ups, *claim.critical_blocks, claim.rearranged.value_or(0),
                 block_bytes);
}

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// What is claimed, in words, if anything; with units for one who has not seen them yet.
std::string figures(const Candidate& candidate, bool priced, bool with_units) {
  const Claim& claim = candidate.claim;
  if (priced && has_both(claim)) {
    return with_units ? fmt::format("{} and {}", plural(*claim.start_ups, "start-up"),
                                    plural(*claim.critical_blocks, "critical block"))
                      : fmt::format("{} and {}", *claim.start_ups, *claim.critical_blocks);
  }
  if (priced || !claim.steps) return "";
  return with_units ? plural(*claim.steps, "step") : fmt::format("{}", *claim.steps);
}

// What candidates are sorted by: steps, or the time of start-ups and blocks; those without the figures last.
using Cost = std::tuple<double, uint64_t, uint64_t>;
Cost cost_of(const Claim& claim, const Problem& problem, uint64_t block_bytes) {
  if (!is_priced(problem)) return {0.0, claim.steps.value_or(UINT64_MAX), 0};
  if (!has_both(claim)) return {std::numeric_limits<double>::infinity(), UINT64_MAX, UINT64_MAX};
  return {price(claim, problem, block_bytes), *claim.start_ups, *claim.critical_blocks};
}

std::string name_of(const Candidate& candidate) {
  return Choice{candidate.card, "", candidate.claim, candidate.member}.name();
}

// How many others apply, and the best of them. `candidates` has the best first.
std::string explain(const std::vector<Candidate>& candidates, bool priced) {
  const std::string claimed = figures(candidates.front(), priced, true);
  if (candidates.size() == 1)
    return claimed.empty() ? "nothing else applies" : fmt::format("claims {}; nothing else applies", claimed);
  if (claimed.empty())
    return fmt::format("the first of {} that apply; none claims a number", candidates.size());
  const std::string next = figures(candidates[1], priced, false);
  return fmt::format("claims {}, the {} of {} that apply; next: {}, {}", claimed,
                     priced ? "cheapest" : "fewest", candidates.size(), name_of(candidates[1]),
                     next.empty() ? "no number" : next);
}

Candidate candidate_of(const Algorithm& card, const Problem& problem, uint64_t block_bytes) {
  if (!is_priced(problem) || card.members == nullptr) return {&card, "", card.claimed(problem)};
  const std::vector<Member> members = card.members(problem);
  const Member& member = cheapest(members, problem, block_bytes);
  return {&card, member.name, member.claim};
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
    Candidate candidate = candidate_of(*other, problem, 1);
    if (!best || cost_of(candidate.claim, problem, 1) < cost_of(best->claim, problem, 1))
      best = std::move(candidate);
  }
  if (!best) return "no other algorithm applies either";
  const std::string claimed = figures(*best, is_priced(problem), true);
  return claimed.empty() ? fmt::format("{} applies", name_of(*best))
                         : fmt::format("{} applies, and claims {}", name_of(*best), claimed);
}

void require_serves(const Algorithm& card, const Problem& problem) {
  const Applicability fits = serves(card, problem);
  if (fits.applies) return;
  throw InputError(fmt::format("--algorithm: {} does not apply to {}: {}; {}", card.name, problem.title(),
                               fits.reason, instead_of(card, problem)));
}

std::string Choice::name() const {
  return member.empty() ? std::string(algorithm->name) : fmt::format("{}:{}", algorithm->name, member);
}

void Choice::generate(const Problem& problem, StepSink& sink) const {
  if (member.empty()) {
    algorithm->generate(problem, sink);
  } else {
    algorithm->generate_member(problem, member, sink);
  }
}

Choice choose_algorithm(const Problem& problem, uint64_t block_bytes) {
  std::vector<Candidate> candidates;
  std::vector<std::string> reasons;
  for (const Algorithm* card : kCatalog) {
    if (card->collective != problem.collective().kind()) continue;
    const Applicability fits = serves(*card, problem);
    if (fits.applies) {
      candidates.push_back(candidate_of(*card, problem, block_bytes));
    } else {
      reasons.push_back(fmt::format("{}: {}", card->name, fits.reason));
    }
  }
  if (candidates.empty()) throw nothing_applies(problem, reasons);
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    return cost_of(a.claim, problem, block_bytes) < cost_of(b.claim, problem, block_bytes);
  });
  const Candidate& best = candidates.front();
  return {best.card, explain(candidates, is_priced(problem)), best.claim, best.member};
}

std::vector<Choice> pareto_front(const Problem& problem) {
  struct Point {
    Choice choice;
    WormCost cost;
  };
  std::vector<Point> points;
  std::vector<std::string> reasons;
  for (const Algorithm* card : kCatalog) {
    if (card->collective != problem.collective().kind()) continue;
    if (const Applicability fits = serves(*card, problem); !fits.applies) {
      reasons.push_back(fmt::format("{}: {}", card->name, fits.reason));
      continue;
    }
    const std::vector<Member> members =
        card->members != nullptr ? card->members(problem) : std::vector<Member>{{"", card->claimed(problem)}};
    for (const Member& m : members) {
      if (!has_both(m.claim)) continue;
      points.push_back(
          {{card, "on the front", m.claim, m.name}, {*m.claim.start_ups, *m.claim.critical_blocks}});
    }
  }
  if (points.empty()) throw nothing_applies(problem, reasons);
  keep_front(points);
  std::vector<Choice> out;
  for (Point& point : points) out.push_back(std::move(point.choice));
  return out;
}

}  // namespace quadrille
