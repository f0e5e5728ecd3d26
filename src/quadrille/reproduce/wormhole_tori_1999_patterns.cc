// Tables 1 and 2 and figures 1 to 8, 13 and 14 of the 1999 paper: who sends where in the phases of its schedules.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "quadrille/algorithms/worm_exchange/worm_ring.h"
#include "quadrille/base/text.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit tori_1999_fig1;
extern const Exhibit tori_1999_fig2;
extern const Exhibit tori_1999_fig3;
extern const Exhibit tori_1999_fig4;
extern const Exhibit tori_1999_fig5;
extern const Exhibit tori_1999_table1;
extern const Exhibit tori_1999_table2;
extern const Exhibit tori_1999_fig6;
extern const Exhibit tori_1999_fig7;
extern const Exhibit tori_1999_fig8;
extern const Exhibit tori_1999_fig13;
extern const Exhibit tori_1999_fig14;

namespace wormhole_tori_1999_patterns_parts {
namespace {

uint64_t two_to(uint64_t exponent) { return uint64_t{1} << exponent; }

// --- the positive gather-scatter tree ---------------------------------------------------------------------

// Blocks at positive distance up to n/2 on a ring of n = 2^d, by sections 2.2 and 2.3, before ports are shared.
class PositiveTree {
 public:
  struct Block {
    uint64_t source;
    uint64_t target;
    std::string route{};
  };
  // What nodes of one kind send: the most blocks that one has, and how far these have to go.
  struct Sent {
    uint64_t sender = 0;  // one that sends most
    uint64_t blocks = 0;
    uint64_t nearest = UINT64_MAX;
    uint64_t farthest = 0;
  };
  struct Phase {
    std::string name;
    std::vector<uint64_t> senders{};
    uint64_t reach = 0;
    uint64_t largest = 0;
    std::array<Sent, 2> by_level{};  // by nodes of V_l that are not in V_(l+1), and by those that are
  };

  explicit PositiveTree(uint64_t d) : d_(d), n_(two_to(d)), held_(n_) {
    for (uint64_t s = 0; s < n_; ++s) {
      for (uint64_t x = 1; x <= n_ / 2; ++x) held_[s].push_back({s, (s + x) % n_});
    }
    for (uint64_t l = 0; l + 1 < d_; ++l) run(fmt::format("GP_{}", l), l, true);
    for (uint64_t l = d_ - 1; l-- > 0;) run(fmt::format("SP_{}", l), l, false);
  }

