// Tables 3 to 5 and figures 9 to 11 of the 1999 paper: what total exchange of worms costs on tori whose sides are 2^d,
// and how much faster T4 and C64 are than others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "quadrille/algorithms/worm_exchange/hub_exchange.h"
#include "quadrille/algorithms/worm_exchange/worm_torus_family.h"
#include "quadrille/base/check.h"
#include "quadrille/cost/power_of_two_tori.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"
#include "quadrille/verify/verify.h"

namespace quadrille::exhibit {

extern const Exhibit tori_1999_table3;
extern const Exhibit tori_1999_table4;
extern const Exhibit tori_1999_table5;
extern const Exhibit tori_1999_fig9;
extern const Exhibit tori_1999_fig10;
extern const Exhibit tori_1999_fig11;

namespace wormhole_tori_1999_costs_parts {
namespace {

namespace costs = power_of_two_tori;

// An algorithm of the comparison.
struct Compared {
  std::string_view name;
  uint32_t least;  // d
  CostParts (*cost)(uint32_t d);
  /// What the tables print, in words of their formulas.
  double (*printed_start_ups)(double d);
  double (*printed_blocks)(double d);
  /// The card of the house, if there is one.
  std::string_view card = {};
};

double two_to(double exponent) { return std::exp2(exponent); }

constexpr std::array kTwo = {
    Compared{"T-2D1", 4, costs::t2d1, [](double d) { return 3 * (d - 1); },
             [](double d) { return 9 * two_to(3 * d - 4) + (d * d - 5 * d + 3) * two_to(2 * d - 1); }},
    Compared{"T-2D2", 4, costs::t2d2, [](double d) { return 3 * two_to(d - 2); },
             [](double d) { return 3 * two_to(3 * (d - 1)); }, "alltoall_wormhole_t2d2"},
    Compared{"DP-2D", 2, costs::dp2d, [](double d) { return two_to(d - 1) + 2; },
             [](double d) { return two_to(3 * d - 2) + two_to(2 * d); }, "alltoall_wormhole_dp2d"},
    Compared{"T4", 4, costs::t4, [](double d) { return 4 * d - 6; },
             [](double d) {
               const double small = 31.0 / 96 * two_to(3 * d - 1) + 5 * two_to(2 * d - 2);
               if (d < 5) return small + two_to(d + 2) / 3;
               if (d < 7) return small + 5 * two_to(d + 2) / 3;
               return 65.0 / 192 * two_to(3 * d - 1) + two_to(2 * d - 1) + 5 * two_to(d + 2) / 3;
             },
             "alltoall_wormhole_t4"},
};

constexpr std::array kThree = {
    Compared{"T-3D1", 3, costs::t3d1, [](double d) { return 4 * d - 2; },
             [](double d) { return 5 * two_to(4 * d - 2) + (d * d - 3 * d - 2) * two_to(3 * d - 1); }},
    Compared{"T-3D2", 4, costs::t3d2, [](double d) { return 3 * two_to(d - 2) + d; },
             [](double d) { return 3 * two_to(4 * d - 3) + d * two_to(3 * d - 1); }},
    Compared{"DP-3D", 3, costs::dp3d, [](double d) { return two_to(d - 1) + 5; },
             [](double d) { return two_to(4 * d - 2) + 5 * two_to(3 * d - 1); }, "alltoall_wormhole_dp3d"},
    Compared{"C64", 5, costs::c64, [](double d) { return 8 * d - 25; },
             [](double d) {
               const double small = 31.0 / 96 * two_to(4 * d - 1) + 5 * two_to(3 * d);
               if (d < 6) return small + two_to(2 * d + 7) / 3;
               if (d < 8) return small + 5 * two_to(2 * d + 4) / 3;
               return 65.0 / 192 * two_to(4 * d - 1) + 7 * two_to(3 * d - 1) + 5 * two_to(2 * d + 4) / 3;
             },
             "alltoall_wormhole_c64"},
};

// A number as a formula prints it: whole, or with two digits.
std::string in_print(double value) {
  return std::fabs(value - std::round(value)) < 1e-4 ? fmt::format("{:.0f}", value)
                                                     : fmt::format("{:.2f}", value);
}

// --- tables 3 and 4 ---------------------------------------------------------------------------------------

constexpr std::string_view kT4AtFour =
    "T4 at d = 4: the last term must be 2^(d+5)/3, not 2^(d+2)/3, as theorem 2 and figure 10(a) have it";
constexpr std::string_view kC64StartUps = "C64: 8d - 15 by theorem 3; 8d - 25 is printed";

// Plans of so many nodes are made and judged.
constexpr uint64_t kMostJudgedOfTori = 1024;

Judged judged_on(const Compared& algorithm, uint32_t d, size_t dimensions) {
  const Problem problem = problem_on(equal_sides("torus", uint64_t{1} << d, dimensions),
                                     CollectiveKind::kAlltoall, one_port_worms());
  return judged(problem, std::string(algorithm.card));
}

Figures judged_steps_of(const Problem& problem, const HubMember& hubs) {
  Judge judge(problem);
  hub_exchange(problem, hubs, judge);
  const Verdict verdict = judge.finish();
  QUADRILLE_CHECK(verdict.passed(), hubs.name());
  return verdict.figures;
}

// What is built here in the place of T-2D1 and T-3D1: hubs of two classes with rings of 8 among them.
void add_hubs(Sheet& out, uint32_t d, size_t dimensions, double least) {
  if (d < 4 || d > 16) return;
  TorusShape torus;
  torus.sides.assign(dimensions, uint32_t{1} << d);
  HubMember hubs{.apart = uint32_t{1} << (d - 3), .classes = 2, .rings = std::vector<RingRecipe>(dimensions)};
  WormCost cost = hub_exchange_cost(torus, hubs);
  const bool is_judged = (uint64_t{1} << (d * dimensions)) <= kMostJudgedOfTori;
  if (is_judged) {
    const Problem problem = problem_on(equal_sides("torus", torus.sides.front(), dimensions),
                                       CollectiveKind::kAlltoall, one_port_worms());
    const Figures figures = judged_steps_of(problem, hubs);
    cost = {figures.start_ups, figures.critical_blocks};
  }
  out.rows.push_back({d, fmt::format("T-{}D1 by hubs", dimensions), cost.start_ups, cost.blocks,
                      static_cast<double>(cost.blocks) / least, is_judged ? "the judge" : "formula"});
}

template <size_t kCount>
Sheet costs_on(const std::array<Compared, kCount>& all, size_t dimensions,
               std::span<const uint64_t> exponents) {
  Sheet out;
  out.title =
      fmt::format("Total exchange on {}, one port", dimensions == 2 ? "2^d x 2^d" : "2^d x 2^d x 2^d");
  out.columns = {{"d"}, {"algorithm"}, {"start-ups"}, {"blocks"}, {"/ bound"}, {"counted by"}};
  for (const uint64_t each : exponents) {
    const auto d = static_cast<uint32_t>(each);
    const double least =
        static_cast<double>(*costs::bound(d, static_cast<uint32_t>(dimensions)).critical_blocks);
    for (const Compared& algorithm : all) {
      if (d < algorithm.least) continue;
      CostParts cost = algorithm.cost(d);
      Cell counted(*cost.critical_blocks);
      const bool is_judged =
          !algorithm.card.empty() && (uint64_t{1} << (d * dimensions)) <= kMostJudgedOfTori;
      if (is_judged) {
        const Judged figures = judged_on(algorithm, d, dimensions);
        cost = {.start_ups = figures.start_ups, .critical_blocks = figures.critical_blocks};
        counted = figures.blocks_cell();
      }
      const Cell start_ups = Cell(cost.start_ups)
                                 .in_print(in_print(algorithm.printed_start_ups(d)),
                                           algorithm.name == "C64" ? kC64StartUps : "");
      const Cell blocks = counted.in_print(in_print(algorithm.printed_blocks(d)),
                                           algorithm.name == "T4" && d == 4 ? kT4AtFour : "");
      out.rows.push_back({d, algorithm.name, start_ups, blocks,
                          static_cast<double>(*cost.critical_blocks) / least,
                          is_judged ? "the judge" : "formula"});
    }
    add_hubs(out, d, dimensions, least);
    out.rows.push_back({d, "bound", costs::bound(d, static_cast<uint32_t>(dimensions)).start_ups,
                        *costs::bound(d, static_cast<uint32_t>(dimensions)).critical_blocks, 1.0, "formula"});
  }
  return out;
}

constexpr std::array kTable3Sizes = {4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
constexpr std::array kTable4Sizes = {5.0, 6.0, 7.0, 8.0, 9.0};
constexpr std::array kTable3Parameters = {Parameter{.name = "size",
                                                    .meaning = "d, the torus is 2^d x 2^d,",
                                                    .printed = kTable3Sizes,
                                                    .least = 4,
                                                    .most = costs::kMost2d}};
constexpr std::array kTable4Parameters = {Parameter{.name = "size",
                                                    .meaning = "d, the torus is 2^d x 2^d x 2^d,",
                                                    .printed = kTable4Sizes,
                                                    .least = 5,
                                                    .most = costs::kMost3d}};

Reproduction table3(const Settings& settings) {
  return {.sheets = {costs_on(kTwo, 2, settings.whole("size"))}};
}

Reproduction table4(const Settings& settings) {
  return {.sheets = {costs_on(kThree, 3, settings.whole("size"))}};
}

// --- table 5 ----------------------------------------------------------------------------------------------

// How many blocks one takes for each of another.
double block_ratio(const Compared& other, const Compared& ours, uint32_t d) {
  return static_cast<double>(*other.cost(d).critical_blocks) /
         static_cast<double>(*ours.cost(d).critical_blocks);
}

constexpr std::array kTable5Sizes = {10.0, 12.0, 14.0};
constexpr std::array kTable5Parameters = {Parameter{.name = "size",
                                                    .meaning = "d, the sides are 2^d,",
                                                    .printed = kTable5Sizes,
                                                    .least = 5,
                                                    .most = costs::kMost3d}};

template <size_t kCount>
void add_limits(Sheet& out, const std::array<Compared, kCount>& all, std::span<const double> leading,
                std::span<const std::string_view> printed, std::span<const uint64_t> exponents) {
  const Compared& ours = all.back();
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    // Of the lower bound: T4 and C64 tend to 65/48 of it.
    std::vector<Cell> row{fmt::format("{}/{}", all[i].name, ours.name),
                          Cell(leading[i] / (65.0 / 48)).in_print(std::string(printed[i]))};
    for (const uint64_t d : exponents) row.emplace_back(block_ratio(all[i], ours, static_cast<uint32_t>(d)));
    out.rows.push_back(std::move(row));
  }
}

Reproduction table5(const Settings& settings) {
  // The leading coefficients over the bound's: 9 2^(3d-4), 3 2^(3d-3), 2^(3d-2) over 2^(3d-3), and so on.
  constexpr std::array kTwoLeading = {4.5, 3.0, 2.0};
  constexpr std::array kThreeLeading = {10.0, 3.0, 2.0};
  constexpr std::array<std::string_view, 3> kTwoPrinted = {"3.32", "2.22", "1.48"};
  constexpr std::array<std::string_view, 3> kThreePrinted = {"7.38", "2.22", "1.48"};
  const std::vector<uint64_t> exponents = settings.whole("size");
  Sheet out{.title = "Transmission times over those of T4 and C64", .columns = {{"compared"}, {"limit"}}};
  for (const uint64_t d : exponents) out.columns.push_back({fmt::format("d = {}", d)});
  add_limits(out, kTwo, kTwoLeading, kTwoPrinted, exponents);
  add_limits(out, kThree, kThreeLeading, kThreePrinted, exponents);
  return {.sheets = {std::move(out)}};
}

// --- figures 9, 10 and 11 ---------------------------------------------------------------------------------

double time_of(const CostParts& cost, double ratio) {
  return static_cast<double>(cost.start_ups) * ratio + static_cast<double>(*cost.critical_blocks);
}

// What Quadrille's own families take at least.
class Best {
 public:
  Best(uint32_t d, size_t dimensions) {
    if (d >= 32 || uint32_t{1} << d > kLongestWormRing) return;
    TorusShape torus;
    torus.sides.assign(dimensions, uint32_t{1} << d);
    for (const uint32_t classes : classes_on(torus)) add(class_members(torus, classes));
    add(plain_members(torus));
  }
  [[nodiscard]] std::optional<double> time(double ratio) const {
    std::optional<double> out;
    for (const WormCost& cost : costs_) {
      const double time = static_cast<double>(cost.start_ups) * ratio + static_cast<double>(cost.blocks);
      if (!out || time < *out) out = time;
    }
    return out;
  }

