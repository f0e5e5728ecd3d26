// quadrille-search broadcast: worms on an all-port torus, by a formula and CaDiCaL.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cadical.hpp>
#include <utility>
#include <vector>

#include "arguments.h"
#include "quadrille/algorithms/worm_broadcast/worm_library.h"
#include "quadrille/base/input_error.h"
#include "quadrille/search/solve.h"
#include "searches.h"
#include "worm_broadcast.h"

namespace quadrille::search_tool {
namespace {

constexpr uint32_t kConflicts = 100'000;
constexpr std::array<std::string_view, 3> kWithValue = {"--quiet", "--conflicts", "--seed"};
constexpr std::array<std::string_view, 1> kWithout = {"--mirrored"};

struct Question {
  std::vector<uint32_t> sides{};
  uint32_t steps = 0;
  WormConditions conditions{};
  uint32_t conflicts = kConflicts;
  uint32_t seed = 0;

  [[nodiscard]] std::string command() const {
    std::string out = fmt::format("quadrille-search broadcast {} {}", fmt::join(sides, ","), steps);
    if (conditions.mirrored) out += " --mirrored";
    if (!conditions.quiet.empty()) out += fmt::format(" --quiet \"{}\"", quiet_text(conditions.quiet));
    if (seed != 0) out += fmt::format(" --seed {}", seed);
    if (conflicts != kConflicts) out += fmt::format(" --conflicts {}", conflicts);
    return out;
  }
};

std::vector<std::vector<uint32_t>> parse_quiet(std::string_view text, size_t dimensions) {
  std::vector<std::vector<uint32_t>> out;
  while (true) {
    const size_t end = text.find(';');
    const std::string_view part = text.substr(0, end);
    out.push_back(part == "-" ? std::vector<uint32_t>{} : whole_numbers(part, "--quiet", 1));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (out.size() != dimensions)
    throw InputError(fmt::format("--quiet has {} parts for {} dimensions", out.size(), dimensions));
  return out;
}

Question read(std::span<const std::string> words) {
  const Arguments arguments(words, kWithValue, kWithout);
  Question out;
  out.sides = whole_numbers(arguments.word(0, "SIDES"), "SIDES", 2);
  out.steps = whole_number(arguments.word(1, "STEPS"), "STEPS", 1, 64);
  out.conditions.mirrored = arguments.has("--mirrored");
  if (const auto quiet = arguments.value("--quiet"))
    out.conditions.quiet = parse_quiet(*quiet, out.sides.size());
  out.conflicts = arguments.number("--conflicts", kConflicts);
  out.seed = arguments.number("--seed", 0);
  return out;
}

WormPlan plan_of(const Question& question, const GridShape& shape,
                 const std::vector<WormBroadcast::Heard>& worms) {
  WormPlan plan(question.steps, WormStep(shape.dimensions()));
  for (uint32_t place = 1; place < worms.size(); ++place) {
    std::vector<int32_t> back = worms[place].hops;
    for (int32_t& each : back) each = -each;
    plan[worms[place].step - 1].add(shape.moved(place, back), worms[place].hops);
  }
  return plan;
}

Made make(std::span<const std::string> words) {
  const Question question = read(words);
  const WormBroadcast broadcast(question.sides, question.steps, question.conditions);
  const SearchAnswer answer =
      solve(broadcast.formula(),
            {.conflicts = question.conflicts, .focus = SearchFocus::kSolutions, .seed = question.seed});
  if (answer.unsatisfiable())
    throw NothingFound(fmt::format("there is no such broadcast: {}", question.command()));
  if (!answer.satisfiable())
    throw NothingFound(
        fmt::format("nothing found within {} conflicts: {}", question.conflicts, question.command()));
  const GridShape shape{question.sides, std::vector<bool>(question.sides.size(), true)};
  const WormPlan plan = plan_of(question, shape, broadcast.worms(answer));
  std::vector<std::pair<std::string_view, std::string>> fields = {
      {"torus", fmt::format("{}", fmt::join(question.sides, ","))},
      {"steps", std::to_string(question.steps)}};
  const std::vector<std::vector<uint32_t>> quiet = quiet_coordinates(shape, plan);
  if (std::any_of(quiet.begin(), quiet.end(), [](const auto& each) { return !each.empty(); }))
    fields.emplace_back("quiet", quiet_text(quiet));
  fields.emplace_back("made-by", question.command());
  fields.emplace_back("solver", fmt::format("CaDiCaL {}", CaDiCaL::Solver::version()));
  fields.emplace_back("verified", "by the judge: test WormLibrary.EveryEntryPassesTheJudgeInDimensionOrder");
  return {write_stored_entry(stored_broadcast_kind(), fields, write_worms(shape, plan)), {}};
}

// As many steps, and nobody sends where the stored one is quiet.
std::string falls_short(const StoredEntry& stored, const StoredEntry& made) {
  const StoredBroadcast old(stored);
  const StoredBroadcast now(made);
  if (now.plan().size() != old.plan().size() || !(now.shape() == old.shape()))
    return fmt::format("{} steps on {}, not {} on {}", now.steps(), now.shape().text(), old.steps(),
                       old.shape().text());
  for (size_t d = 0; d < old.quiet().size(); ++d) {
    if (!std::includes(now.quiet()[d].begin(), now.quiet()[d].end(), old.quiet()[d].begin(),
                       old.quiet()[d].end()))
      return fmt::format("quiet at {}, not at {}", quiet_text(now.quiet()), quiet_text(old.quiet()));
  }
  return "";
}

}  // namespace

const Search broadcast_search = {
    .name = "broadcast",
    .usage = R"(broadcast SIDES STEPS     worms on an all-port torus of these sides, "10,10", in so many steps
      --mirrored              only broadcasts that are their own image when all coordinates change sign
      --quiet "5;4,5"         nobody sends at these coordinates, dimension by dimension; - for none
      --conflicts N           the effort, at most (100000); a second or so
      --seed N                in another order (0)
)",
    .kind = stored_broadcast_kind,
    .make = make,
    .falls_short = falls_short,
};

}  // namespace quadrille::search_tool