  [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
  /// Blocks that ended at their target.
  [[nodiscard]] std::vector<Block> delivered() const {
    std::vector<Block> out;
    for (uint64_t v = 0; v < n_; ++v) {
      for (const Block& block : held_[v]) {
        if (block.target == v) out.push_back(block);
      }
    }
    std::stable_sort(out.begin(), out.end(), [this](const Block& a, const Block& b) {
      return a.source != b.source ? a.source < b.source : distance(a) < distance(b);
    });
    return out;
  }

 private:
  [[nodiscard]] uint64_t distance(const Block& block) const {
    return (block.target + n_ - block.source) % n_;
  }

  // Whether a block at v goes one arc of level l further.
  [[nodiscard]] bool goes(uint64_t v, uint64_t l, const Block& block, bool gathers) const {
    const uint64_t x = (block.target + n_ - v) % n_;
    const uint64_t arc = two_to(l);
    if (!gathers) return x >= arc;
    const bool stays_above = v % (2 * arc) == 0 || l + 2 == d_;
    return stays_above ? x >= arc && x < 3 * arc : x >= 2 * arc;
  }

  void run(std::string name, uint64_t l, bool gathers) {
    Phase phase{.name = std::move(name), .reach = two_to(l)};
    std::vector<std::vector<Block>> arriving(n_);
    for (uint64_t v = 0; v < n_; v += two_to(l)) {
      std::vector<Block> stay;
      const uint64_t to = (v + two_to(l)) % n_;
      const bool is_above = v % two_to(l + 1) == 0 && l + 2 < d_;  // V_(d-1) is empty
      Sent& sent = phase.by_level[is_above ? 1 : 0];
      for (Block& block : held_[v]) {
        if (block.target == v || !goes(v, l, block, gathers)) {
          stay.push_back(std::move(block));
          continue;
        }
        block.route += fmt::format("{}{}>{} in {}", block.route.empty() ? "" : ", ", v, to, phase.name);
        sent.nearest = std::min(sent.nearest, (block.target + n_ - v) % n_);
        sent.farthest = std::max(sent.farthest, (block.target + n_ - v) % n_);
        arriving[to].push_back(std::move(block));
      }
      if (arriving[to].size() > sent.blocks) {
        sent.sender = v;
        sent.blocks = arriving[to].size();
      }
      phase.largest = std::max<uint64_t>(phase.largest, arriving[to].size());
      phase.senders.push_back(v);
      held_[v] = std::move(stay);
    }
    for (uint64_t v = 0; v < n_; ++v)
      std::move(arriving[v].begin(), arriving[v].end(), std::back_inserter(held_[v]));
    phases_.push_back(std::move(phase));
  }

  uint64_t d_;
  uint64_t n_;
  std::vector<std::vector<Block>> held_;
  std::vector<Phase> phases_{};
};

// Lemmas 2 to 5.
uint64_t lemma(uint64_t d, uint64_t l, bool gathers) {
  if (l + 2 == d) return gathers ? two_to(2 * d - 6) + 3 * two_to(d - 3) : 1;
  const auto power = [](uint64_t e) { return static_cast<int64_t>(two_to(e)); };
  const int64_t case_1 = power(d + l + 1) - 5 * power(2 * l + 1) + 3 * power(l + 1);
  return static_cast<uint64_t>(std::max(case_1, 7 * power(2 * l))) / 4;
}

std::string arcs_of(const PositiveTree::Phase& phase, uint64_t n) {
  std::vector<std::string> out;
  for (const uint64_t v : phase.senders) out.push_back(fmt::format("{}>{}", v, (v + phase.reach) % n));
  return join(out, " ");
}

Reproduction fig1(const Settings& settings) {
  Reproduction out;
  for (const uint64_t d : settings.whole("size")) {
    const PositiveTree tree(d);
    Sheet sheet{.title = fmt::format("Positive phases on a ring of {}", two_to(d)),
                .columns = {{"phase"}, {"largest worm"}, {"arcs"}}};
    const size_t half = tree.phases().size() / 2;
    for (size_t p = 0; p < tree.phases().size(); ++p) {
      const PositiveTree::Phase& phase = tree.phases()[p];
      const uint64_t l = p < half ? p : tree.phases().size() - 1 - p;
      sheet.rows.push_back({phase.name,
                            Cell(phase.largest).in_print(fmt::format("{}", lemma(d, l, p < half))),
                            arcs_of(phase, two_to(d))});
    }
    out.sheets.push_back(std::move(sheet));
  }
  out.notes.emplace_back("Printed: the blocks of the largest worm by lemmas 2 to 5.");
  return out;
}

Reproduction fig3(const Settings& settings) {
  Reproduction out;
  for (const uint64_t d : settings.whole("size")) {
    const std::vector<PositiveTree::Block> blocks = PositiveTree(d).delivered();
    Sheet sheet{.title = fmt::format("Routes of the blocks of nodes 0 to 3 on a ring of {}", two_to(d)),
                .columns = {{"from"}, {"to"}, {"route"}}};
    for (const PositiveTree::Block& block : blocks) {
      if (block.source < 4) sheet.rows.push_back({block.source, block.target, block.route});
    }
    out.sheets.push_back(std::move(sheet));
    out.notes.push_back(fmt::format("On the ring of {} {} of {} positive blocks arrive.", two_to(d),
                                    blocks.size(), two_to(2 * d - 1)));
  }
  return out;
}

// --- figures 2, 13 and 14: the two cases of a phase -------------------------------------------------------

constexpr std::array<std::string_view, 2> kLevels = {"not in V_(l+1)", "in V_(l+1)"};

// How far what is sent in the gathering phases has to go.
Reproduction fig2(const Settings& settings) {
  Reproduction out;
  for (const uint64_t d : settings.whole("size")) {
    const PositiveTree tree(d);
    Sheet sheet{.title = fmt::format("Blocks that go on in the gathering phases on a ring of {}", two_to(d)),
                .columns = {{"phase"}, {"senders"}, {"one of them"}, {"nearest"}, {"farthest"}}};
    for (uint64_t l = 0; l + 1 < d; ++l) {
      const PositiveTree::Phase& phase = tree.phases()[l];
      for (size_t above = 0; above < 2; ++above) {
        const PositiveTree::Sent& sent = phase.by_level[above];
        if (sent.blocks == 0) continue;
        // Case 1: all that the sender could not deliver later. Case 2, and all of the top level: all that the
        // receiver can.
        const bool is_case_2 = above == 1 || l + 2 == d;
        Cell nearest = Cell(sent.nearest).in_print(fmt::format("{}", is_case_2 ? two_to(l) : two_to(l + 1)));
        Cell farthest(sent.farthest);
        if (above == 1) farthest = farthest.in_print(fmt::format("{}", 3 * two_to(l) - 1));
        sheet.rows.push_back({phase.name, kLevels[above], sent.sender, nearest, farthest});
      }
    }
    out.sheets.push_back(std::move(sheet));
  }
  out.notes.emplace_back(
      "Printed: the two cases of section 2.2, by distance from the sender; the drawing is "
      "not in our text.");
  return out;
}

// The blocks of the largest worms of either case.
Reproduction cases(const Settings& settings, bool gathers) {
  Reproduction out;
  for (const uint64_t d : settings.whole("size")) {
    const PositiveTree tree(d);
    Sheet sheet{.title = fmt::format("Largest worms of the {} phases on a ring of {}",
                                     gathers ? "gathering" : "scattering", two_to(d)),
                .columns = {{"phase"}, {"senders"}, {"one of them"}, {"blocks"}}};
    for (uint64_t l = 0; l + 1 < d; ++l) {
      const PositiveTree::Phase& phase = tree.phases()[gathers ? l : 2 * (d - 1) - 1 - l];
      for (size_t above = 0; above < 2; ++above) {
        const PositiveTree::Sent& sent = phase.by_level[above];
        if (sent.blocks == 0) continue;
        Cell blocks(sent.blocks);
        // The sum of case 1 is for those below the next level when gathering, above it when scattering.
        if (l + 2 == d) {
          blocks = blocks.in_print(fmt::format("{}", lemma(d, l, gathers)));
        } else if ((above == 0) == gathers) {
          blocks =
              blocks.in_print(fmt::format("{}", (two_to(d + l) + 3 * two_to(l) - 5 * two_to(2 * l)) / 2));
        } else if (l > 0) {
          blocks = blocks.in_print(fmt::format("{}", 7 * two_to(2 * l - 2)));
        } else if (gathers) {
          blocks = blocks.in_print("2");
        }
        sheet.rows.push_back({phase.name, kLevels[above], sent.sender, blocks});
      }
    }
    out.sheets.push_back(std::move(sheet));
  }
  out.notes.emplace_back(gathers ? "Printed: the proofs of lemmas 2 and 3."
                                 : "Printed: the proofs of lemmas 4 and 5.");
  return out;
}

Reproduction fig13(const Settings& settings) { return cases(settings, true); }
Reproduction fig14(const Settings& settings) { return cases(settings, false); }

constexpr std::array kFour = {4.0};
constexpr std::array kRingParameters = {Parameter{
    .name = "size", .meaning = "d, the ring has 2^d nodes,", .printed = kFour, .least = 3, .most = 9}};

// --- figure 4: both directions with one port --------------------------------------------------------------

std::string worms_of(const RingSchedule& ring, size_t phase, bool up) {
  std::vector<std::string> out;
  for (const RingWorm& worm : ring.phase(phase)) {
    if (worm.up == up) out.push_back(fmt::format("{}>{}", worm.from, worm.to));
  }
  return join(out, " ");
}

Reproduction fig4(const Settings& settings) {
  Reproduction out;
  for (const uint64_t d : settings.whole("size")) {
    const RingSchedule ring = ring_schedule(static_cast<uint32_t>(two_to(d)), {.published = true});
    Sheet sheet{.title = fmt::format("Both directions on a ring of {}", two_to(d)),
                .columns = {{"phase"}, {"largest worm"}, {"positive"}, {"negative"}}};
    const size_t phases = ring.num_phases();
    for (size_t p = 0; p < phases; ++p) {
      const bool gathers = p < phases / 2;
      sheet.rows.push_back({fmt::format("{}_{}", gathers ? "GP" : "SP", gathers ? p : phases - 1 - p),
                            ring.largest(p), worms_of(ring, p, true), worms_of(ring, p, false)});
    }
    const auto node_sends_twice = [&](size_t p) {
      std::set<uint16_t> senders;
      return std::any_of(ring.phase(p).begin(), ring.phase(p).end(),
                         [&](const RingWorm& worm) { return !senders.insert(worm.from).second; });
    };
    uint64_t twice = 0;
    for (size_t p = 0; p < phases; ++p) twice += node_sends_twice(p) ? 1 : 0;
    out.sheets.push_back(std::move(sheet));
    out.sheets.push_back(
        {.title = "One port",
         .columns = {{"phases"}, {"phases in which a node sends twice"}},
         .rows = {{Cell(phases).in_print(fmt::format("{}", 2 * d - 2)), Cell(twice).in_print("0")}}});
  }
  return out;
}

// --- figure 8: rings of any length ------------------------------------------------------------------------

Reproduction fig8(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    uint64_t d = 0;
    while (two_to(d) < n) ++d;
    Sheet sheet{.title = fmt::format("Positive phases on a ring of {}", n),
                .columns = {{"phases"}, {"arcs"}}};
    for (uint64_t l = 0; l + 1 < d; ++l) {
      std::vector<std::string> arcs;
      for (uint64_t v = 0; v < n; v += two_to(l))
        arcs.push_back(fmt::format("{}>{}", v, v + two_to(l) < n ? v + two_to(l) : 0));
      sheet.rows.push_back({fmt::format("GP_{0}, SP_{0}", l), join(arcs, " ")});
    }
    out.sheets.push_back(std::move(sheet));
    const Figures figures =
        judged(problem_on(fmt::format("ring({})", n), CollectiveKind::kAlltoall, one_port_worms()),
               "alltoall_wormhole_t1");
    out.notes.push_back(
        fmt::format("With both directions and one port on the ring of {}: {} start-ups, {} blocks.", n,
                    figures.start_ups, figures.critical_blocks));
  }
  return out;
}

constexpr std::array kTenAndThirteen = {10.0, 13.0};
constexpr std::array kAnyRingParameters = {Parameter{.name = "size",
                                                     .meaning = "n, the nodes of the ring,",
                                                     .printed = kTenAndThirteen,
                                                     .least = 5,
                                                     .most = 200}};

// --- tables 1 and 2: who works in which dimension ---------------------------------------------------------

// In which dimension each class of nodes sends, by runs of steps in which none changes its dimension.
struct Stage {
  uint64_t first = 0;
  uint64_t last = 0;
  std::vector<int> dimension{};  // by class; -1: it sends nothing
};

template <typename ClassOf>
std::vector<Stage> stages_of(const Problem& problem, const std::string& algorithm, size_t classes,
                             ClassOf class_of) {
  const Topology& net = problem.topology();
  std::vector<Stage> out;
  uint64_t number = 0;
  watch(problem, algorithm, [&](const StepView& step) {
    ++number;
    std::vector<int> now(classes, -1);
    for (size_t t = 0; t < step.size(); ++t) {
      const ArcId arc = step.arcs(t).front();
      for (size_t k = 0; k < net.product()->factors.size(); ++k) {
        if (net.product()->coordinate(net.tail(arc), k) != net.product()->coordinate(net.head(arc), k))
          now[class_of(net.tail(arc))] = static_cast<int>(k);
      }
    }
    const auto goes_on = [&](const Stage& stage) {
      for (size_t c = 0; c < classes; ++c) {
        if (now[c] >= 0 && now[c] != stage.dimension[c]) return false;
      }
      return true;
    };
    if (out.empty() || !goes_on(out.back())) out.push_back({number, number, now});
    out.back().last = number;
  });
  return out;
}

std::string stage_word(int dimension) {
  constexpr std::array<std::string_view, 3> kWords = {"X-stage", "Y-stage", "Z-stage"};
  return dimension < 0 ? "-" : std::string(kWords[static_cast<size_t>(dimension)]);
}

// The stages after `preparations` runs, beside what a table prints.
template <size_t kStages, size_t kClasses>
Sheet stage_table(std::string title, const std::vector<Stage>& stages, size_t preparations,
                  const std::array<std::string_view, kClasses>& names,
                  const std::array<std::array<std::string_view, kClasses>, kStages>& printed) {
  Sheet out{.title = std::move(title), .columns = {{"stage"}, {"phases"}}};
  for (const std::string_view name : names) out.columns.push_back({std::string(name)});
  for (size_t s = 0; s < stages.size(); ++s) {
    const Stage& stage = stages[s];
    std::vector<Cell> row{s < preparations ? "preparation" : fmt::format("stage {}", s + 1 - preparations),
                          fmt::format("{} to {}", stage.first, stage.last)};
    for (size_t c = 0; c < kClasses; ++c) {
      const Cell cell(stage_word(stage.dimension[c]));
      row.push_back(s < preparations || s - preparations >= kStages
                        ? cell
                        : cell.in_print(std::string(printed[s - preparations][c])));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Reproduction table1(const Settings& settings) {
  constexpr std::array<std::string_view, 4> kNames = {"P_(0,0)", "P_(1,1)", "P_(0,1)", "P_(1,0)"};
  constexpr std::array<std::array<std::string_view, 4>, 2> kPrinted = {
      {{"X-stage", "X-stage", "Y-stage", "Y-stage"}, {"Y-stage", "Y-stage", "X-stage", "X-stage"}}};
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("torus", n, 2), CollectiveKind::kAlltoall, one_port_worms());
    const ProductStructure& product = *problem.topology().product();
    const std::vector<Stage> stages = stages_of(problem, "alltoall_wormhole_t4", 4, [&](NodeId v) -> size_t {
      const uint32_t x = product.coordinate(v, 0) % 2;
      const uint32_t y = product.coordinate(v, 1) % 2;
      return x == y ? x : 2 + x;
    });
    out.sheets.push_back(stage_table(problem.topology().name(), stages, 2, kNames, kPrinted));
  }
  return out;
}

Reproduction table2(const Settings& settings) {
  constexpr std::array<std::string_view, 4> kNames = {"G_0", "G_1", "G_2", "G_3"};
  constexpr std::array<std::array<std::string_view, 4>, 4> kPrinted = {
      {{"X-stage", "Y-stage", "Z-stage", "-"},
       {"-", "X-stage", "Y-stage", "Z-stage"},
       {"Z-stage", "-", "X-stage", "Y-stage"},
       {"Y-stage", "Z-stage", "-", "X-stage"}}};
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("torus", n, 3), CollectiveKind::kAlltoall, one_port_worms());
    const ProductStructure& product = *problem.topology().product();
    const std::vector<Stage> stages = stages_of(problem, "alltoall_wormhole_c64", 4, [&](NodeId v) -> size_t {
      return (product.coordinate(v, 0) + product.coordinate(v, 1) + product.coordinate(v, 2)) % 4;
    });
    out.sheets.push_back(stage_table(problem.topology().name(), stages, 3, kNames, kPrinted));
  }
  return out;
}

constexpr std::array kSixteen = {16.0};
constexpr std::array kEight = {8.0};
constexpr std::array kPlaneParameters = {Parameter{.name = "size",
                                                   .meaning = "n, the torus is n x n,",
                                                   .printed = kSixteen,
                                                   .least = 8,
                                                   .most = 32,
                                                   .multiple = 2}};
constexpr std::array kSpaceParameters = {Parameter{.name = "size",
                                                   .meaning = "n, the torus is n x n x n,",
                                                   .printed = kEight,
                                                   .least = 8,
                                                   .most = 16,
                                                   .multiple = 4}};
constexpr std::array kEightPlaneParameters = {Parameter{.name = "size",
                                                        .meaning = "n, the torus is n x n,",
                                                        .printed = kEight,
                                                        .least = 8,
                                                        .most = 32,
                                                        .multiple = 2}};

// --- figure 5: four logical tori --------------------------------------------------------------------------

// Nodes that exchange with each other after the preparation, worm by worm.
class Groups {
 public:
  explicit Groups(uint32_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  uint32_t of(uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  // The lower number stands for both.
  void join(uint32_t a, uint32_t b) {
    const uint32_t low = std::min(of(a), of(b));
    const uint32_t high = std::max(of(a), of(b));
    parent_[high] = low;
  }

 private:
  std::vector<uint32_t> parent_;
};

Reproduction fig5(const Settings& settings) {
  Reproduction out;
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("torus", n, 2), CollectiveKind::kAlltoall, one_port_worms());
    const Topology& net = problem.topology();
    Groups groups(net.num_nodes());
    uint64_t number = 0;
    watch(problem, "alltoall_wormhole_t4", [&](const StepView& step) {
      if (++number <= 2) return;
      for (size_t t = 0; t < step.size(); ++t)
        groups.join(static_cast<uint32_t>(index(net.tail(step.arcs(t).front()))),
                    static_cast<uint32_t>(index(net.head(step.arcs(t).back()))));
    });
    Sheet sheet{.title = fmt::format("Logical tori of T4 on {}", net.name()), .columns = {{"x"}}};
    for (uint64_t y = 0; y < n; ++y) sheet.columns.push_back({fmt::format("y = {}", y)});
    for (uint64_t x = 0; x < n; ++x) {
      std::vector<Cell> row{x};
      for (uint64_t y = 0; y < n; ++y) {
        const uint32_t first = groups.of(static_cast<uint32_t>(x * n + y));
        row.push_back(Cell(fmt::format("P_({},{})", first / n, first % n))
                          .in_print(fmt::format("P_({},{})", x % 2, y % 2)));
      }
      sheet.rows.push_back(std::move(row));
    }
    out.sheets.push_back(std::move(sheet));
  }
  return out;
}

// --- figures 6 and 7: links in use, and preparation -------------------------------------------------------

constexpr std::string_view kRingsOfTwo =
    "all links from 12 x 12 x 12 on; on 8 x 8 x 8, below the sizes of theorem 3, logical rings have two nodes and half of "
    "the links rest";

Reproduction fig6(const Settings& settings) {
  Sheet out{.title = "Links in use in a stage of C64, of all links of the torus",
            .columns = {{"n"}, {"stage"}, {"links"}, {"in use"}, {"share"}}};
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("torus", n, 3), CollectiveKind::kAlltoall, one_port_worms());
    const uint64_t phases = *predicted(problem, "alltoall_wormhole_c64").steps;
    std::vector<bool> used(problem.topology().num_arcs());
    uint64_t number = 0;
    watch(problem, "alltoall_wormhole_c64", [&](const StepView& step) {
      if (++number <= 9) return;
      for (const ArcId arc : step.all_arcs) used[index(arc)] = true;
      const uint64_t in_stage = (phases - 9) / 4;
      if ((number - 9) % in_stage != 0) return;
      const auto in_use = static_cast<uint64_t>(std::count(used.begin(), used.end(), true));
      out.rows.push_back({n, (number - 9) / in_stage, used.size(), in_use,
                          Cell(static_cast<double>(in_use) / static_cast<double>(used.size()))
                              .in_print("1.00", kRingsOfTwo)});
      used.assign(used.size(), false);
    });
  }
  return {.sheets = {std::move(out)}};
}

