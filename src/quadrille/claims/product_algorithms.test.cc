// Algorithms A1 to A3 of the 1996 dissertation (sections 5.3 and 5.4) and the 1998 paper, as printed and as they
// must be.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/algorithms/products/algorithm_a1.h"
#include "quadrille/algorithms/products/algorithm_a3.h"
#include "quadrille/algorithms/products/two_factors.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_matchings;
extern const Algorithm alltoall_product;
extern const Algorithm alltoall_product_a1;
extern const Algorithm alltoall_product_a1_parallel;
extern const Algorithm alltoall_product_a3;
extern const Algorithm alltoall_product_rounds;
extern const Algorithm alltoall_torus;
}  // namespace algorithms

namespace product_algorithms_test {

Problem alltoall_on(std::string_view spec, uint32_t count) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, ports(count));
}

template <typename Algorithm>
Plan made(const Algorithm& algorithm) {
  Plan plan;
  algorithm.generate(plan);
  return plan;
}

// How many messages a plan that is right in all else does not deliver.
uint64_t lost(const Problem& problem, Plan plan) {
  const Verdict verdict = verify(problem, std::move(plan)).verdict;
  for (const Finding& finding : verdict.findings) EXPECT_EQ(finding.rule, "delivered") << to_text(finding);
  return verdict.total_findings;
}

uint64_t lost_by_a1(std::string_view spec, Print print) {
  const Problem problem = alltoall_on(spec, 1);
  return lost(problem, made(AlgorithmA1(problem, factor_candidates(), CopiesOfB::kOneAfterAnother, print)));
}

uint64_t lost_by_a3(std::string_view spec, Print print) {
  const Problem problem = alltoall_on(spec, 0);
  return lost(problem, made(AlgorithmA3(problem, factor_candidates(), print)));
}

TEST(ProductClaims, algorithm_a1_as_printed_loses_messages_and_corrected_none) {
  // The smallest products: with a single copy of A there is nothing to transfer.
  EXPECT_EQ(lost_by_a1("mesh(1,1)", Print::kAsPrinted), 0U);
  EXPECT_EQ(lost_by_a1("mesh(2,1)", Print::kAsPrinted), 0U);
  EXPECT_EQ(lost_by_a1("mesh(1,2)", Print::kAsPrinted), stated(1U)) << "of 2";
  EXPECT_EQ(lost_by_a1("mesh(2,2)", Print::kAsPrinted), stated(4U)) << "of 12";
  for (const char* spec : {"mesh(1,2)", "mesh(2,2)", "mesh(3,5)", "torus(4,3)", "torus(3,4)", "mesh(2,3,4)",
                           "product(star(3),ring(4))", "product(generalized_petersen(5,2),line(2))"})
    EXPECT_EQ(lost_by_a1(spec, Print::kCorrected), 0U) << spec;
}

// Lines 1 to 4 in all copies of B at once save what all but one of them take.
TEST(ProductClaims, algorithm_a1_in_parallel_is_a_total_exchange_and_shorter) {
  for (const char* spec : {"mesh(2,2)", "mesh(3,5)", "torus(4,3)", "torus(3,4)", "mesh(2,3,4)",
                           "product(star(3),ring(4))", "product(generalized_petersen(5,2),line(2))"}) {
    for (const uint32_t count : {1U, 0U}) {
      const Problem problem = alltoall_on(spec, count);
      const uint64_t one_by_one = judged_steps(algorithms::alltoall_product_a1, problem);
      const uint64_t at_once = judged_steps(algorithms::alltoall_product_a1_parallel, problem);
      EXPECT_EQ(at_once < one_by_one, stated(true)) << spec;
      // Row by row instead of column by column it is A2, which never takes more.
      if (count == 1) {
        EXPECT_LE(judged_steps(algorithms::alltoall_product, problem), at_once) << spec;
      }
    }
  }
}

// A2 as in figure 5.3, with the exchanges of A and B that are given.
Plan algorithm_a2(const TwoFactors& net, const Plan& in_a, const Plan& in_b) {
  Plan plan;
  const auto run = [&](const Plan& exchange, uint32_t nodes, const auto& add) {
    for (size_t s = 0; s < exchange.num_steps(); ++s) {
      StepBuilder step;
      const StepView view = exchange.step(s);
      for (size_t t = 0; t < view.size(); ++t) {
        const auto block = static_cast<uint32_t>(index(view.blocks(t)[0]));
        add(step, view.arcs(t)[0], block / nodes, block % nodes);
      }
      step.flush(plan);
    }
  };
  for (uint32_t r = 0; r < net.n1(); ++r) {  // (i,j) sends to (i,l) its message for (r,l)
    run(in_b, net.n2(), [&](StepBuilder& step, ArcId arc, uint32_t j, uint32_t l) {
      for (uint32_t i = 0; i < net.n1(); ++i)
        step.add(net.arc_in_b(arc, i), BlockId{net.block(i, j, r, l, 1)});
    });
  }
  for (uint32_t k = 0; k < net.n2(); ++k) {  // (i,j) sends to (l,j) the message of (i,k) for it
    run(in_a, net.n1(), [&](StepBuilder& step, ArcId arc, uint32_t i, uint32_t l) {
      for (uint32_t j = 0; j < net.n2(); ++j)
        step.add(net.arc_in_a(arc, j), BlockId{net.block(i, k, l, j, 1)});
    });
  }
  return plan;
}

