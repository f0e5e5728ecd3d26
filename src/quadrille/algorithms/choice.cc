#include "quadrille/algorithms/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// Whether every card can make a plan of it in a moment.
bool is_small(const Problem& problem) { return problem.topology().num_nodes() <= 128; }

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

std::optional<uint64_t> rearranged_by(const Claim& claim) {
  if (claim.rearranged || !has_both(claim) || *claim.start_ups != *claim.critical_blocks)
    return claim.rearranged;
  return 0;
}

// Whether part of the time is unknown.
bool is_uncertain(const Claim& claim, const Problem& problem) {
  return problem.model().cost.rho > 0 && !rearranged_by(claim);
}

// The time as far as it is known.
double price(const Claim& claim, const Problem& problem, uint64_t block_bytes) {
  return time_of(problem.model().cost, *claim.start_ups, *claim.critical_blocks,
                 rearranged_by(claim).value_or(0), block_bytes);
}

// What is claimed, in words, if anything; with units for one who has not seen them yet.
std::string figures(const Candidate& candidate, bool priced, bool with_units) {
  const Claim& claim = candidate.claim;
  if (priced && has_both(claim)) {
    return with_units ? fmt::format("{} and {}", plural(*claim.start_ups, "start-up"),
                                    plural(*claim.critical_blocks, "critical block"))
                      : fmt::format("{} and {}", with_thousands(*claim.start_ups),
                                    with_thousands(*claim.critical_blocks));
  }
  if (priced || !claim.steps) return "";
  return with_units ? plural(*claim.steps, "step") : with_thousands(*claim.steps);
}

// What candidates are sorted by: steps, or the time of start-ups and blocks; those of which a part of the
// time is unknown after the others, those without the figures last.
using Cost = std::tuple<bool, double, uint64_t, uint64_t>;
Cost cost_of(const Claim& claim, const Problem& problem, uint64_t block_bytes) {
  if (!is_priced(problem)) return {false, 0.0, claim.steps.value_or(UINT64_MAX), 0};
  if (!has_both(claim)) return {true, std::numeric_limits<double>::infinity(), UINT64_MAX, UINT64_MAX};
  return {is_uncertain(claim, problem), price(claim, problem, block_bytes), *claim.start_ups,
          *claim.critical_blocks};
}

std::string name_of(const Candidate& candidate) {
  return Choice{candidate.card, "", candidate.claim, candidate.member}.name();
}

// How many apply, and the second of those that were asked. `asked` has the best first.
std::string explain(const std::vector<Candidate>& asked, size_t applying, bool priced) {
  const std::string claimed = figures(asked.front(), priced, true);
  if (applying == 1)
    return claimed.empty() ? "nothing else applies" : fmt::format("claims {}; nothing else applies", claimed);
  if (claimed.empty()) return fmt::format("the first of {} that apply; none claims a number", applying);
  std::string best =
      fmt::format("claims {}, the {} of {} that apply", claimed, priced ? "cheapest" : "fewest", applying);
  if (asked.size() == 1) return best;
  const std::string next = figures(asked[1], priced, false);
  return fmt::format("{}; next: {}, {}", best, name_of(asked[1]), next.empty() ? "no number" : next);
}

Candidate candidate_of(const Algorithm& card, const Problem& problem, uint64_t block_bytes) {
  if (!is_priced(problem) || card.members == nullptr) return {&card, "", card.claimed(problem)};
  const std::vector<Member> members = card.members(problem);
  const Member& member = cheapest(members, problem, block_bytes);
  return {&card, member.name, member.claim};
}

// What the cards claim, best first, those that claim by work after the others of their cost; they are asked
// only if `enough` is not content with the best of the others.
template <typename Enough>
std::vector<Candidate> ask(std::span<const Algorithm* const> cards, const Problem& problem,
                           uint64_t block_bytes, Enough enough) {
  std::vector<Candidate> out;
  for (const bool by_work : {false, true}) {
    if (by_work && !out.empty() && enough(out.front().claim)) break;
    for (const Algorithm* card : cards) {
      if (card->claimed_by_work == by_work) out.push_back(candidate_of(*card, problem, block_bytes));
    }
    std::stable_sort(out.begin(), out.end(), [&](const Candidate& a, const Candidate& b) {
      return cost_of(a.claim, problem, block_bytes) < cost_of(b.claim, problem, block_bytes);
    });
  }
  return out;
}

// Lets the meter tell what those rearrange that may still be the cheapest, by rising time without it. The
// best comes first again.
void measure(std::vector<Candidate>& asked, const Problem& problem, uint64_t block_bytes,
             const RearrangementMeter& meter) {
  const auto by_cost = [&](const Candidate& a, const Candidate& b) {
    return cost_of(a.claim, problem, block_bytes) < cost_of(b.claim, problem, block_bytes);
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& c : asked) {
    if (has_both(c.claim) && !is_uncertain(c.claim, problem))
      least = std::min(least, price(c.claim, problem, block_bytes));
  }
  // Sorted, those of which a part is unknown are by rising time.
  for (Candidate& c : asked) {
    if (!has_both(c.claim) || !is_uncertain(c.claim, problem)) continue;
    if (price(c.claim, problem, block_bytes) > least) break;
    c.claim.rearranged = meter({c.card, "", c.claim, c.member});
    if (c.claim.rearranged) least = std::min(least, price(c.claim, problem, block_bytes));
  }
  std::stable_sort(asked.begin(), asked.end(), by_cost);
}