constexpr std::array kEightAndTwelve = {8.0, 12.0};
constexpr std::array kFig6Parameters = {Parameter{.name = "size",
                                                  .meaning = "n, the torus is n x n x n,",
                                                  .printed = kEightAndTwelve,
                                                  .least = 8,
                                                  .most = 16,
                                                  .multiple = 4}};

Reproduction fig7(const Settings& settings) {
  Sheet out{.title = "Preparation of C64: the blocks that each node sends",
            .columns = {{"n"}, {"phase"}, {"blocks"}, {"of n^3/64"}}};
  for (const uint64_t n : settings.whole("size")) {
    const Problem problem =
        problem_on(equal_sides("torus", n, 3), CollectiveKind::kAlltoall, one_port_worms());
    const std::vector<StepSize> steps = judged_steps(problem, "alltoall_wormhole_c64");
    const uint64_t unit = n * n * n / 64;
    constexpr std::array<uint64_t, 3> kPrinted = {48, 32, 16};
    for (size_t p = 0; p < 9; ++p)
      out.rows.push_back({n, p + 1,
                          Cell(steps[p].largest).in_print(fmt::format("{}", kPrinted[p % 3] * unit)),
                          steps[p].largest / unit});
  }
  return {.sheets = {std::move(out)}};
}