TEST(ProductClaims, a2_is_optimal_where_its_factors_meet_their_bound_exactly_but_not_where_they_round_it_up) {
  // H with an exchange by the given card; the steps of H and of H x H.
  const auto on_square = [](const std::string& factor, const Algorithm& card) {
    const Problem one = alltoall_on(factor, 1);
    Plan exchange;
    cheapest(card.prepare(one).plans)->generate(exchange);
    const Problem square = alltoall_on("product(" + factor + "," + factor + ")", 1);
    Plan plan = algorithm_a2(TwoFactors(square.topology(), 1), exchange, exchange);
    const std::pair steps(exchange.num_steps(), plan.num_steps());
    EXPECT_EQ(lost(square, std::move(plan)), 0U) << factor;
    return steps;
  };
  const auto bound = [](const std::string& spec) { return best_bound(alltoall_on(spec, 1)).value; };
  for (const char* factor : {"ring(5)", "star(3)", "complete(4)"}) {
    const auto [once, squared] = on_square(factor, algorithms::alltoall_cayley);
    const std::string square = std::string("product(") + factor + "," + factor + ")";
    EXPECT_EQ(Rational(static_cast<int64_t>(once)), bound(factor)) << factor;
    EXPECT_EQ(Rational(static_cast<int64_t>(stated(squared))), bound(square)) << factor;
  }
  // K_4 without a link: 4 steps, where the average status is 7/2; 4 * 4 + 4 * 4 on the square, where it is 28.
  const std::string factor = "edges(\"a b, b c, c d, d a, a c\")";
  const auto [once, squared] = on_square(factor, algorithms::alltoall_matchings);
  EXPECT_EQ(bound(factor), Rational::of(7, 2));
  EXPECT_EQ(once, stated(4U));
  EXPECT_EQ(bound("product(" + factor + "," + factor + ")"), Rational(28));
  EXPECT_EQ(squared, stated(32U));
}

using Message = std::pair<uint32_t, uint32_t>;  // from node, to node

// On complete graphs an exchange is one step: what every node gets over the links of B in each round of A3.
std::vector<std::map<uint32_t, std::set<Message>>> received_in_b(uint32_t n) {
  const std::string spec = "generalized_hypercube(" + std::to_string(n) + "," + std::to_string(n) + ")";
  const Problem problem = alltoall_on(spec, 0);
  const Plan plan = made(AlgorithmA3(problem, factor_candidates()));
  EXPECT_EQ(lost(problem, plan), 0U) << spec;
  EXPECT_EQ(plan.num_steps(), n) << spec;
  std::vector<std::map<uint32_t, std::set<Message>>> rounds(n);
  for (size_t r = 0; r < plan.num_steps(); ++r) {
    const StepView step = plan.step(r);
    for (size_t t = 0; t < step.size(); ++t) {
      const auto tail = static_cast<uint32_t>(index(problem.topology().tail(step.arcs(t)[0])));
      const auto head = static_cast<uint32_t>(index(problem.topology().head(step.arcs(t)[0])));
      if (tail / n != head / n) continue;  // a link of A
      const auto block = static_cast<uint32_t>(index(step.blocks(t)[0]));
      rounds[r][head].insert({block / (n * n), block % (n * n)});
    }
  }
  return rounds;
}

TEST(ProductClaims, the_batches_of_b_are_turned_by_one_less_than_the_round) {
  for (uint32_t n = 2; n <= 6; ++n) {
    const auto rounds = received_in_b(n);
    for (uint32_t r = 1; r < n; ++r) {
      std::map<uint32_t, std::set<Message>> formula;      // (5.3)
      std::map<uint32_t, std::set<Message>> in_the_text;  // left-rotated by r positions
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
          for (uint32_t l = 1; l < n; ++l) {
            const uint32_t to = (j + l) % n;
            const auto send = [&](auto& sets, uint32_t f) {
              sets[i * n + to].insert({i * n + j, (i + f) % n * n + to});
            };
            send(formula, (r - 1 + l - 1) % (n - 1) + 1);
            send(in_the_text, (r + l - 1) % (n - 1) + 1);
          }
        }
      }
      EXPECT_EQ(rounds[r - 1] == formula, stated(true)) << n << ", round " << r;
      if (n > 2) {
        EXPECT_NE(rounds[r - 1], in_the_text) << n << ", round " << r;  // smallest: n = 3, in the first round
      }
    }
  }
}

