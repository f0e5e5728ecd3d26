#include "quadrille/schedule/plan_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_reader.h"

namespace quadrille {
namespace plan_json_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kTopology =
    R"j("topology":{"spec":"ring(3)","nodes":3,"endpoints":[0,1,2],"links":[[0,1,1],[0,2,1],[1,0,1],[1,2,1],[2,0,1],[2,1,1]]})j";
constexpr std::string_view kSteps =
    R"j("steps":[[{"path":[0,1],"blocks":[[0,1]]},{"path":[1,2],"blocks":[[1,2]]}],[],[{"path":[2,0,1],"blocks":[[2,0],[2,1]]}]])j";

PlanFile read(std::string_view text) { return read_plan_json(text, "x.json"); }
std::string error_of(std::string_view text) {
  return quadrille::error_of([&] { (void)read(text); });
}

// The members of a plan, in that order.
std::string object(std::initializer_list<std::string_view> members) {
  return fmt::format("{{{}}}", fmt::join(members, ","));
}
std::string plan_with(std::string_view topology, std::string_view collective, std::string_view steps) {
  return object({R"j("format":"quadrille-plan","version":1)j", topology, collective, steps});
}
std::string plan_with_steps(std::string_view steps) {
  return plan_with(kTopology, R"j("collective":{"kind":"alltoall"})j", fmt::format("\"steps\":{}", steps));
}

TEST(PlanJson, ASmallPlanReadsAsItLooks) {
  const PlanFile file = read(object(
      {R"j("format":"quadrille-plan","version":1)j", kTopology,
       R"j("collective":{"kind":"alltoall","root":null,"pieces":1})j",
       R"j("model":{"send_ports":"1","receive_ports":2,"switching":"wormhole","duplex":"half","routing":"shortest","tl":0.5,"ts":3})j",
       R"j("algorithm":"by_hand","claims":{"steps":3,"busiest_link":1,"critical_blocks":3},"bounds":[{"name":"ports","value":"7/2"},{"name":"cut","value":3}])j",
       kSteps}));
  EXPECT_EQ(file.problem.title(), "alltoall on ring(3)");
  EXPECT_EQ(file.problem.model(), (Model{kOnePort,
                                         Ports{2},
                                         Switching::kWormhole,
                                         Packets::kOne,
                                         Duplex::kHalf,
                                         Routing::kShortest,
                                         {3, 0, 0.5, 0}}));
  EXPECT_EQ(file.algorithm, "by_hand");
  EXPECT_EQ(file.stated_figures, (StatedFigures{3, std::nullopt, 1, 3}));
  EXPECT_EQ(file.bounds, (std::vector<PlanBound>{{"ports", Rational::of(7, 2)}, {"cut", Rational(3)}}));
  ASSERT_EQ(file.plan.num_steps(), 3U);
  EXPECT_EQ(file.plan.step(0).size(), 2U);
  EXPECT_EQ(file.plan.step(1).size(), 0U);
  EXPECT_EQ(file.plan.step(2).arcs(0).size(), 2U);
  EXPECT_EQ(file.plan.step(2).blocks(0)[1], file.problem.collective().block(Rank{2}, Rank{1}));
}

TEST(PlanJson, PlansOfAllShapesComeBackEqual) {
  for (const PlanFile& file : plans_of_all_shapes()) {
    const std::string text = write_plan_json(file);
    EXPECT_EQ(read(text), file) << text;
    EXPECT_EQ(write_plan_json(read(text)), text);
  }
}

TEST(PlanJson, BothFormsHoldTheSame) {
  for (const PlanFile& file : plans_of_all_shapes()) {
    EXPECT_EQ(read_plan(write_plan(read(write_plan_json(file)), plain_plan_format()), "x.plan"), file);
  }
}

TEST(PlanJson, TheOrderOfKeysDoesNotMatter) {
  const PlanFile file = plans_of_all_shapes().at(5);
  const std::string text = write_plan_json(file);
  // nlohmann's objects sort their keys: "steps" comes before "topology", "blocks" before "path".
  const std::string sorted = nlohmann::json::parse(text).dump(1);
  EXPECT_LT(sorted.find("\"steps\": [\n"), sorted.find("\"topology\""));
  EXPECT_EQ(read(sorted), file);
  EXPECT_EQ(read(object({kSteps, R"j("collective":{"kind":"alltoall"})j", kTopology,
                         R"j("version":1,"format":"quadrille-plan")j"})),
            read(plan_with(kTopology, R"j("collective":{"kind":"alltoall"})j", kSteps)));
}

TEST(PlanJson, LinksAloneAreATopologyWithCapacityOneAndAllEndpoints) {
  const PlanFile file = read(plan_with(R"j("topology":{"links":[[0,1],[1,2,5],[2,0]]})j",
                                       R"j("collective":{"kind":"total-exchange"})j", R"j("steps":[])j"));
  const Topology& net = file.problem.topology();
  EXPECT_EQ(net.num_nodes(), 3U);
  EXPECT_EQ(net.num_endpoints(), 3U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{0}, NodeId{1})), 1U);
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{1}, NodeId{2})), 5U);
  EXPECT_TRUE(net.is_directed());
  EXPECT_EQ(read(write_plan_json(file)), file);
}

