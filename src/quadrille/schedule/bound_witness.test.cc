#include "quadrille/schedule/bound_witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace {

using ::testing::HasSubstr;

std::string in_text(const std::string& lines) {
  return "quadrille-plan 1\n" + lines + "topology line(3)\ncollective gather\nstep\n";
}
std::string in_json(const std::string& witness) {
  return R"j({"format":"quadrille-plan","version":1,"bounds":[{"name":"mine","value":2,"witness":)j" +
         witness + R"j(}],"topology":{"spec":"line(3)"},"collective":{"kind":"gather"},"steps":[]})j";
}
std::string error_of_plan(const std::string& text) {
  return error_of([&] { (void)read_plan(text, "x"); });
}

TEST(BoundWitness, StandsBelowItsBound) {
  const PlanFile file = read_plan(
      in_text(
          "bound one 1\nbound two 2\nwitness cut 2 0\nbound three 3\nwitness weights\nweight link 0 1 4\n"
          "weight receiver 2 5\nweight sender 1 6\nbound four 4\nwitness refutation 3\nlemma 4 7\nlemma\n"),
      "x");
  ASSERT_EQ(file.bounds.size(), 4U);
  EXPECT_FALSE(file.bounds[0].witness.has_value());
  EXPECT_EQ(std::get<CutWitness>(*file.bounds[1].witness).nodes, (std::vector{NodeId{0}, NodeId{2}}));
  const auto& weights = std::get<WeightsWitness>(*file.bounds[2].witness);
  EXPECT_EQ(weights.links, (std::vector<WeightsWitness::Link>{{NodeId{0}, NodeId{1}, 4}}));
  EXPECT_EQ(weights.senders, (std::vector<WeightsWitness::Node>{{NodeId{1}, 6}}));
  EXPECT_EQ(weights.receivers, (std::vector<WeightsWitness::Node>{{NodeId{2}, 5}}));
  EXPECT_EQ(std::get<RefutationWitness>(*file.bounds[3].witness).lemmas,
            (std::vector<std::vector<uint32_t>>{{4, 7}, {}}));
  EXPECT_EQ(read_plan(write_plan_json(file), "y"), file);
  EXPECT_EQ(read_plan(write_plan_text(file), "y"), file);
}

TEST(BoundWitness, IsTheSameInBothForms) {
  EXPECT_EQ(read_plan(in_json(R"j({"times":[0,3,1]})j"), "x").bounds,
            read_plan(in_text("bound mine 2\nwitness times 0 3 1\n"), "x").bounds);
  EXPECT_EQ(read_plan(in_json(R"j({"sends":7})j"), "x").bounds,
            read_plan(in_text("bound mine 2\nwitness sends 7\n"), "x").bounds);
  EXPECT_EQ(read_plan(in_json(R"j({"informed":[2,1]})j"), "x").bounds,
            read_plan(in_text("bound mine 2\nwitness informed 2 1\n"), "x").bounds);
  EXPECT_EQ(read_plan(in_json(R"j({"node":1})j"), "x").bounds,
            read_plan(in_text("bound mine 2\nwitness node 1\n"), "x").bounds);
  EXPECT_EQ(read_plan(in_json(R"j({"weights":{"senders":[[1,7]]}})j"), "x").bounds,
            read_plan(in_text("bound mine 2\nwitness weights\nweight sender 1 7\n"), "x").bounds);
}

