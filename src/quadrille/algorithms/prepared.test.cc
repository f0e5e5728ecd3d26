#include "quadrille/algorithms/prepared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/base/work_count.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace prepared_test {

Problem ring_of_four() { return standard_problem(parse_topology("ring(4)"), CollectiveKind::kAlltoall); }

// --- what is made once ----------------------------------------------------------------------------------

int trees_made = 0;

struct Tree {
  uint64_t depth;
};

Tree tree_of(const Problem& problem) {
  ++trees_made;
  return {problem.topology().num_nodes()};
}

Prediction depth(const Problem&, const Tree& tree) { return {.steps = tree.depth}; }
Prediction nothing(const Problem&, Once<Tree>&) { return {}; }

void as_many_steps(const Problem&, const Tree& tree, StepSink& sink) {
  for (uint64_t s = 0; s < tree.depth; ++s) sink.push({});
}

uint64_t steps_of(Prepared& plan) {
  CountingSink count;
  plan.generate(count);
  return count.steps();
}

TEST(Prepared, WhatThePredictionTookIsKeptForTheSteps) {
  trees_made = 0;
  const PreparedPlan plan = by_plan<tree_of, depth, as_many_steps>(ring_of_four()).plans.front();
  EXPECT_EQ(trees_made, 0) << "nothing is made before somebody asks";
  EXPECT_EQ(plan->prediction().steps, 4U);
  EXPECT_EQ(plan->prediction().steps, 4U);
  EXPECT_EQ(steps_of(*plan), 4U);
  EXPECT_EQ(steps_of(*plan), 4U);
  EXPECT_EQ(trees_made, 1);
}

// A plan may be made beside what is read from it backwards.
TEST(Prepared, WhatBothThreadsNeedIsMadeOnce) {
  std::atomic<int> made{0};
  Once<int> once(ring_of_four(), [&](const Problem&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ++made;
  });
  both_at_once([&] { EXPECT_EQ(once.get(), 1); }, [&] { EXPECT_EQ(once.get(), 1); });
  EXPECT_EQ(made, 1);
}

TEST(Prepared, APredictionMayDoWithoutThePlan) {
  trees_made = 0;
  const PreparedPlan plan = by_search<tree_of, nothing, as_many_steps>(ring_of_four()).plans.front();
  EXPECT_EQ(plan->effort(), Effort::kMuch);
  EXPECT_FALSE(plan->prediction().steps);
  EXPECT_EQ(trees_made, 0);
  EXPECT_EQ(steps_of(*plan), 4U);
}

TEST(Prepared, WhoseStartUpsAloneCostMoreIsNotAsked) {
  int asked = 0;
  const auto plan = [&asked](uint64_t start_ups, uint64_t blocks) {
    const auto predicted = [&asked, start_ups, blocks](const Problem&) -> Prediction {
      ++asked;
      return {.steps = start_ups, .start_ups = start_ups, .critical_blocks = blocks};
    };
    const auto out = std::make_shared<Prepared>(ring_of_four(), predicted, [](const Problem&, StepSink&) {});
    out->takes_at_least(start_ups);
    return out;
  };
  // Start-ups of 1, and nothing for a byte.
  const std::vector<PreparedPlan> plans = {plan(3, 9), plan(3, 7), plan(4, 1), plan(6, 1)};
  EXPECT_EQ(cheapest(plans, 1), plans[1]);
  EXPECT_EQ(asked, 2);
}

TEST(Prepared, AFamilyIsFoundByTheNamesOfItsMembers) {
  Preparation family;
  for (const auto& [name, steps] : {std::pair("slow", 9), {"quick", 2}}) {
    const auto predicted = [](const Problem&, const Tree& tree) {
      return Prediction{.steps = tree.depth, .start_ups = tree.depth, .critical_blocks = tree.depth};
    };
    family.plans.push_back(
        kept(ring_of_four(), Tree{static_cast<uint64_t>(steps)}, predicted, as_many_steps, name));
  }
  EXPECT_TRUE(family.is_family());
  EXPECT_EQ(steps_of(*family.find("slow")), 9U);
  EXPECT_EQ(family.find("neither"), nullptr);
  EXPECT_EQ(cheapest(family.plans)->member(), "quick");
}

// --- measured plans -------------------------------------------------------------------------------------

int plans_made = 0;

void three_steps(const Problem&, StepSink& sink) {
  ++plans_made;
  StepBuilder step;
  for (uint32_t s = 0; s < 3; ++s) {
    if (s != 1) step.add(ArcId{s}, BlockId{s + 1});
    step.flush(sink);
  }
}

Prediction unmeasured(const Problem&, Once<MeasuredPlan>&) { return {.busiest_link = 1}; }

TEST(MeasuredPlan, IsMadeOnceAndReadOut) {
  plans_made = 0;
  Plan expected;
  three_steps(ring_of_four(), expected);
  const PreparedPlan plan = by_measuring<measured_up_to<4>, three_steps>(ring_of_four()).plans.front();
  const Prediction prediction = plan->prediction();
  EXPECT_TRUE(prediction.measured);
  EXPECT_EQ(prediction.steps, 3U);
  EXPECT_EQ(prediction.start_ups, 2U);
  EXPECT_EQ(prediction.critical_blocks, 2U);
  Plan made;
  plan->generate(made);
  EXPECT_TRUE(made == expected);
  EXPECT_EQ(plans_made, 2) << "the expected one, and one for prediction and steps";
}