TEST(PlanJson, ASpecAloneIsATopologyToo) {
  EXPECT_EQ(read(plan_with(R"j("topology":{"spec":"torus(3,3)"})j",
                           R"j("collective":{"kind":"gather","root":4})j", R"j("steps":[])j"))
                .problem.title(),
            "gather on torus(3,3)");
}

TEST(PlanJson, AnUnknownSpecIsOnlyAName) {
  const PlanFile file = read(plan_with(R"j("topology":{"spec":"our rack\n#7","links":[[0,1],[1,0]]})j",
                                       R"j("collective":{"kind":"reduce","pieces":2})j", R"j("steps":[])j"));
  EXPECT_EQ(file.problem.topology().name(), "our rack_#7");
  EXPECT_EQ(read(write_plan_json(file)), file);
}

TEST(PlanJson, KeysOfStrangersThatStartWithXAreSkipped) {
  const std::string text =
      object({R"j("x-made":{"by":[1,{"x":[null,true,-1.5e3]}],"steps":[[[]]]})j",
              R"j("format":"quadrille-plan","version":1)j", kTopology, R"j("x-a":-1)j",
              R"j("collective":{"kind":"alltoall","x-b":[[]]},"x-c":false,"x-d":"s","x-e":null)j",
              R"j("steps":[[{"path":[0,1],"x-time":1.5,"blocks":[[0,1]]}]])j"});
  EXPECT_EQ(read(text).plan.num_transfers(), 1U);
}

TEST(PlanJson, AHopWithoutALinkIsKeptForTheJudge) {
  const PlanFile file =
      read(plan_with(R"j("topology":{"spec":"ring(5)"})j", R"j("collective":{"kind":"allgather"})j",
                     R"j("steps":[[{"path":[0,2,3],"blocks":[[0]]},{"path":[0,null],"blocks":[]}]])j"));
  EXPECT_EQ(file.plan.step(0).arcs(0)[0], kNoArc);
  EXPECT_EQ(file.plan.step(0).arcs(0)[1], file.problem.topology().find_arc(NodeId{2}, NodeId{3}));
  EXPECT_EQ(file.plan.step(0).arcs(1)[0], kNoArc);
  EXPECT_EQ(read(write_plan_json(file)), file);
}

TEST(PlanJson, AMistakeIsNamedWithLineColumnPlaceAndCaret) {
  EXPECT_EQ(error_of(plan_with_steps("[[],\n[{\"path\":[0,1],\"blocks\":[[0,1],[0,3]]}]]")),
            "x.json:2:32: steps[1][0].blocks[1]: no such block: alltoall on ring(3) names a block by the "
            "endpoint it comes from, then the endpoint it goes to\n"
            "  [{\"path\":[0,1],\"blocks\":[[0,1],[0,3]]}]]}\n                                 ^~~~~");
}

struct Mistake {
  std::string text;
  std::string_view message;
};

void expect_mistakes(std::initializer_list<Mistake> mistakes) {
  for (const Mistake& m : mistakes) {
    EXPECT_THAT(error_of(m.text), HasSubstr(m.message)) << m.text;
    EXPECT_THAT(error_of(m.text), StartsWith("x.json:")) << m.text;
  }
}