TEST(BoundWitness, EveryMistakeInTheTextHasItsWords) {
  for (const auto& [lines, words] : std::vector<std::pair<std::string, std::string>>{
           {"witness node 1\n", "x:2:9: a witness stands below the line of its bound"},
           {"bound b 1\nwitness node 1\nwitness node 1\n",
            "x:4:9: a bound has one witness; this is a second one"},
           {"bound b 1\nwitness luck\n",
            "x:3:9: a witness is one of cut, node, informed, weights, refutation, times"},
           {"bound b 1\nwitness\n", "a witness is one of cut, node, informed, weights, refutation, times"},
           {"bound b 1\nwitness node\n", "a node is needed here: a whole number"},
           {"bound b 1\nwitness node 1 2\n", "nothing more may stand in the line after a witness"},
           {"bound b 1\nwitness node 3\n",
            "x:3:9: witness: node 3 does not exist: the nodes of line(3) are 0 to 2"},
           {"bound b 1\nwitness cut 0..2\n", "x:3:9: witness: a cut has nodes on both its sides"},
           {"bound b 1\nwitness times 0 1\n",
            "x:3:9: witness: line(3) has 3 nodes and 2 times are given: each needs one"},
           {"bound b 1\nwitness times 0 one 1\n", "a time is needed here: a whole number"},
           {"bound b 1\nwitness sends\n", "a number of steps is needed here: a whole number"},
           {"bound b 1\nwitness sends 2 3\n", "nothing more may stand in the line after a witness"},
           {"bound b 1\nwitness cut\n", "a cut has nodes on both its sides"},
           {"bound b 1\nwitness cut 1 1\n", "node 1 comes twice"},
           {"bound b 1\nwitness cut 1..0\n", "a range of nodes goes from small to large"},
           {"bound b 1\nwitness informed 0\n", "a number of hops is needed here"},
           {"bound b 1\nweight link 0 1 2\n", "x:3:8: a line 'weight' stands below a line 'witness weights'"},
           {"bound b 1\nwitness node 0\nlemma 2\n",
            "a line 'lemma' stands below a line 'witness refutation'"},
           {"bound b 1\nwitness weights\nweight 0 1\n",
            "what has a weight is a link, a sender or a receiver"},
           {"bound b 1\nwitness weights\nweight link 0 2 1\n", "no link goes from node 0 to node 2"},
           {"bound b 1\nwitness weights\nweight link 0 1 1\nweight link 0 1 2\n",
            "the link from node 0 to node 1 is weighed twice"},
           {"bound b 1\nwitness weights\nweight sender 1 1\nweight sender 1 2\n", "node 1 comes twice"}}) {
    EXPECT_THAT(error_of_plan(in_text(lines)), HasSubstr(words)) << lines;
  }
}

TEST(BoundWitness, EveryMistakeInJsonHasItsWords) {
  for (const auto& [witness, words] : std::vector<std::pair<std::string, std::string>>{
           {"{}", "bounds[0].witness: a witness is one of cut, node, informed, weights, refutation, times"},
           {R"j({"node":1,"cut":[0]})j", "a witness is one thing; this is a second one"},
           {R"j({"luck":1})j", "unknown key 'luck'"},
           {R"j({"node":[1]})j", "this must be a whole number from 0, not an array"},
           {R"j({"cut":[0,1,2]})j", "bounds[0].witness: a cut has nodes on both its sides"},
           {R"j({"node":7})j", "bounds[0].witness: node 7 does not exist"},
           {R"j({"times":[4]})j", "bounds[0].witness: line(3) has 3 nodes and 1 time is given"},
           {R"j({"times":[0,1,4294967296]})j", "a time"},
           {R"j({"sends":4294967296})j", "a number of steps is at most"},
           {R"j({"sends":[1]})j", "this must be a whole number from 0, not an array"},
           {R"j({"informed":[1]})j", "a witness of this kind is [node, hops]"},
           {R"j({"informed":[1,2,3]})j", "a witness of this kind is [node, hops]"},
           {R"j({"weights":{"links":[[0,1]]}})j", "the weight of a link is [tail, head, weight]"},
           {R"j({"weights":{"links":[[0,1,2,3]]}})j", "a weight is [tail, head, weight] or [node, weight]"},
           {R"j({"weights":{"senders":[[0,1,2]]}})j", "the weight of a node is [node, weight]"},
           {R"j({"weights":{"links":[[0,2,1]]}})j", "no link goes from node 0 to node 2"},
           {R"j({"refutation":{"steps":2}})j", "the key 'lemmas' is missing"},
           {R"j({"refutation":{"steps":2,"lemmas":[[-1]]}})j",
            "this must be a whole number from 0, not -1"}}) {
    EXPECT_THAT(error_of_plan(in_json(witness)), HasSubstr(words)) << witness;
  }
}

}  // namespace
}  // namespace quadrille
