// Claims of the 2000 paper on broadcasting that a run does not show: what its vectors span, and how the steps
// of several schemes compare over all sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/cost/published_cost.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_mesh_blocks;
extern const Algorithm broadcast_spans;
extern const Algorithm broadcast_wormhole_one_port;
extern const Algorithm broadcast_wormhole_ports;
}  // namespace algorithms

namespace broadcast_tori_2000_test {

Problem broadcast_on(std::string_view spec, Routing routing = Routing::kDimensionOrder) {
  Model model;
  model.switching = Switching::kWormhole;
  model.routing = routing;
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model);
}

std::string torus(uint64_t dimensions, uint64_t n) {
  const std::vector<uint64_t> sides(dimensions, n);
  return fmt::format("torus({})", fmt::join(sides, ","));
}

uint64_t steps_of(const Algorithm& card, std::string_view spec) {
  return card.plan_for(broadcast_on(spec))->prediction().steps.value();
}

// The least s with base^s >= number: ceil(log_base number). Numbers below 2^58.
uint64_t ceil_log(uint64_t base, uint64_t number) {
  uint64_t s = 0;
  for (uint64_t power = 1; power < number; power *= base) ++s;
  return s;
}

// --- section 1 ------------------------------------------------------------------------------------------

// Tsai and McKinley on 2^d x 2^d, and on 2^d x 2^d x z.
uint64_t tsai_mckinley(uint64_t d) { return d; }
uint64_t tsai_mckinley(uint64_t d, uint64_t z) {
  if (z <= 7) return d + 1;
  uint64_t m = 0;
  for (uint64_t reach = 7 * 6; reach < z; reach *= 6) ++m;
  return d + m + 2;
}

TEST(BroadcastClaims, TsaiMcKinleyIsWrittenHereAsOnItsCard) {
  const PublishedCost& card = *published_costs().find("broadcast_tsai_mckinley");
  for (const uint64_t d : {2U, 3U}) {
    EXPECT_EQ(card.cost(broadcast_on(torus(2, 1U << d))).start_ups, tsai_mckinley(d));
    for (const uint64_t z : {3U, 4U, 7U, 8U, 42U, 43U, 252U, 253U}) {
      const std::string spec = fmt::format("torus({0},{0},{1})", 1U << d, z);
      EXPECT_EQ(card.cost(broadcast_on(spec)).start_ups, tsai_mckinley(d, z)) << spec;
    }
  }
}

TEST(BroadcastClaims, Section1EarlierDimensionOrderedScheme) {
  // s steps are log_4 5 times log_5 N or more iff 4^s >= N; in two dimensions N = 4^s.
  for (uint64_t d = 2; d <= 28; ++d) EXPECT_EQ(ceil_log(4, uint64_t{1} << (2 * d)), tsai_mckinley(d));
  // s steps are log_6 7 times log_7 N or more iff 6^s >= N.
  for (uint64_t d = 2; d <= 20; ++d) {
    for (uint64_t z = 2; z <= 12000; ++z)
      EXPECT_LE(ceil_log(6, (uint64_t{1} << (2 * d)) * z), tsai_mckinley(d, z)) << d << ", z = " << z;
  }
  // The factor can be no larger: for z = 7 6^(m+1) they are less than log_6 N + 1.
  for (uint64_t z = 7 * 6; z < uint64_t{1} << 50; z *= 6)
    EXPECT_EQ(ceil_log(6, 16 * z), tsai_mckinley(2, z)) << z;
  // But steps are whole, and the bound of Lemma 1, rounded up, is met: from 4 x 4 to 128 x 128, not at 256.
  for (uint64_t d = 2; d <= 28; ++d)
    EXPECT_EQ(ceil_log(5, uint64_t{1} << (2 * d)) == tsai_mckinley(d), stated(d <= 7)) << d;
  EXPECT_EQ(ceil_log(7, 4 * 4 * 4), tsai_mckinley(2, 4));
}