 private:
  void add(const std::vector<TorusMember>& members) {
    for (const TorusMember& member : members) costs_.push_back(member.cost);
  }
  std::vector<WormCost> costs_{};
};

// Others over ours at one ratio ts/(b tx), over d.
template <size_t kCount>
Sheet speedups(const std::array<Compared, kCount>& all, double ratio, std::span<const uint64_t> exponents,
               std::span<const Best> best, uint64_t& faster, uint64_t& cases) {
  const Compared& ours = all.back();
  Sheet out{.title = fmt::format("ts/(b tx) = {:.15g}", ratio), .columns = {{"d"}}};
  for (size_t i = 0; i + 1 < kCount; ++i)
    out.columns.push_back({fmt::format("{}/{}", all[i].name, ours.name)});
  out.columns.push_back({fmt::format("Quadrille/{}", ours.name)});
  for (size_t at = 0; at < exponents.size(); ++at) {
    const auto d = static_cast<uint32_t>(exponents[at]);
    std::vector<Cell> row{d};
    const double own = time_of(ours.cost(d), ratio);
    for (size_t i = 0; i + 1 < kCount; ++i) {
      const double speedup = time_of(all[i].cost(d), ratio) / own;
      ++cases;
      if (speedup > 1) ++faster;
      row.emplace_back(speedup);
    }
    const std::optional<double> least = best[at].time(ratio);
    row.push_back(least ? Cell(*least / own) : Cell());
    out.rows.push_back(std::move(row));
  }
  out.curves = {
      .over = 0, .columns = {1, 2, 3, 4}, .x_label = "d", .y_label = fmt::format("time over {}", ours.name)};
  return out;
}

template <size_t kCount>
Reproduction over_sizes(const std::array<Compared, kCount>& all, size_t dimensions,
                        const Settings& settings) {
  const std::vector<uint64_t> exponents = settings.whole("size");
  std::vector<Best> best;
  for (const uint64_t d : exponents) best.emplace_back(static_cast<uint32_t>(d), dimensions);
  Reproduction out;
  uint64_t faster = 0;
  uint64_t cases = 0;
  for (const double ratio : settings.values("ratio"))
    out.sheets.push_back(speedups(all, ratio, exponents, best, faster, cases));
  out.notes.push_back(
      fmt::format("{} is faster in {} of {} cases; Quadrille's column is its cheapest plan by the "
                  "same measure, which its families predict up to sides of {}.",
                  all.back().name, faster, cases, kLongestWormRing));
  return out;
}

constexpr std::array kFig9Ratios = {2500.0, 500.0, 100.0, 1.0};
constexpr std::array kFig11Ratios = {2500.0, 1.0};
constexpr double kMostRatio = 1e12;
constexpr std::array kFig9Parameters = {
    kTable3Parameters[0],
    Parameter{
        .name = "ratio", .meaning = "ts/(b tx)", .printed = kFig9Ratios, .most = kMostRatio, .whole = false}};
constexpr std::array kFig11Parameters = {kTable4Parameters[0], Parameter{.name = "ratio",
                                                                         .meaning = "ts/(b tx)",
                                                                         .printed = kFig11Ratios,
                                                                         .most = kMostRatio,
                                                                         .whole = false}};

Reproduction fig9(const Settings& settings) { return over_sizes(kTwo, 2, settings); }
Reproduction fig11(const Settings& settings) { return over_sizes(kThree, 3, settings); }

constexpr std::array kFig10Sizes = {4.0, 5.0, 6.0};
constexpr std::array kFig10Ratios = {10000.0, 2000.0, 400.0};
constexpr std::array kFig10Bytes = {4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0};
constexpr std::array kFig10Parameters = {
    Parameter{.name = "size",
              .meaning = "d, the torus is 2^d x 2^d,",
              .printed = kFig10Sizes,
              .least = 4,
              .most = costs::kMost2d},
    Parameter{
        .name = "ratio", .meaning = "ts/tx", .printed = kFig10Ratios, .most = kMostRatio, .whole = false},
    Parameter{.name = "bytes",
              .meaning = "b, the bytes of a block,",
              .printed = kFig10Bytes,
              .least = 1,
              .most = 1e12}};

Sheet over_bytes(uint32_t d, const Settings& settings) {
  const Compared& ours = kTwo.back();
  Sheet out{.title = fmt::format("d = {}", d), .columns = {{"b"}}};
  Curves curves{.over = 0, .x_label = "bytes of a block", .y_label = "time over T4", .log_x = true};
  for (size_t i = 0; i + 1 < kTwo.size(); ++i) {
    for (const double ratio : settings.values("ratio")) {
      curves.columns.push_back(out.columns.size());
      out.columns.push_back({fmt::format("{}/T4, {:.15g}", kTwo[i].name, ratio)});
    }
  }
  for (const double bytes : settings.values("bytes")) {
    std::vector<Cell> row{static_cast<uint64_t>(bytes)};
    for (size_t i = 0; i + 1 < kTwo.size(); ++i) {
      for (const double ratio : settings.values("ratio"))
        row.emplace_back(time_of(kTwo[i].cost(d), ratio / bytes) / time_of(ours.cost(d), ratio / bytes));
    }
    out.rows.push_back(std::move(row));
  }
  out.curves = std::move(curves);
  return out;
}

constexpr std::string_view kDpAtSix = "DP-2D/T4 at d = 6: 1.4545 rounds to 1.45";

// What the curves settle at.
Sheet stable(std::span<const uint64_t> exponents) {
  constexpr std::array<std::array<std::string_view, 3>, 3> kPrinted = {
      {{"1.89", "1.33", "1.11"}, {"2.94", "1.81", "1.36"}, {"3.47", "2.05", "1.46"}}};
  Sheet out{.title = "Stable values, for large blocks",
            .columns = {{"d"}, {"T-2D1/T4"}, {"T-2D2/T4"}, {"DP-2D/T4", 4}}};
  for (const uint64_t d : exponents) {
    std::vector<Cell> row{d};
    for (size_t i = 0; i < 3; ++i) {
      const Cell value(block_ratio(kTwo[i], kTwo.back(), static_cast<uint32_t>(d)));
      const bool is_printed = d >= 4 && d <= 6;
      row.push_back(is_printed
                        ? value.in_print(std::string(kPrinted[d - 4][i]), d == 6 && i == 2 ? kDpAtSix : "")
                        : value);
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Reproduction fig10(const Settings& settings) {
  const std::vector<uint64_t> exponents = settings.whole("size");
  Reproduction out;
  for (const uint64_t d : exponents) out.sheets.push_back(over_bytes(static_cast<uint32_t>(d), settings));
  out.sheets.push_back(stable(exponents));
  return out;
}

constexpr std::string_view kByFormula =
    "closed forms; those of DP, T-2D2 and the paper's own algorithms agree with their plans, the others are taken over";

}  // namespace
}  // namespace wormhole_tori_1999_costs_parts

constinit const Exhibit tori_1999_table3 = {
    .name = "1999.table3",
    .paper = "wormhole_tori_1999",
    .item = "Table 3",
    .title = "costs of total exchange on 2^d x 2^d tori",
    .method = "plans of up to 1,024 nodes, judged; closed forms beyond; printed: the paper's formulas at d",
    .parameters = wormhole_tori_1999_costs_parts::kTable3Parameters,
    .make = wormhole_tori_1999_costs_parts::table3,
};

constinit const Exhibit tori_1999_table4 = {
    .name = "1999.table4",
    .paper = "wormhole_tori_1999",
    .item = "Table 4",
    .title = "costs of total exchange on 2^d x 2^d x 2^d tori",
    .method = "closed forms; printed: the paper's formulas at d",
    .parameters = wormhole_tori_1999_costs_parts::kTable4Parameters,
    .make = wormhole_tori_1999_costs_parts::table4,
};

constinit const Exhibit tori_1999_table5 = {
    .name = "1999.table5",
    .paper = "wormhole_tori_1999",
    .item = "Table 5",
    .title = "transmission times of others over those of T4 and C64 in the limit",
    .method = "leading coefficients of the closed forms, and their ratios at finite d",
    .parameters = wormhole_tori_1999_costs_parts::kTable5Parameters,
    .make = wormhole_tori_1999_costs_parts::table5,
};

constinit const Exhibit tori_1999_fig9 = {
    .name = "1999.fig9",
    .paper = "wormhole_tori_1999",
    .item = "Figure 9",
    .title = "speedups of T4 over the size of the torus, at four ratios of start-up to block",
    .method = wormhole_tori_1999_costs_parts::kByFormula,
    .parameters = wormhole_tori_1999_costs_parts::kFig9Parameters,
    .make = wormhole_tori_1999_costs_parts::fig9,
};

constinit const Exhibit tori_1999_fig10 = {
    .name = "1999.fig10",
    .paper = "wormhole_tori_1999",
    .item = "Figure 10",
    .title = "speedups of T4 over the size of blocks, at three ratios of start-up to byte",
    .method = wormhole_tori_1999_costs_parts::kByFormula,
    .parameters = wormhole_tori_1999_costs_parts::kFig10Parameters,
    .make = wormhole_tori_1999_costs_parts::fig10,
};

constinit const Exhibit tori_1999_fig11 = {
    .name = "1999.fig11",
    .paper = "wormhole_tori_1999",
    .item = "Figure 11",
    .title = "speedups of C64 over the size of the torus, at two ratios of start-up to block",
    .method = wormhole_tori_1999_costs_parts::kByFormula,
    .parameters = wormhole_tori_1999_costs_parts::kFig11Parameters,
    .make = wormhole_tori_1999_costs_parts::fig11,
};

}  // namespace quadrille::exhibit