constexpr std::string_view kByRule = "the rules of sections 2.2 and 2.3, block by block";
constexpr std::string_view kByPlan = "the judged plan, step by step";

}  // namespace
}  // namespace wormhole_tori_1999_patterns_parts

constinit const Exhibit tori_1999_fig1 = {
    .name = "1999.fig1",
    .paper = "wormhole_tori_1999",
    .item = "Figure 1",
    .title = "the positive gather-scatter tree on a ring of 16",
    .method = wormhole_tori_1999_patterns_parts::kByRule,
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig1,
};

constinit const Exhibit tori_1999_fig2 = {
    .name = "1999.fig2",
    .paper = "wormhole_tori_1999",
    .item = "Figure 2",
    .title = "how far blocks have to go that are sent on in gathering, in two cases",
    .method = wormhole_tori_1999_patterns_parts::kByRule,
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig2,
};

constinit const Exhibit tori_1999_fig3 = {
    .name = "1999.fig3",
    .paper = "wormhole_tori_1999",
    .item = "Figure 3",
    .title = "the ways of the blocks of four nodes",
    .method = wormhole_tori_1999_patterns_parts::kByRule,
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig3,
};

constinit const Exhibit tori_1999_fig4 = {
    .name = "1999.fig4",
    .paper = "wormhole_tori_1999",
    .item = "Figure 4",
    .title = "positive and negative phases together, one port",
    .method = "the ring schedule of alltoall_wormhole_t1",
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig4,
};