TEST(BroadcastClaims, Section1DiagonalScheme) {
  // On squares, by the formula of section 3: at most 2 steps from the bound, and 2 at 6 x 6.
  const auto steps = [](uint64_t n) { return 2 * ceil_log(5, n) + 1; };
  for (uint64_t n = 2; n <= 200000; ++n) ASSERT_LE(steps(n), ceil_log(5, n * n) + 2) << n;
  EXPECT_EQ(steps(6), stated(ceil_log(5, 36) + 2));
  for (uint64_t n = 4; n <= 30; ++n) EXPECT_EQ(steps_of(algorithms::broadcast_spans, torus(2, n)), steps(n));
  // Better, and for all sides: at most 1.
  for (uint64_t a = 2; a <= 14; ++a) {
    for (uint64_t b = 2; b <= 14; ++b) {
      const uint64_t blocks = steps_of(algorithms::broadcast_mesh_blocks, fmt::format("torus({},{})", a, b));
      EXPECT_LE(blocks, ceil_log(5, a * b) + 1) << a << " x " << b;
    }
  }
}

// --- section 5 ------------------------------------------------------------------------------------------

using Vector = std::vector<int64_t>;

Vector unit(size_t k, size_t dimension) {
  Vector out(k, 0);
  out[dimension - 1] = 1;
  return out;
}

// The vector of stage i in k dimensions: e_1 + e_(k-i+1), and e_1 in the last.
Vector vector_of_stage(size_t k, size_t i) {
  Vector out = unit(k, 1);
  if (i < k) out[k - i] = 1;
  return out;
}

std::vector<Vector> vectors_up_to(size_t k, size_t stage) {
  std::vector<Vector> out;
  for (size_t i = 1; i <= stage; ++i) out.push_back(vector_of_stage(k, i));
  return out;
}

// Over the rationals, by elimination in whole numbers; `determinant` is that of a square matrix.
size_t rank(std::vector<Vector> rows, int64_t* determinant = nullptr) {
  size_t found = 0;
  int64_t last = 1;
  int64_t sign = 1;
  for (size_t column = 0; column < rows.front().size() && found < rows.size(); ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(found), rows.end(),
                                    [column](const Vector& row) { return row[column] != 0; });
    if (pivot == rows.end()) continue;
    if (&*pivot != &rows[found]) sign = -sign;
    std::swap(*pivot, rows[found]);
    for (size_t r = found + 1; r < rows.size(); ++r) {
      for (size_t c = rows[r].size(); c-- > column;) {
        // Bareiss: the division leaves nothing.
        rows[r][c] = (rows[r][c] * rows[found][column] - rows[r][column] * rows[found][c]) / last;
      }
    }
    last = rows[found][column];
    ++found;
  }
  if (determinant != nullptr) *determinant = found == rows.size() ? sign * last : 0;
  return found;
}

