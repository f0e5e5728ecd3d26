// Figure 12 of the 1999 paper: what phases of a gather-scatter tree do to each other without a common clock.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/compile/compile.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/judged.h"

namespace quadrille::exhibit {

extern const Exhibit tori_1999_fig12;

namespace wormhole_tori_1999_synchronisation_parts {
namespace {

constexpr std::string_view kT1 = "alltoall_wormhole_t1:published";

// GP_0 .. GP_(d-2), then SP_(d-2) .. SP_0.
std::string phase(uint64_t step, uint64_t d) {
  return step + 2 <= d ? fmt::format("GP_{}", step) : fmt::format("SP_{}", 2 * d - 3 - step);
}

// A worm of a step, and all worms that are over for certain when it sets out: those of which its sender knows, by what
// it has sent and received before.
struct Worm {
  uint64_t step = 0;
  uint64_t from = 0;
  uint64_t to = 0;
  std::vector<ArcId> path{};
  std::set<size_t> over{};
};

std::vector<Worm> worms_of(const Schedule& schedule) {
  const Topology& net = schedule.problem().topology();
  std::vector<Worm> out;
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      Worm worm{.step = s};
      worm.path.assign(step.arcs(t).begin(), step.arcs(t).end());
      worm.from = index(net.tail(worm.path.front()));
      worm.to = index(net.head(worm.path.back()));
      for (size_t before = 0; before < out.size() && out[before].step < s; ++before) {
        if (out[before].from != worm.from && out[before].to != worm.from) continue;
        worm.over.insert(before);
        worm.over.insert(out[before].over.begin(), out[before].over.end());
      }
      std::sort(worm.path.begin(), worm.path.end());
      out.push_back(std::move(worm));
    }
  }
  return out;
}

bool share_a_link(const Worm& a, const Worm& b) {
  std::vector<ArcId> both;
  std::set_intersection(a.path.begin(), a.path.end(), b.path.begin(), b.path.end(), std::back_inserter(both));
  return !both.empty();
}

// Positive worms that set out from the first quarter of the ring, and the earlier ones that may still be in their way.
Sheet meetings(const std::vector<Worm>& worms, uint64_t d, bool is_printed) {
  const uint64_t n = uint64_t{1} << d;
  const auto name = [&](const Worm& worm) {
    return fmt::format("{}>{} in {}", worm.from, worm.to, phase(worm.step, d));
  };
  Sheet out{.title = fmt::format("Ring of {}: positive worms that may set out too early", n),
            .columns = {{"worm"}, {"may meet, of the two phases before"}, {"of earlier phases"}}};
  for (const Worm& worm : worms) {
    const bool is_positive = (worm.to + n - worm.from) % n < n / 2;
    if (!is_positive || worm.from >= n / 4) continue;
    std::vector<std::string> late;
    std::vector<std::string> later;
    for (size_t i = 0; i < worms.size() && worms[i].step < worm.step; ++i) {
      if (worm.over.contains(i) || !share_a_link(worm, worms[i])) continue;
      (worms[i].step + 2 < worm.step ? later : late).push_back(name(worms[i]));
    }
    if (late.empty() && later.empty()) continue;
    Cell cell(join(late, ", "));
    const bool is_the_papers = is_printed && d == 4 && worm.from == 2 && phase(worm.step, d) == "SP_1";
    if (is_the_papers) cell = cell.in_print("0>4 in GP_2, 0>4 in SP_2");
    out.rows.push_back({name(worm), cell, join(later, ", ")});
  }
  return out;
}

Reproduction fig12(const Settings& settings) {
  Reproduction out;
  Sheet cures{
      .title = "What keeps the phases apart, on links",
      .columns = {{"d"}, {"boundaries"}, {"barriers"}, {"signals"}, {"times of signalling"}, {"priorities"}}};
  for (const uint64_t d : settings.whole("size")) {
    Wishes wishes;
    wishes.algorithm = kT1;
    const Compiled made = compile(
        problem_on(fmt::format("ring({})", uint64_t{1} << d), CollectiveKind::kAlltoall, one_port_worms()),
        wishes);
    QUADRILLE_CHECK(made.schedule.has_value(), kT1);
    out.sheets.push_back(meetings(worms_of(*made.schedule), d, settings.as_printed()));
    const Synchronisation sync = synchronise(*made.schedule, {.ports = false});
    std::set<uint32_t> times;
    for (const Signal& signal : sync.signals) times.insert(signal.before_step);
    const std::string needed = fmt::format("{}", 2 * d - 5);
    cures.rows.push_back({d,
                          Cell(made.schedule->plan().num_steps() - 1).in_print(fmt::format("{}", 2 * d - 3)),
                          Cell(sync.barriers.size()).in_print(needed), sync.signals.size(),
                          Cell(times.size()).in_print(needed), sync.priority_levels});
  }
  out.sheets.push_back(std::move(cures));
  out.notes = {
      "A node sets out as soon as its own work is done. That an earlier worm is over it knows only if it sent or "
      "received it, or heard from somebody who knew."};
  return out;
}

constexpr std::array kFour = {4.0};
constexpr std::array kParameters = {Parameter{
    .name = "size", .meaning = "d, the ring has 2^d nodes,", .printed = kFour, .least = 3, .most = 7}};

}  // namespace
}  // namespace wormhole_tori_1999_synchronisation_parts

constinit const Exhibit tori_1999_fig12 = {
    .name = "1999.fig12",
    .paper = "wormhole_tori_1999",
    .item = "Figure 12",
    .title = "phases that overlap without synchronisation",
    .method = "the judged plan of T1, one port, and the synchronisation found for it",
    .parameters = wormhole_tori_1999_synchronisation_parts::kParameters,
    .make = wormhole_tori_1999_synchronisation_parts::fig12,
};

}  // namespace quadrille::exhibit