TEST(PlanJson, WhatIsNotJsonHasItsWords) {
  expect_mistakes(
      {{"", "x.json:1:1: not JSON, or cut off: while parsing value - unexpected end of input"},
       {"{", "x.json:1:2: not JSON, or cut off: while parsing object key - unexpected end of input"},
       {"{\"format\":\"quadrille",
        "not JSON, or cut off: while parsing value - invalid string: missing closing quote"},
       {"{\"format\":nope}", "x.json:1:12: not JSON, or cut off: while parsing value - invalid literal"},
       {"{\"x-a\":1e999}", "number overflow parsing '1e999'"},
       {"{\"x-a\":\"\xff\"}", "invalid string: ill-formed UTF-8 byte"},
       {plan_with_steps("[]") + "x", "not JSON, or cut off"},
       {plan_with_steps("[]") + std::string("\0", 1), "not JSON: a byte of value 0"},
       {plan_with_steps("[]") + std::string("\n\0{\"steps\":[[]]}", 15),
        "x.json:2:1: not JSON: a byte of value 0"},
       {plan_with_steps(std::string("[\0]", 3)), "x.json:1:"},
       {"[]", "x.json:1:1: this must be an object, not an array"},
       {std::string(100000, '['), "this must be an object, not an array"},
       {plan_with_steps(std::string(100000, '[')), "steps[0][0]: this must be an object, not an array"},
       {"{\"x-a\":" + std::string(100000, '['), "unexpected end of input"}});
}

TEST(PlanJson, ATruncatedPlanIsNeverAPlan) {
  const std::string text = write_plan_json(plans_of_all_shapes().at(3));
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_THAT(error_of(text.substr(0, length)), StartsWith("x.json:")) << length;
  }
}

