// quadrille-search exchange: total exchange by worms on short rings and lines; see
// algorithms/worm_exchange/found_worms.h. The same arguments give the same schedule, as long as the integer
// solver does not run out of its seconds.
#include <fmt/format.h>

#include <coin/CbcConfig.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "arguments.h"
#include "exchange_flow.h"
#include "exchange_senders.h"
#include "quadrille/algorithms/worm_exchange/found_worms.h"
#include "quadrille/base/input_error.h"
#include "searches.h"

namespace quadrille::search_tool {
namespace {

constexpr std::array<std::string_view, 5> kWithValue = {"--turn", "--moves", "--seed", "--from", "--seconds"};
constexpr std::array<std::string_view, 4> kWithout = {"--mirrored", "--palindrome", "--keep", "--all"};
constexpr uint32_t kMoves = 2000;
constexpr uint32_t kSeconds = 60;

struct Task {
  Shape shape{};
  int phases = 0;
  bool palindrome = false;
  uint32_t moves = kMoves;
  uint32_t seed = 1;
  std::string from{};
  bool keep = false;
  bool all = false;
  uint32_t seconds = kSeconds;

  // What all commands about such an exchange begin with.
  [[nodiscard]] std::string command() const {
    std::string out =
        fmt::format("quadrille-search exchange {} {} {}", shape.line ? "line" : "ring", shape.length, phases);
    if (shape.turn > 0) out += fmt::format(" --turn {}", shape.turn);
    if (shape.mirrored) out += " --mirrored";
    return out;
  }
  // How the senders were looked for.
  [[nodiscard]] std::string search() const {
    std::string out = command();
    if (palindrome) out += " --palindrome";
    if (all) return out + " --all";
    if (!from.empty()) out += fmt::format(" --from \"{}\"", from);
    if (moves != kMoves) out += fmt::format(" --moves {}", moves);
    if (seed != 1) out += fmt::format(" --seed {}", seed);
    return out;
  }
};

struct Candidate {
  Phases phases{};
  double cost = std::numeric_limits<double>::infinity();
};

// Above all costs; grows with the pairs that are not connected.
constexpr double kUnconnected = 1e6;

class Annealing {
 public:
  Annealing(const Senders& senders, const Task& task) : senders_(senders), task_(task), random_(task.seed) {}

  Candidate run() {
    Candidate now = start();
    Candidate best = now;
    for (uint32_t move = 0; move < task_.moves; ++move) {
      // From a few percent of the cost down to a twentieth of that.
      const double n = senders_.length();
      const double heat = std::pow(0.05, double(move) / double(task_.moves)) *
                          (now.cost >= kUnconnected ? 2.0 : n * n / 160 + 0.2);
      Phases next = now.phases;
      if (!change(next)) continue;
      mirror_in_time(next);
      const double limit = now.cost - heat * std::log(uniform());
      const double cost = cost_of(next, limit);
      if (cost > limit) continue;
      now = {std::move(next), cost};
      if (now.cost < best.cost - 1e-7) best = now;
    }
    return best;
  }

 private:
  Candidate start() {
    Candidate out;
    if (!task_.from.empty()) out.phases = senders_.read(task_.from);
    while (int(out.phases.size()) < task_.phases) {
      Phase phase;
      senders_.fill(phase, random_);
      const size_t place = task_.palindrome ? out.phases.size() / 2 : random_() % (out.phases.size() + 1);
      out.phases.insert(out.phases.begin() + long(place), phase);
    }
    mirror_in_time(out.phases);
    out.cost = cost_of(out.phases, std::numeric_limits<double>::infinity());
    return out;
  }

  double uniform() { return (double(random_() >> 11) + 0.5) * 0x1.0p-53; }

  double cost_of(const Phases& phases, double limit) const {
    if (const int lacking = senders_.unreached(phases); lacking > 0)
      return kUnconnected + lacking * 16.0 / senders_.length();
    return Flow(senders_, phases).bound(std::min(limit, kUnconnected)).value_or(limit + 1);
  }

  void mirror_in_time(Phases& phases) const {
    if (!task_.palindrome) return;
    for (size_t p = 0; p < phases.size() / 2; ++p)
      phases[phases.size() - 1 - p] = senders_.backward(phases[p]);
  }

  // Takes the bundle in, and out what it meets.
  void put(Phase& phase, int bundle) {
    std::erase_if(phase, [&](int b) { return meet(senders_.bundles()[b], senders_.bundles()[bundle]); });
    phase.push_back(bundle);
    senders_.fill(phase, random_);
  }