TEST(BroadcastClaims, RankIsThatOfTextbooks) {
  int64_t determinant = 0;
  EXPECT_EQ(rank({{0, 2, 1}, {3, 0, 1}, {1, 1, 1}}, &determinant), 3U);
  EXPECT_EQ(determinant, -1);
  EXPECT_EQ(rank({{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}, &determinant), 2U);
  EXPECT_EQ(determinant, 0);
  EXPECT_EQ(rank({{0, 0, 2}, {0, 0, 3}}), 1U);
}

// All sums of multiples of the vectors modulo n, each as one number.
std::set<uint64_t> span_modulo(uint64_t n, size_t k, const std::vector<Vector>& vectors) {
  std::set<Vector> out{Vector(k, 0)};
  for (const Vector& v : vectors) {
    std::set<Vector> more;
    for (Vector x : out) {
      for (uint64_t j = 0; j < n; ++j) {
        more.insert(x);
        for (size_t d = 0; d < k; ++d) x[d] = (x[d] + v[d]) % static_cast<int64_t>(n);
      }
    }
    out = more;
  }
  std::set<uint64_t> numbers;
  for (const Vector& x : out) {
    uint64_t number = 0;
    for (const int64_t c : x) number = number * n + static_cast<uint64_t>(c);
    numbers.insert(number);
  }
  return numbers;
}

uint64_t power(uint64_t base, size_t exponent) {
  uint64_t out = 1;
  for (size_t i = 0; i < exponent; ++i) out *= base;
  return out;
}

// Small tori: k dimensions of n nodes.
struct Size {
  size_t k;
  uint64_t n;
};
constexpr Size kSizes[] = {{1, 6}, {2, 4}, {2, 6}, {2, 9}, {3, 4}, {3, 5},
                           {3, 6}, {4, 3}, {4, 4}, {5, 3}, {6, 2}};

TEST(BroadcastClaims, Lemma3) {
  for (size_t k = 1; k <= 9; ++k) {
    for (size_t i = 0; i < k; ++i) {
      for (size_t j = 1; j <= k; ++j) {
        std::vector<Vector> vectors = vectors_up_to(k, i);
        vectors.push_back(unit(k, j));
        EXPECT_EQ(rank(vectors), stated(i + 1)) << k << " dimensions, " << i << " vectors and e_" << j;
      }
    }
    // After the last stage the vectors are a basis, and nothing can be added.
    std::vector<Vector> all = vectors_up_to(k, k);
    all.push_back(unit(k, k));
    EXPECT_EQ(rank(all), k);
  }
  // Modulo n, which the routing needs: no line along a dimension meets U_i, i < k, twice.
  for (const auto& [k, n] : kSizes) {
    for (size_t i = 0; i < k; ++i) {
      const std::set<uint64_t> span = span_modulo(n, k, vectors_up_to(k, i));
      for (size_t j = 1; j <= k; ++j) {
        for (uint64_t hops = 1; hops < n; ++hops)
          EXPECT_FALSE(span.contains(hops * power(n, k - j))) << k << ", " << n << ": " << hops << " e_" << j;
      }
    }
  }
}

TEST(BroadcastClaims, Lemma4) {
  for (size_t k = 1; k <= 9; ++k) {
    for (size_t i = 1; i <= k; ++i) EXPECT_EQ(rank(vectors_up_to(k, i)), i);
    int64_t determinant = 0;
    rank(vectors_up_to(k, k), &determinant);
    EXPECT_EQ(determinant * determinant, stated(1)) << k;
  }
  // Modulo n, too, whatever n is.
  for (const auto& [k, n] : kSizes) {
    for (size_t i = 1; i <= k; ++i)
      EXPECT_EQ(span_modulo(n, k, vectors_up_to(k, i)).size(), power(n, i)) << k << ", " << n;
  }
}

// The vectors are those of the schedule: after its stage i all of U_i is informed.
TEST(BroadcastClaims, Lemma4OfTheSchedule) {
  for (const auto& [k, n] :
       {Size{2, 5}, Size{2, 12}, Size{3, 4}, Size{3, 8}, Size{4, 5}, Size{5, 3}, Size{6, 2}}) {
    const Problem problem = broadcast_on(torus(k, n));
    Plan plan;
    algorithms::broadcast_spans.plan_for(problem)->generate(plan);
    std::set<uint64_t> informed{0};
    size_t step = 0;
    for (size_t i = 1; i <= k; ++i) {
      const size_t steps = ceil_log(2 * k + 1, n) + (i < k && n >= 4 ? 1 : 0);
      for (size_t s = 0; s < steps; ++s, ++step) {
        const StepView view = plan.step(step);
        for (size_t t = 0; t < view.size(); ++t)
          informed.insert(index(problem.topology().head(view.arcs(t).back())));
      }
      const std::set<uint64_t> span = span_modulo(n, k, vectors_up_to(k, i));
      EXPECT_TRUE(std::ranges::includes(informed, span)) << problem.title() << ", stage " << i;
    }
    EXPECT_EQ(step, plan.num_steps());
  }
}

TEST(BroadcastClaims, Section3Stage12) {
  for (uint64_t n = 4; n <= 30; ++n) {
    const Problem problem = broadcast_on(torus(2, n));
    const Topology& net = problem.topology();
    const ProductStructure& product = *net.product();
    Plan plan;
    algorithms::broadcast_spans.plan_for(problem)->generate(plan);
    const size_t aligning = ceil_log(5, n);
    std::set<NodeId> informed{NodeId{0}};
    for (size_t s = 0; s <= aligning; ++s) {
      const StepView step = plan.step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const NodeId from = net.tail(step.arcs(t).front());
        const NodeId to = net.head(step.arcs(t).back());
        informed.insert(to);
        if (s == aligning) {
          // Along the first dimension, to the node of the row where both coordinates are equal.
          EXPECT_EQ(product.coordinate(from, 1), stated(product.coordinate(to, 1))) << n;
          EXPECT_EQ(product.coordinate(to, 0), stated(product.coordinate(to, 1))) << n;
        }
      }
      // Not earlier: after stage 1.1 every row has an informed node, but not on the diagonal.
      bool diagonal = true;
      std::set<uint32_t> rows;
      for (const NodeId node : informed) rows.insert(product.coordinate(node, 1));
      for (uint32_t j = 0; j < n; ++j)
        diagonal = diagonal && informed.contains(NodeId{static_cast<uint32_t>(j * n + j)});
      EXPECT_EQ(diagonal, stated(s == aligning)) << n << ", step " << s + 1;
      if (s + 1 >= aligning) {
        EXPECT_EQ(rows.size(), stated(n));
      }
    }
  }
}