constinit const Exhibit tori_1999_fig5 = {
    .name = "1999.fig5",
    .paper = "wormhole_tori_1999",
    .item = "Figure 5",
    .title = "four logical tori in an 8 x 8 torus",
    .method = "who exchanges with whom in the judged plan of T4, after its preparation",
    .parameters = wormhole_tori_1999_patterns_parts::kEightPlaneParameters,
    .make = wormhole_tori_1999_patterns_parts::fig5,
};

constinit const Exhibit tori_1999_table1 = {
    .name = "1999.table1",
    .paper = "wormhole_tori_1999",
    .item = "Table 1",
    .title = "which logical tori of T4 work in which dimension",
    .method = wormhole_tori_1999_patterns_parts::kByPlan,
    .parameters = wormhole_tori_1999_patterns_parts::kPlaneParameters,
    .make = wormhole_tori_1999_patterns_parts::table1,
};

constinit const Exhibit tori_1999_table2 = {
    .name = "1999.table2",
    .paper = "wormhole_tori_1999",
    .item = "Table 2",
    .title = "which groups of C64 work in which dimension",
    .method = wormhole_tori_1999_patterns_parts::kByPlan,
    .parameters = wormhole_tori_1999_patterns_parts::kSpaceParameters,
    .make = wormhole_tori_1999_patterns_parts::table2,
};