TEST(PlanJson, EveryMistakeInTheHeadHasItsWords) {
  const auto head = [](std::string_view member) {
    return object({R"j("format":"quadrille-plan","version":1)j", member});
  };
  const auto net = [](std::string_view topology) {
    return plan_with(topology, R"j("collective":{"kind":"gather"})j", R"j("steps":[])j");
  };
  expect_mistakes({
      {"{}", "x.json:1:2: the key 'format' is missing"},
      {R"j({"format":"plan"})j", "x.json:1:11: format: the format is 'plan', not 'quadrille-plan'"},
      {R"j({"format":"quadrille-plan","version":2})j",
       "x.json:1:38: version: version 2 is not known here; this program reads version 1"},
      {R"j({"version":"1"})j", "version: this must be a whole number from 0, not a text"},
      {R"j({"version":-1})j", "x.json:1:12: version: this must be a whole number from 0, not -1"},
      {R"j({"version":123456789012345678901234567890})j",
       "version: this is at most 1, not 123456789012345678901234567890"},
      {R"j({"version":true})j", "this must be a whole number from 0, not true or false"},
      {R"j({"topolgy":1})j",
       "x.json:1:2: unknown key 'topolgy', did you mean 'topology'; allowed here are format, version, "
       "topology"},
      {R"j({"version":1,"version":1})j", "x.json:1:14: the key 'version' comes twice"},
      {head(kTopology), "the key 'collective' is missing"},
      {head(R"j("topology":{"nodes":3},"collective":{"kind":"gather"},"steps":[])j"),
       "topology: the topology is missing: give its spec, or its links"},
      {net(R"j("topology":{"spec":"rnig(3)"})j"), "no topology is called 'rnig'"},
      {net(R"j("topology":{"spec":"torus(9999,9999)"})j"), "torus(9999,9999) has 199960002 links; a file of"},
      {net(R"j("topology":{"spec":"hypercube(26)","links":[[0,1],[1,0]]})j"),
       "this is a plan for another topology: hypercube(26) has 67108864 nodes, in the file there are 2"},
      {net(R"j("topology":{"spec":"ring(3)","nodes":4})j"),
       "topology.nodes: this is a plan for another topology: ring(3) has 3 nodes, in the file there are 4"},
      {net(R"j("topology":{"spec":"ring(3)","endpoints":[0,1]})j"),
       "node 2 is an endpoint of ring(3), but not in the list of endpoints"},
      {net(R"j("topology":{"spec":"ring(3)","endpoints":[0,1,2,3]})j"),
       "node 3 is no endpoint of ring(3), but it is in the list"},
      {net(R"j("topology":{"spec":"ring(3)","endpoints":[0,1,2,2]})j"), "node 2 "},
      {net(R"j("topology":{"spec":"ring(3)","links":[[0,1],[1,2],[2,0]]})j"),
       "topology.links: this is a plan for another topology: arc 1 of ring(3) is 0>2 of capacity 1, in the list of links it is 1>2 of capacity 1"},
      {net(R"j("topology":{"nodes":4000000000,"links":[[0,1],[1,0]]})j"),
       "4000000000 nodes cannot be connected by 2 arc(s)"},
      {net(R"j("topology":{"nodes":1000000000000,"links":[[0,1],[1,0]]})j"),
       "topology.nodes: the number of nodes is at most 4294967294, not 1000000000000"},
      {net(R"j("topology":{"nodes":123456789012345678901234567890})j"),
       "topology.nodes: this is at most 4294967294, not 123456789012345678901234567890"},
      {net(R"j("topology":{"links":[[0,4000000000]]})j"), "4000000001 nodes cannot be connected by 1 arc(s)"},
      {net(R"j("topology":{"links":[[0,4294967295]]})j"),
       "topology.links[0][1]: a number in a link is at most 4294967294, not 4294967295"},
      {net(R"j("topology":{"links":[[0]]})j"),
       "topology.links[0]: a link is [tail, head] or [tail, head, capacity]"},
      {net(R"j("topology":{"links":[[0,1,2,3]]})j"),
       "topology.links[0][3]: a link is [tail, head] or [tail, head, capacity]"},
      {net(R"j("topology":{"links":[[0,1],[1,0,0]]})j"),
       "topology.links[1]: graph: the link from 1 to 0 has capacity 0"},
      {net(R"j("topology":{"links":[[0,1],[1,0]],"endpoints":[]})j"),
       "topology.endpoints: graph has no endpoints"},
      {net(R"j("topology":{"links":[[0,1],[1,0]],"endpoints":[2]})j"),
       "topology.endpoints: graph has nodes 0 to 1, not 2"},
      {net(R"j("topology":{"links":[[0,1]]})j"),
       "topology.links: graph is not connected: node 0 cannot be reached from node 1"},
      {plan_with(kTopology, R"j("collective":{"kind":"all"})j", kSteps),
       "collective.kind: unknown collective 'all'"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall","root":1})j", kSteps),
       "collective.root: alltoall has no root: leave it out or write null"},
      {plan_with(kTopology, R"j("collective":{"kind":"gather","root":3})j", kSteps),
       "collective.root: root 3 does not exist: the nodes of ring(3) are 0 to 2"},
      {plan_with(R"j("topology":{"links":[[0,1],[1,0]],"endpoints":[1]})j",
                 R"j("collective":{"kind":"gather","root":0})j", kSteps),
       "collective.root: root 0 of graph only routes"},
      {plan_with(kTopology, R"j("collective":{"kind":"reduce","pieces":4000000000})j", kSteps),
       "collective.pieces: reduce on ring(3) with 4000000000 piece(s)"},
      {plan_with(kTopology, R"j("collective":{"kind":"reduce","pieces":0})j", kSteps),
       "collective.pieces: a block cannot be split into 0 pieces"},
      {plan_with(kTopology, R"j("collective":{"kind":"reduce","pieces":99999999999999999999})j", kSteps),
       "collective.pieces: this is at most 4294967294, not 99999999999999999999"},
      {plan_with(kTopology, R"j("collective":{"kind":"gather"},"claims":{"steps":99999999999999999999})j",
                 kSteps),
       "claims.steps: this is at most 18446744073709551615, not 99999999999999999999"},
      {plan_with(kTopology, R"j("collective":{"kind":"gather"},"model":{"routing":"shortest"})j",
                 R"j("steps":[])j"),
       "routing=shortest with packet switching: only worms have paths to choose"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"model":{"send_port":1})j", kSteps),
       "model: unknown key 'send_port', did you mean 'send_ports'"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"model":{"send_ports":0})j", kSteps),
       "model.send_ports: send_ports is '0'; allowed are"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"model":{"switching":"circuit"})j", kSteps),
       "unknown switching 'circuit'; allowed are packet, wormhole"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"model":{"ts":-1})j", kSteps),
       "model.ts: a cost is a number from 0 to 1e+100, not -1"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"model":{"tx":1e308})j", kSteps),
       "model.tx: a cost is a number from 0 to 1e+100, not 1e+308"},
      {plan_with(
           R"j("topology":{"links":[[0,1],[1,0]]})j",
           R"j("collective":{"kind":"gather"},"model":{"switching":"wormhole","routing":"dimension_order"})j",
           R"j("steps":[])j"),
       "dimension_order routing needs a product"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"a"}])j", kSteps),
       "bounds[0]: the key 'value' is missing"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"a","value":"1.5"}])j",
                 kSteps),
       "bounds[0].value: a bound is a whole number or a fraction like 15/2, not '1.5'"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"a","value":"1/00"}])j",
                 kSteps),
       "bounds[0].value: a bound with a denominator of 0: '1/00'; at least 1 is needed"},
      {plan_with(
           kTopology,
           R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"a","value":170141183460469231731687303715884105728}])j",
           kSteps),
       "bounds[0].value: a bound is too large: '170141183460469231731687303715884105728'"},
      {plan_with(kTopology, R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"","value":1}])j", kSteps),
       "bounds[0].name: a bound needs a name"},
      {"[]", "x.json:1:1: this must be an object, not an array"},
  });
}