// --- section 6 ------------------------------------------------------------------------------------------

// Theorem 2 in three dimensions.
uint64_t this_scheme(uint64_t n) { return n < 4 ? 3 : 3 * ceil_log(7, n) + 2; }

TEST(BroadcastClaims, Figure8) {
  for (uint64_t n = 2; n <= 12; ++n)
    EXPECT_EQ(this_scheme(n), steps_of(algorithms::broadcast_spans, torus(3, n))) << n;
  // Park and others: sides 7^p, 3p steps, which is the bound; this scheme takes 2 more.
  for (uint64_t p = 1, n = 7; p <= 6; ++p, n *= 7) {
    EXPECT_EQ(ceil_log(7, n * n * n), stated(3 * p));
    EXPECT_EQ(this_scheme(n), 3 * p + 2);
  }
  EXPECT_EQ(
      published_costs().find("broadcast_park")->cost(broadcast_on("torus(7,7,7)", Routing::kAny)).start_ups,
      3U);
  // Tsai and McKinley: sides 2^d.
  const std::vector<std::pair<uint64_t, uint64_t>> steps = {
      {3, 5},   {5, 8},   {6, 8},   {7, 8},   {9, 11},  {10, 11}, {12, 11},  // 4 to 256
      {13, 14}, {14, 14}, {16, 14}, {17, 17}, {18, 17}, {20, 17}};           // 512 to 16384
  for (uint64_t d = 2; d < 15; ++d) {
    EXPECT_EQ(tsai_mckinley(d, uint64_t{1} << d), steps[d - 2].first) << d;
    EXPECT_EQ(this_scheme(uint64_t{1} << d), steps[d - 2].second) << d;
  }
  // Theirs is better below 256 and once more at 512; from 8192 on it is worse.
  for (uint64_t d = 2; d <= 45; ++d) {
    const uint64_t theirs = tsai_mckinley(d, uint64_t{1} << d);
    const uint64_t ours = this_scheme(uint64_t{1} << d);
    EXPECT_EQ(theirs < ours, d < 8 || d == 9) << d;
    EXPECT_EQ(theirs > ours, d == 8 || d == 11 || d >= 13) << d;
  }
}

// What the judge measures.
uint64_t steps_with_ports(const std::string& spec, uint32_t count) {
  Model model = broadcast_on(spec).model();
  model.send = model.receive = Ports{count};
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model);
  const Algorithm& card =
      count == 1 ? algorithms::broadcast_wormhole_one_port : algorithms::broadcast_wormhole_ports;
  return judged_steps(card, problem);
}

TEST(BroadcastClaims, Section6AnyNumberOfPorts) {
  for (uint64_t n = 3; n <= 40; ++n) {
    for (uint32_t count = 1; count <= 3; ++count) {
      const bool one_more = count == 3 && (n == 7 || (n >= 13 && n <= 15) || (n >= 26 && n <= 31));
      EXPECT_EQ(steps_with_ports(torus(2, n), count), stated(ceil_log(count + 1, n * n) + (one_more ? 1 : 0)))
          << n << ", " << count << " ports";
    }
  }
  for (uint64_t n = 3; n <= 8; ++n) {
    for (uint32_t count = 1; count <= 5; ++count)
      EXPECT_LE(steps_with_ports(torus(3, n), count), ceil_log(count + 1, n * n * n) + (count > 1 ? 1 : 0))
          << n;
  }
}

}  // namespace broadcast_tori_2000_test
}  // namespace quadrille
