// The page docs/wormhole_front.md: what the fronts of short rings and lines are, recomputed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithms/worm_exchange/found_worms.h"
#include "quadrille/algorithms/worm_exchange/reference_fronts.test.h"
#include "quadrille/base/files.h"
#include "quadrille/compile/choice.h"
#include "quadrille/testing/golden_file.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace wormhole_front_test {

using Was = ReferenceFront;

const std::vector<Was>& line_table() {
  static const std::vector<Was> table = {
      {4, {{3, 7}}},
      {6, {{4, 15}}},
      {8, {{5, 25}}},
      {12, {{7, 53}}},
      {16, {{7, 107}, {9, 93}}},
      {32, {{9, 459}, {11, 395}, {17, 345}}},
  };
  return table;
}

uint64_t divided_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Each node sends at most once a phase: at most C(S,h) blocks of a source arrive with h hops.
uint64_t least_hops(uint32_t n, uint64_t start_ups) {
  uint64_t left = n - 1;
  uint64_t hops = 0;
  uint64_t ways = 1;
  for (uint64_t h = 1; h <= start_ups && left > 0; ++h) {
    ways = ways * (start_ups - h + 1) / h;
    hops += h * std::min(left, ways);
    left -= std::min(left, ways);
  }
  return hops;
}

uint64_t at_least(bool line, uint32_t n, uint64_t start_ups) {
  const uint64_t halves = uint64_t{n} * n / 4;
  return std::max(line ? halves : divided_up(halves, 2), least_hops(n, start_ups));
}

std::string row(bool line, uint32_t n, uint64_t start_ups, std::optional<uint64_t> was, uint64_t now) {
  const uint64_t bound = at_least(line, n, start_ups);
  std::string verdict;
  if (was && now < *was) verdict = "better";
  if (now == bound) verdict += verdict.empty() ? "best possible" : ", best possible";
  return fmt::format("| {} {} | {} | {} | {} | {} | {} |\n", line ? "line" : "ring", n, start_ups,
                     was ? fmt::format("{}", *was) : "", now, bound, verdict);
}

// What the program reaches, whichever card does.
std::vector<FoundCost> front_of(bool line, uint32_t n) {
  Model model;
  model.switching = Switching::kWormhole;
  model.send = model.receive = kOnePort;
  const Topology topology = parse_topology(fmt::format("{}({})", line ? "line" : "ring", n));
  std::vector<FoundCost> out;
  for (const Choice& choice : pareto_front(standard_problem(topology, CollectiveKind::kAlltoall, model)))
    out.push_back({static_cast<uint32_t>(*choice.prediction.start_ups),
                   static_cast<uint32_t>(*choice.prediction.critical_blocks)});
  return out;
}

// Rows of one length: the start-ups of all that was, and of all that was found.
std::string rows(bool line, uint32_t n, const std::vector<FoundCost>& was) {
  std::vector<uint64_t> start_ups;
  for (const FoundCost& cost : was) start_ups.push_back(cost.start_ups);
  for (const FoundCost& cost : line ? found_line_costs(n) : found_ring_costs(n))
    start_ups.push_back(cost.start_ups);
  std::sort(start_ups.begin(), start_ups.end());
  start_ups.erase(std::unique(start_ups.begin(), start_ups.end()), start_ups.end());
  const std::vector<FoundCost> now = front_of(line, n);
  std::string out;
  for (const uint64_t s : start_ups) {
    const auto best = [s](const std::vector<FoundCost>& front) {
      std::optional<uint64_t> blocks;
      for (const FoundCost& cost : front) {
        if (cost.start_ups <= s && (!blocks || cost.blocks < *blocks)) blocks = cost.blocks;
      }
      return blocks;
    };
    const std::optional<uint64_t> before = best(was);
    const uint64_t after = best(now).value_or(UINT64_MAX);
    EXPECT_LE(after, before.value_or(UINT64_MAX)) << (line ? "line " : "ring ") << n << ", " << s;
    out += row(line, n, s, before, after);
  }
  return out;
}

std::vector<FoundCost> was_of(const std::vector<Was>& table, uint32_t n) {
  const auto found =
      std::find_if(table.begin(), table.end(), [n](const Was& entry) { return entry.length == n; });
  return found == table.end() ? std::vector<FoundCost>{} : found->front;
}

std::vector<uint32_t> all_lengths(const std::vector<Was>& table, std::vector<uint32_t> lengths) {
  for (const Was& entry : table) lengths.push_back(entry.length);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::string page_table() {
  std::string out = "| | start-ups | blocks, was | now | at least | |\n|---|--:|--:|--:|--:|---|\n";
  for (const uint32_t n : all_lengths(reference_ring_fronts(), found_ring_lengths())) {
    out += rows(false, n, was_of(reference_ring_fronts(), n));
  }
  for (const uint32_t n : all_lengths(line_table(), found_line_lengths()))
    out += rows(true, n, was_of(line_table(), n));
  return out;
}

TEST(WormFront, ThePageSaysWhatIsReached) {
  const std::string path = "docs/wormhole_front.md";
  const std::string page = read_file(source_path(path));
  const std::string begin = "<!-- table -->\n";
  const size_t from = page.find(begin);
  const size_t to = page.find("<!-- end of table -->");
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  expect_golden(path, page.substr(0, from + begin.size()) + page_table() + page.substr(to));
}

TEST(WormFront, NothingBeatsTheBoundOfHops) {
  for (const uint32_t n : found_ring_lengths()) {
    for (const FoundCost& cost : found_ring_costs(n))
      EXPECT_GE(cost.blocks, at_least(false, n, cost.start_ups)) << n << " nodes";
  }
  for (const uint32_t n : found_line_lengths()) {
    for (const FoundCost& cost : found_line_costs(n))
      EXPECT_GE(cost.blocks, at_least(true, n, cost.start_ups)) << n << " nodes";
  }
  // As many start-ups as a doubling needs: every worm carries n/2.
  EXPECT_EQ(least_hops(8, 3), 12U);
  EXPECT_EQ(least_hops(16, 4), 32U);
}

}  // namespace wormhole_front_test
}  // namespace quadrille