  bool change(Phases& phases) {
    const size_t free = task_.palindrome ? (phases.size() + 1) / 2 : phases.size();
    Phase& phase = phases[random_() % free];
    const Phase before = phase;
    const uint64_t kind = random_() % 10;
    if (kind < 4) {
      put(phase, senders_.possible()[random_() % senders_.possible().size()]);
    } else if (kind < 6) {
      for (uint64_t k = 1 + random_() % 3; k > 0 && !phase.empty(); --k)
        phase.erase(phase.begin() + long(random_() % phase.size()));
      senders_.fill(phase, random_);
    } else if (kind < 7) {
      std::swap(phase, phases[random_() % free]);
    } else if (kind < 8) {
      return stretch(phase) && phase != before;
    } else if (kind < 9) {
      Phase copy = phases[random_() % phases.size()];
      if (random_() % 2 == 0) copy = senders_.backward(copy);
      if (!senders_.shape().line) copy = senders_.turned(copy, int(random_() % senders_.length()));
      if (!senders_.fits(copy)) return false;
      senders_.fill(copy, random_);
      phase = copy;
    } else {
      phase.clear();
      senders_.fill(phase, random_);
    }
    return phase != before || kind == 6;
  }

  // One worm starts or ends one place further on, or less far.
  bool stretch(Phase& phase) {
    if (phase.empty()) return false;
    const Worm& worm = senders_.worms()[senders_.bundles()[phase[random_() % phase.size()]].worms.front()];
    const uint64_t kind = random_() % 4;
    const int places = worm.places + (kind % 2 == 0 ? 1 : -1);
    const int shift = kind < 2 ? 0 : (worm.up == (kind == 2) ? -1 : 1);
    const int n = senders_.length();
    const int from = senders_.shape().line ? worm.from + shift : (worm.from + shift + n) % n;
    const int id = senders_.find(from, places, worm.up);
    if (id < 0 || !senders_.bundles()[senders_.bundle_of(id)].possible) return false;
    put(phase, senders_.bundle_of(id));
    return true;
  }

  const Senders& senders_;
  const Task& task_;
  std::mt19937_64 random_;
};

// After k more phases a node has heard from at most 2^k times as many, and as many have heard from it.
class AllSequences {
 public:
  AllSequences(const Senders& senders, const Task& task)
      : senders_(senders), task_(task), full_(senders.all_full_phases()) {}

  Candidate run() {
    extend();
    std::cerr << full_.size() << " full phases, " << sequences_ << " sequences that connect all nodes\n";
    return best_;
  }

 private:
  [[nodiscard]] bool hopeless() const {
    const int n = senders_.length();
    std::vector<Mask> heard(n);
    for (int v = 0; v < n; ++v) heard[v] = Mask{1} << v;
    for (const Phase& phase : chosen_) {
      const std::vector<Mask> before = heard;
      for (const int b : phase) {
        for (const int w : senders_.bundles()[b].worms)
          heard[senders_.worms()[w].to] |= before[senders_.worms()[w].from];
      }
    }
    std::vector<long> listeners(n, 0);
    const int left = task_.phases - int(chosen_.size());
    for (const Mask m : heard) {
      if ((long(std::popcount(m)) << left) < n) return true;
      for (int s = 0; s < n; ++s) listeners[s] += long(m >> s & 1);
    }
    return std::any_of(listeners.begin(), listeners.end(), [&](long k) { return (k << left) < n; });
  }

  void extend() {
    if (hopeless()) return;
    if (int(chosen_.size()) == task_.phases) {
      ++sequences_;
      if (const std::optional<double> cost = Flow(senders_, chosen_).bound(best_.cost - 1e-4);
          cost && *cost < best_.cost - 1e-4)
        best_ = {chosen_, *cost};
      return;
    }
    const size_t place = chosen_.size();
    for (const Phase& phase : full_) {
      if (task_.palindrome && place >= size_t(task_.phases + 1) / 2 &&
          phase != senders_.backward(chosen_[task_.phases - 1 - place]))
        continue;
      chosen_.push_back(phase);
      extend();
      chosen_.pop_back();
    }
  }