InputError nothing_applies(const Problem& problem, const std::vector<std::string>& reasons) {
  if (reasons.empty())
    return InputError(fmt::format("there is no algorithm for {} yet", problem.collective().name()));
  std::string message =
      fmt::format("no algorithm applies to {} with {}:", problem.title(), describe(problem.model()));
  for (const std::string& reason : reasons) message += "\n  " + reason;
  return InputError(message);
}

InputError no_such_algorithm(const Problem& problem, std::string_view name) {
  std::vector<std::string_view> all;
  std::vector<std::string_view> fitting;
  for (const Algorithm* card : algorithm_catalog()) {
    all.push_back(card->name);
    if (card->collective == problem.collective().kind()) fitting.push_back(card->name);
  }
  const std::string_view near = nearest_name(name, all);
  const std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
  return InputError(fmt::format("--algorithm: no algorithm is called '{}'; {}those for {}: {}", name, hint,
                                problem.collective().name(), fitting.empty() ? "none" : join(fitting)));
}

// What the member claims.
Claim require_member(const Algorithm& card, const Problem& problem, std::string_view member) {
  if (card.members == nullptr)
    throw InputError(fmt::format("--algorithm: {} is no family; leave out ':{}'", card.name, member));
  const std::vector<Member> members = card.members(problem);
  std::vector<std::string_view> names;
  for (const Member& m : members) {
    if (m.name == member) return m.claim;
    names.push_back(m.name);
  }
  const std::string_view near = nearest_name(member, names);
  throw InputError(fmt::format("--algorithm: {} on {} has no member '{}'; {}there are: {}", card.name,
                               problem.topology().name(), member,
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), join(names)));
}

}  // namespace

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
  std::vector<const Algorithm*> others;
  for (const Algorithm* other : algorithm_catalog()) {
    if (other != &card && other->collective == card.collective && serves(*other, problem).applies)
      others.push_back(other);
  }
  if (others.empty()) return "no other algorithm applies either";
  const Candidate best = ask(others, problem, 1, [&](const Claim&) { return !is_small(problem); }).front();
  const std::string claimed = figures(best, is_priced(problem), true);
  return claimed.empty() ? fmt::format("{} applies", name_of(best))
                         : fmt::format("{} applies, and claims {}", name_of(best), claimed);
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
  count_work(Work::kGenerating);
  if (member.empty()) {
    algorithm->generate(problem, sink);
  } else {
    algorithm->generate_member(problem, member, sink);
  }
}

std::optional<uint64_t> Choice::rearranged() const { return rearranged_by(claim); }

Choice choose_algorithm(const Problem& problem, uint64_t block_bytes, uint64_t fewest_steps,
                        const RearrangementMeter& meter) {
  std::vector<const Algorithm*> cards;
  std::vector<std::string> reasons;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    if (const Applicability fits = serves(*card, problem); fits.applies) {
      cards.push_back(card);
    } else {
      reasons.push_back(fmt::format("{}: {}", card->name, fits.reason));
    }
  }
  if (cards.empty()) throw nothing_applies(problem, reasons);
  const bool priced = is_priced(problem);
  std::vector<Candidate> asked = ask(cards, problem, block_bytes, [&](const Claim& best) {
    return priced ? has_both(best) && !is_small(problem) : best.steps && *best.steps <= fewest_steps;
  });
  if (meter && priced && problem.model().cost.rho > 0) measure(asked, problem, block_bytes, meter);
  const Candidate& best = asked.front();
  return {best.card, explain(asked, cards.size(), priced), best.claim, best.member};
}

Choice pick_algorithm(const Problem& problem, const std::string& asked, uint64_t block_bytes,
                      uint64_t fewest_steps, const RearrangementMeter& meter) {
  if (asked == "auto") return choose_algorithm(problem, block_bytes, fewest_steps, meter);
  const size_t colon = asked.find(':');
  const std::string name = asked.substr(0, colon);
  const Algorithm* card = find_algorithm(name);
  if (card == nullptr) throw no_such_algorithm(problem, name);
  if (card->collective != problem.collective().kind()) {
    throw InputError(fmt::format("--algorithm: {} is for {}, not for {}", name, name_of(card->collective),
                                 problem.collective().name()));
  }
  require_serves(*card, problem);
  if (colon != std::string::npos) {
    const std::string member = asked.substr(colon + 1);
    return {card, "asked for", require_member(*card, problem, member), member};
  }
  if (card->members == nullptr) return {card, "asked for", card->claimed(problem)};
  const std::vector<Member> members = card->members(problem);
  const Member& best = cheapest(members, problem, block_bytes);
  return {card, fmt::format("asked for; {} of {}", best.name, plural(members.size(), "member")), best.claim,
          best.name};
}

std::vector<Choice> pareto_front(const Problem& problem) {
  struct Point {
    Choice choice;
    WormCost cost;
  };
  std::vector<Point> points;
  std::vector<std::string> reasons;
  for (const Algorithm* card : algorithm_catalog()) {
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