TEST(ProductClaims, what_a_node_receives_in_a_round_is_not_what_the_formula_prints) {
  for (uint32_t n = 2; n <= 6; ++n) {
    const auto rounds = received_in_b(n);
    for (uint32_t r = 1; r < n; ++r) {
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
          std::set<Message> printed;
          std::set<Message> corrected;
          std::set<uint32_t> rows;
          for (uint32_t l = 1; l < n; ++l) {
            const uint32_t f = (r - 1 + l - 1) % (n - 1) + 1;
            printed.insert({i * n + j, (i + l) % n * n + (j + f) % n});
            corrected.insert({i * n + (j + n - l) % n, (i + f) % n * n + j});
          }
          const std::set<Message>& received = rounds[r - 1].at(i * n + j);
          EXPECT_EQ(received == corrected, stated(true)) << n << ", round " << r;
          EXPECT_NE(received, printed) << n << ", round " << r;  // the smallest has n = 2
          // One for every other node of the copy of A, as the text goes on to say.
          for (const auto& [from, to] : received) {
            EXPECT_EQ(to % n, j);
            rows.insert(to / n);
          }
          EXPECT_EQ(rows.size(), n - 1);
          EXPECT_FALSE(rows.contains(i));
        }
      }
    }
  }
}

TEST(ProductClaims, algorithm_a3_as_printed_never_delivers_its_last_batch) {
  EXPECT_EQ(lost_by_a3("mesh(2,2)", Print::kAsPrinted), stated(4U)) << "of 12, on the smallest of all";
  // One message from every node to every other copy of A.
  for (const auto& [spec, messages] :
       {std::pair("mesh(3,3)", 18U),
        {"mesh(5,5)", 100U},
        {"torus(4,4)", 48U},
        {"torus(5,5)", 100U},
        {"product(star(3),star(3))", 180U},
        {"product(generalized_petersen(5,2),generalized_petersen(5,2))", 900U}}) {
    EXPECT_EQ(lost_by_a3(spec, Print::kAsPrinted), stated(messages)) << spec;
    EXPECT_EQ(lost_by_a3(spec, Print::kCorrected), 0U) << spec;
  }
  EXPECT_EQ(lost_by_a3("torus(3,3,3,3)", Print::kCorrected), 0U);
}

// A3 on 2, 4 and 8 dimensions; our rounds on every number of them, in n^(d-1) T_H steps, too.
TEST(ProductClaims, a3_takes_powers_of_two_and_our_rounds_every_dimension) {
  struct Power {
    const char* spec;
    uint64_t steps;
  };
  for (const Power& power : {Power{"mesh(3,3)", 6},
                             {"torus(5,5)", 15},
                             {"mesh(3,3,3,3)", 54},
                             {"torus(4,4,4,4)", 128},
                             {"hypercube(8)", 128}}) {
    EXPECT_EQ(judged_steps(algorithms::alltoall_product_a3, alltoall_on(power.spec, 0)), stated(power.steps))
        << power.spec;
    EXPECT_EQ(judged_steps(algorithms::alltoall_product_rounds, alltoall_on(power.spec, 0)), power.steps)
        << power.spec;
  }
  for (const Power& power : {Power{"mesh(3,3,3)", 18}, {"torus(4,4,4)", 32}, {"hypercube(5)", 16}}) {
    EXPECT_FALSE(algorithms::alltoall_product_a3.applies(alltoall_on(power.spec, 0)).applies) << power.spec;
    EXPECT_EQ(judged_steps(algorithms::alltoall_product_rounds, alltoall_on(power.spec, 0)), power.steps)
        << power.spec;
  }
}

TEST(ProductClaims, a3_is_optimal_on_square_meshes_and_on_tori_whose_ring_meets_its_cut) {
  const auto square = [](std::string_view family, uint32_t n) {
    return alltoall_on(std::string(family) + "(" + std::to_string(n) + "," + std::to_string(n) + ")", 0);
  };
  const auto least = [](const Problem& problem) {
    return static_cast<uint64_t>(best_bound(problem).value.ceil());
  };
  for (uint32_t n = 2; n <= 9; ++n) {
    const Problem mesh = square("mesh", n);
    // On odd lines, too, the cut is met exactly: (n^2 - 1) / 4.
    EXPECT_EQ(judged_steps(algorithms::alltoall_product_a3, mesh), least(mesh)) << mesh.title();
  }
  for (uint32_t n = 3; n <= 11; ++n) {
    const Problem torus = square("torus", n);
    const uint64_t steps = judged_steps(algorithms::alltoall_product_a3, torus);
    if (n % 2 == 1 || n % 4 == 0) {
      EXPECT_EQ(steps, least(torus)) << torus.title();
    } else {
      EXPECT_GT(steps, least(torus)) << torus.title();
      EXPECT_EQ(judged_steps(algorithms::alltoall_torus, torus), least(torus)) << torus.title();
    }
  }
  EXPECT_EQ(judged_steps(algorithms::alltoall_product_a3, square("torus", 6)), stated(30U));
  EXPECT_EQ(judged_steps(algorithms::alltoall_torus, square("torus", 6)), 27U);
}

}  // namespace product_algorithms_test
}  // namespace quadrille