TEST(MeasuredPlan, StreamsWhereNothingIsMeasured) {
  plans_made = 0;
  EXPECT_FALSE(is_quick_to_measure(ring_of_four(), 3));
  for (const Preparation& ready : {by_measuring<measured_up_to<3>, three_steps>(ring_of_four()),
                                   by_measuring<unmeasured, three_steps>(ring_of_four())}) {
    EXPECT_FALSE(ready.plans.front()->prediction().steps);
    EXPECT_EQ(steps_of(*ready.plans.front()), 3U);
  }
  EXPECT_EQ(plans_made, 2);
}

TEST(MeasuredPlan, IsNotKeptBeyondItsBudget) {
  MeasuredPlan small(100);
  three_steps(ring_of_four(), small);
  EXPECT_FALSE(small.is_kept());
  EXPECT_EQ(small.prediction().steps, 3U);
}

// --- the cards ------------------------------------------------------------------------------------------

uint64_t searches() { return work_counted(Work::kSearching); }

struct Searches {
  uint64_t by_prediction = 0;
  uint64_t by_steps = 0;
  uint64_t by_both = 0;
};

Searches count_searches(const Algorithm& card, const Problem& problem) {
  Searches out;
  CountingSink sink;
  const uint64_t start = searches();
  static_cast<void>(cheapest(prepare(card, problem).plans)->prediction());
  const uint64_t predicted = searches();
  prepare(card, problem).plans.front()->generate(sink);
  const uint64_t generated = searches();
  const PreparedPlan plan = cheapest(prepare(card, problem).plans);
  static_cast<void>(plan->prediction());
  plan->generate(sink);
  out.by_prediction = predicted - start;
  out.by_steps = generated - predicted;
  out.by_both = searches() - generated;
  return out;
}

// --- who says why not ------------------------------------------------------------------------------------

std::string why_not_many(std::string_view card, std::string_view spec, CollectiveKind kind, uint32_t pieces) {
  Model model;
  model.packets = Packets::kMany;
  const Problem problem = any_problem(parse_topology(spec), kind, model, kNoNode, pieces);
  return prepare(*algorithm_catalog().find(card), problem).fits.reason;
}

TEST(Algorithms, WhoSendsManyPacketsSaysWhyNotAndWhoSendsSingleOnesSaysItOfThose) {
  EXPECT_THAT(why_not_many("alltoall_combining", "torus(4,4)", CollectiveKind::kAlltoall, 2),
              ::testing::HasSubstr("it sends them whole"));
  EXPECT_THAT(why_not_many("alltoall_repaired", "torus(4,4)", CollectiveKind::kAlltoall, 1),
              ::testing::HasSubstr("it needs a network with faults"));
  EXPECT_THAT(why_not_many("allgather_swarm", "complete(1)", CollectiveKind::kAllgather, 1),
              ::testing::HasSubstr("nothing to exchange"));
}

std::vector<Model> models() {
  std::vector<Model> out(4);
  out[1].send = out[1].receive = kOnePort;
  out[2].switching = Switching::kWormhole;
  out[3] = out[1];
  out[3].switching = Switching::kWormhole;
  return out;
}

// A prediction and the steps of its plan search no more than one of them alone.
TEST(Algorithms, SearchOnceForPredictionAndSteps) {
  std::vector<std::string_view> searching;
  Sample sample(7);
  for (const std::string_view spec :
       {"torus(4,4)", "ring(6)", "mesh(3,4)", "mesh(4,4)", "hypercube(3)", "fat_tree(2^3)",
        "fat_tree(4,2;2,7)", "complete(5)", "generalized_petersen(5,2)", "star(4)", "circulant(12;1,5)",
        "product(ring(5),line(3))", "torus(8,8)", "torus(4,4,4)"}) {
    const Topology topology = parse_topology(spec);
    for (const Model& model : models()) {
      for (const Algorithm* card : algorithm_catalog()) {
        const Problem problem = any_problem(topology, card->collective, model);
        if (!sample.takes() || !prepare(*card, problem).fits.applies) continue;
        const Searches found = count_searches(*card, problem);
        // Fewer, where something that was searched for alone is still known.
        EXPECT_LE(found.by_both, std::max(found.by_prediction, found.by_steps))
            << card->name << " on " << spec << ": " << found.by_prediction << " for the prediction, "
            << found.by_steps << " for the steps";
        if (found.by_prediction > 0 && found.by_steps > 0) searching.push_back(card->name);
      }
    }
  }
  std::sort(searching.begin(), searching.end());
  searching.erase(std::unique(searching.begin(), searching.end()), searching.end());
  EXPECT_GE(searching.size(), Sample::whole() ? 30U : 12U) << "those that would search twice are counted";
  if (!Sample::whole()) return;
  EXPECT_THAT(searching, ::testing::IsSupersetOf(
                             {"allgather_flooding", "allgather_ring", "allreduce_node_invariant",
                              "alltoall_abelian", "alltoall_direct", "alltoall_layered",
                              "alltoall_product_staggered", "alltoall_wormhole_classes", "broadcast_search",
                              "broadcast_wormhole_best", "broadcast_wormhole_one_port", "gather_flow"}));
}

}  // namespace prepared_test
}  // namespace quadrille