constinit const Exhibit tori_1999_fig6 = {
    .name = "1999.fig6",
    .paper = "wormhole_tori_1999",
    .item = "Figure 6",
    .title = "links in use in the stages of C64",
    .method = wormhole_tori_1999_patterns_parts::kByPlan,
    .parameters = wormhole_tori_1999_patterns_parts::kFig6Parameters,
    .make = wormhole_tori_1999_patterns_parts::fig6,
};

constinit const Exhibit tori_1999_fig7 = {
    .name = "1999.fig7",
    .paper = "wormhole_tori_1999",
    .item = "Figure 7",
    .title = "the preparation phases of C64",
    .method = wormhole_tori_1999_patterns_parts::kByPlan,
    .parameters = wormhole_tori_1999_patterns_parts::kSpaceParameters,
    .make = wormhole_tori_1999_patterns_parts::fig7,
};

constinit const Exhibit tori_1999_fig8 = {
    .name = "1999.fig8",
    .paper = "wormhole_tori_1999",
    .item = "Figure 8",
    .title = "gather-scatter trees on rings of 10 and of 13",
    .method = "section 5's rule; the judged plan of T1 on the same ring",
    .parameters = wormhole_tori_1999_patterns_parts::kAnyRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig8,
};

constinit const Exhibit tori_1999_fig13 = {
    .name = "1999.fig13",
    .paper = "wormhole_tori_1999",
    .item = "Figure 13",
    .title = "how many blocks are sent on in gathering, in two cases",
    .method = wormhole_tori_1999_patterns_parts::kByRule,
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig13,
};

constinit const Exhibit tori_1999_fig14 = {
    .name = "1999.fig14",
    .paper = "wormhole_tori_1999",
    .item = "Figure 14",
    .title = "how many blocks are sent on in scattering, in two cases",
    .method = wormhole_tori_1999_patterns_parts::kByRule,
    .parameters = wormhole_tori_1999_patterns_parts::kRingParameters,
    .make = wormhole_tori_1999_patterns_parts::fig14,
};

}  // namespace quadrille::exhibit