TEST(PlanJson, EveryMistakeInAStepHasItsWords) {
  expect_mistakes({
      {plan_with_steps("{}"), "steps: this must be an array, not an object"},
      {plan_with_steps("[{}]"), "steps[0]: this must be an array, not an object"},
      {plan_with_steps("[[],[[]]]"), "steps[1][0]: this must be an object, not an array"},
      {plan_with_steps("[[{}]]"), "steps[0][0]: the key 'path' is missing"},
      {plan_with_steps(R"j([[{"path":[0,1],"block":[]}]])j"),
       "steps[0][0]: unknown key 'block', did you mean 'blocks'"},
      {plan_with_steps(R"j([[{"path":[0],"blocks":[]}]])j"),
       "steps[0][0].path: a path is at least two nodes"},
      {plan_with_steps(R"j([[{"path":[0,3],"blocks":[]}]])j"),
       "steps[0][0].path[1]: node 3 does not exist: the nodes of ring(3) are 0 to 2"},
      {plan_with_steps(R"j([[{"path":[0,"1"],"blocks":[]}]])j"),
       "steps[0][0].path[1]: this must be a whole number from 0 or null, not a text"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[0]}]])j"),
       "steps[0][0].blocks[0]: this must be an array, not 0"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[[0]]}]])j"), "steps[0][0].blocks[0]: no such block"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[[0,1,2,3]]}]])j"),
       "steps[0][0].blocks[0][3]: no such block"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[[0,1.5]]}]])j"),
       "this must be a whole number from 0, not 1.5"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[[0,1]],"op":"copy"}]])j"),
       "steps[0][0].op: only a reduction can copy"},
      {plan_with_steps(R"j([[{"path":[0,1],"blocks":[[0,1]],"op":"add"}]])j"),
       "op is 'copy' or left out, not 'add'"},
  });
}

TEST(PlanJson, AMistakeInTheSpecIsShownInItsPlace) {
  const std::string plan =
      "{\"format\":\"quadrille-plan\",\"version\":1,\n\"topology\":{\"spec\":\"torus(3,0)\"},\n"
      "\"collective\":{\"kind\":\"gather\"},\"steps\":[]}";
  EXPECT_EQ(error_of(plan),
            "x.json:2:29: the side is 0, at least 1 is needed\n"
            "  \"topology\":{\"spec\":\"torus(3,0)\"},\n"
            "                              ^");
}

TEST(PlanJson, ABoundMayHaveAsManyDigitsAsAFraction) {
  const PlanFile file = read_plan_json(
      plan_with(kTopology,
                R"j("collective":{"kind":"alltoall"},"bounds":[{"name":"a","value":99999999999999999999}])j",
                kSteps),
      "x.json", GraphFiles::kRefused);
  EXPECT_EQ(file.bounds.at(0).value.to_string(), "99999999999999999999");
}

TEST(PlanJson, AMistakeInStepsThatComeFirstIsFoundToo) {
  EXPECT_THAT(error_of(object({R"j("steps":[[{"path":[0,9],"blocks":[]}]])j",
                               R"j("format":"quadrille-plan","version":1)j", kTopology,
                               R"j("collective":{"kind":"alltoall"})j"})),
              StartsWith("x.json:1:23: steps[0][0].path[1]: node 9 does not exist"));
}

}  // namespace plan_json_test
}  // namespace quadrille