  const Senders& senders_;
  const Task& task_;
  Phases full_;
  Phases chosen_{};
  Candidate best_{};
  long sequences_ = 0;
};

Task read(std::span<const std::string> words) {
  const Arguments arguments(words, kWithValue, kWithout);
  Task out;
  const std::string& graph = arguments.word(0, "ring or line");
  if (graph != "ring" && graph != "line")
    throw InputError(fmt::format("'{}' is no graph of this search: ring or line", graph));
  out.shape.line = graph == "line";
  out.shape.length = int(whole_number(arguments.word(1, "LENGTH"), "LENGTH", 2, 64));
  out.phases = int(whole_number(arguments.word(2, "PHASES"), "PHASES", 1, 64));
  out.shape.turn = int(arguments.number("--turn", 0));
  out.shape.mirrored = arguments.has("--mirrored");
  out.palindrome = arguments.has("--palindrome");
  out.moves = arguments.number("--moves", kMoves);
  out.seed = arguments.number("--seed", 1);
  out.from = arguments.value("--from").value_or("");
  out.keep = arguments.has("--keep");
  out.all = arguments.has("--all");
  out.seconds = arguments.number("--seconds", kSeconds);
  return out;
}

Made make(std::span<const std::string> words) {
  const Task task = read(words);
  const Senders senders(task.shape);
  Candidate best;
  if (task.keep) {
    best.phases = senders.read(task.from);
    best.cost = Flow(senders, best.phases).bound(kUnconnected).value_or(kUnconnected);
  } else {
    best = task.all ? AllSequences(senders, task).run() : Annealing(senders, task).run();
  }
  if (best.phases.empty() || best.cost >= kUnconnected)
    throw NothingFound(fmt::format("no senders found that connect all nodes: {}", task.search()));
  std::string text = senders.write(best.phases);
  text.resize(text.find_last_not_of(' ') + 1);
  const std::optional<Routing> routing = Flow(senders, best.phases).solve(task.seconds);
  if (!routing)
    throw NothingFound(
        fmt::format("no integer flow found in {} seconds for the senders {}, whose bound is {:.6g}",
                    task.seconds, text, best.cost));
  std::vector<std::pair<std::string_view, std::string>> fields = {
      {"graph", fmt::format("{}({})", task.shape.line ? "line" : "ring", task.shape.length)},
      {"start-ups", std::to_string(routing->phases.size())},
      {"blocks", std::to_string(routing->cost)},
      {"at-least", fmt::format("{:.6g}", best.cost)}};
  if (task.shape.turn > 0) fields.emplace_back("turn", std::to_string(task.shape.turn));
  if (task.shape.mirrored) fields.emplace_back("mirrored", "yes");
  fields.emplace_back("made-by", fmt::format("{} --keep --from \"{}\"", task.command(), text));
  fields.emplace_back("solver", "CBC " CBC_VERSION);
  fields.emplace_back("verified", fmt::format("by the judge: test FoundWorms.Every{}PassesTheJudgeAtItsCost",
                                              task.shape.line ? "Line" : "Ring"));
  if (!task.keep) fields.emplace_back("found-by", task.search());
  return {write_stored_entry(stored_exchange_kind(), fields, write_phases(senders, *routing)), {}};
}

// As many start-ups with as many blocks, or fewer.
std::string falls_short(const StoredEntry& stored, const StoredEntry& made) {
  const FoundCost old = read_stored_exchange(stored).cost();
  const FoundCost now = read_stored_exchange(made).cost();
  if (stored.value("graph") == made.value("graph") && now.start_ups <= old.start_ups &&
      now.blocks <= old.blocks)
    return "";
  return fmt::format("{} blocks with {} start-ups on {}, not {} with {} on {}", now.blocks, now.start_ups,
                     made.value("graph"), old.blocks, old.start_ups, stored.value("graph"));
}

}  // namespace

const Search exchange_search = {
    .name = "exchange",
    .usage = R"(exchange ring|line N S    total exchange by worms, one port, N nodes, S phases
      --turn K                the phases look the same when the ring is turned by K places (K divides N)
      --mirrored              ... and when it, or the line, is turned over
      --palindrome            the second half of the phases is the first, run backward
      --moves N               of simulated annealing (2000)
      --seed N                of its random numbers (1)
      --from TEXT             start with these senders; as many random phases are added as lack
      --keep                  no search: only find out what these senders should send
      --all                   no annealing: every sequence of phases to which no worm can be added, for a proof
                              that with this symmetry nothing is cheaper
      --seconds S             for the integer program (60)
)",
    .kind = stored_exchange_kind,
    .make = make,
    .falls_short = falls_short,
};

}  // namespace quadrille::search_tool
