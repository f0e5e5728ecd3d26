// Searches for schedules of total exchange by worms on short rings and lines; see found_worms.h of the
// library. The same arguments give the same schedule, as long as the integer solver does not run out of its
// seconds.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "flow.h"
#include "senders.h"

namespace found_worms {
namespace {

constexpr std::string_view kHelp = R"(usage: found_worms ring|line LENGTH PHASES [options]

Prints the cheapest schedule that it finds, as an entry of found_worms.inc, and before it the senders and the
bound that holds for them.

  --turn K        the phases look the same when the ring is turned by K places (K divides LENGTH)
  --mirrored      ... and when it, or the line, is turned over
  --palindrome    the second half of the phases is the first, run backward
  --moves N       of simulated annealing (2000)
  --seed N        of its random numbers (1)
  --from TEXT     start with these senders; as many random phases are added as lack
  --keep          no search: only find out what these senders should send
  --all           no annealing: every sequence of phases to which no worm can be added, for a proof that with
                  this symmetry nothing is cheaper
  --seconds S     for the integer program (60)
)";

struct Task {
  Shape shape{};
  int phases = 0;
  bool palindrome = false;
  long moves = 2000;
  uint64_t seed = 1;
  std::string from{};
  bool keep = false;
  bool all = false;
  double seconds = 60;
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
    for (long move = 0; move < task_.moves; ++move) {
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

Task parse(int argc, char** argv) {
  Task out;
  if (argc < 4) throw std::invalid_argument("what, how long, and how many phases?");
  const std::string_view kind = argv[1];
  if (kind != "ring" && kind != "line") throw std::invalid_argument("ring or line?");
  out.shape.line = kind == "line";
  out.shape.length = std::stoi(argv[2]);
  out.phases = std::stoi(argv[3]);
  for (int i = 4; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) throw std::invalid_argument(std::string(option) + " needs a value");
      return argv[++i];
    };
    if (option == "--turn")
      out.shape.turn = std::stoi(value());
    else if (option == "--mirrored")
      out.shape.mirrored = true;
    else if (option == "--palindrome")
      out.palindrome = true;
    else if (option == "--moves")
      out.moves = std::stol(value());
    else if (option == "--seed")
      out.seed = std::stoull(value());
    else if (option == "--from")
      out.from = value();
    else if (option == "--keep")
      out.keep = true;
    else if (option == "--all")
      out.all = true;
    else if (option == "--seconds")
      out.seconds = std::stod(value());
    else
      throw std::invalid_argument("no option is called " + std::string(option));
  }
  return out;
}

int run(const Task& task) {
  const Senders senders(task.shape);
  Candidate best;
  if (task.keep) {
    best.phases = senders.read(task.from);
    best.cost = Flow(senders, best.phases).bound(kUnconnected).value_or(kUnconnected);
  } else {
    best = task.all ? AllSequences(senders, task).run() : Annealing(senders, task).run();
  }
  if (best.phases.empty() || best.cost >= kUnconnected) {
    std::cout << "// no senders found that connect all nodes\n";
    return 1;
  }
  std::cout << "// at least " << best.cost << ": " << senders.write(best.phases) << std::endl;
  const std::optional<Routing> routing = Flow(senders, best.phases).solve(task.seconds);
  if (!routing) {
    std::cout << "// no integer flow found in time\n";
    return 1;
  }
  std::cout << entry(senders, *routing);
  return 0;
}

}  // namespace
}  // namespace found_worms

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::cout << found_worms::kHelp;
    return 0;
  }
  try {
    return found_worms::run(found_worms::parse(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "found_worms: " << error.what() << "\n" << found_worms::kHelp;
    return 2;
  }
}
