#include "quadrille/viewer/view_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "quadrille/base/files.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

using ::testing::HasSubstr;

// What a page says beside the steps of its plan number i.
nlohmann::json meta(const std::string& page, int i) {
  const std::string begin = "id=meta" + std::to_string(i) + ">";
  const size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

struct Made {
  Compiled compiled;
  PageColumns steps;
};

Made made(std::string_view spec, CollectiveKind kind) {
  Compiled compiled = compile(make_problem(parse_topology(spec), kind));
  PageColumns steps(compiled.head.problem);
  compiled.schedule->plan().replay(steps);
  return {std::move(compiled), std::move(steps)};
}

PagePlan with_bound(const Made& plan) {
  const Bound bound = plan.compiled.least_steps();
  return {.steps = plan.steps,
          .verdict = &plan.compiled.verdict,
          .algorithm = plan.compiled.head.algorithm,
          .bound = PageBound{std::string(bound.name), bound.value, bound.witness, bound.evidence}};
}

TEST(ViewPage, is_one_file_with_the_plan_in_it) {
  const Made plan = made("torus(4,4)", CollectiveKind::kAlltoall);
  const std::string page = view_page(std::vector{with_bound(plan)});
  EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(page.find("<!--PLANS-->"), std::string::npos);
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"?https?:")));
  const nlohmann::json said = meta(page, 0);
  EXPECT_EQ(said["collective"], "alltoall");
  EXPECT_EQ(said["spec"], "torus(4,4)");
  EXPECT_EQ(said["algorithm"], plan.compiled.head.algorithm);
  EXPECT_EQ(said["total_steps"], 8);
  EXPECT_EQ(said["passed"], true);
  EXPECT_EQ(said["bound"]["steps"], 8);
  EXPECT_EQ(said["layout"], "grid");
  EXPECT_EQ(page, view_page(std::vector{with_bound(plan)})) << "same plan, same bytes";
}

TEST(ViewPage, holds_the_witness_as_data) {
  const Made plan = made("mesh(2,4)", CollectiveKind::kAlltoall);
  const Topology& net = plan.compiled.head.problem.topology();
  const auto witness = [&](BoundWitness of) {
    PagePlan shown = with_bound(plan);
    shown.bound->witness = std::move(of);
    return meta(view_page(std::vector{shown}), 0)["bound"]["witness"];
  };
  EXPECT_EQ(witness(CutWitness{{NodeId{0}, NodeId{4}}}),
            (nlohmann::json{{"kind", "cut"}, {"nodes", {0, 4}}}));
  EXPECT_EQ(witness(NodeWitness{NodeId{3}}), (nlohmann::json{{"kind", "node"}, {"nodes", {3}}}));
  EXPECT_EQ(witness(InformedWitness{NodeId{1}, 2}),
            (nlohmann::json{{"kind", "informed"}, {"nodes", {1}}, {"hops", 2}}));
  EXPECT_EQ(witness(TimesWitness{{0, 1, 2}}), (nlohmann::json{{"kind", "times"}, {"times", {0, 1, 2}}}));
  EXPECT_EQ(witness(SendsWitness{5}), (nlohmann::json{{"kind", "sends"}, {"steps", 5}}));
  EXPECT_EQ(witness(RefutationWitness{3, {{1}, {}}}),
            (nlohmann::json{{"kind", "refutation"}, {"lemmas", 2}}));
  const auto weights = witness(WeightsWitness{{{NodeId{0}, NodeId{1}, 5}}, {{NodeId{2}, 3}}, {}});
  EXPECT_EQ(weights["links"], (nlohmann::json{{index(*net.find_arc(NodeId{0}, NodeId{1})), 5}}));
  EXPECT_EQ(weights["senders"], (nlohmann::json{{2, 3}}));
}

TEST(ViewPage, tells_of_a_rejected_plan_where_it_is_wrong) {
  const std::string path = source_path("testdata/bad_plans/send_ports__two_at_once.plan");
  PlanFile file = read_plan(read_file(path), path);
  PageColumns steps(file.problem);
  file.plan.replay(steps);
  const Compiled judged = judge_plan(std::move(file));
  ASSERT_FALSE(judged.verdict.passed());
  const nlohmann::json said =
      meta(view_page(std::vector{PagePlan{.steps = steps, .verdict = &judged.verdict}}), 0);
  EXPECT_EQ(said["passed"], false);
  EXPECT_EQ(said["total_findings"], 1);
  const nlohmann::json& finding = said["findings"][0];
  EXPECT_EQ(finding["rule"], "send_ports");
  EXPECT_EQ(finding["step"], 0);
  EXPECT_EQ(finding["node"], 0);
  EXPECT_TRUE(finding.contains("arc"));
  EXPECT_THAT(std::string(finding["message"]), HasSubstr("1 send port"));
  EXPECT_FALSE(said.contains("bound"));
}

TEST(ViewPage, holds_two_plans_side_by_side) {
  const Made one = made("ring(5)", CollectiveKind::kAllgather);
  const Made two = made("torus(3,3)", CollectiveKind::kAlltoall);
  const std::string page = view_page(std::vector{with_bound(one), with_bound(two)});
  EXPECT_EQ(meta(page, 0)["spec"], "ring(5)");
  EXPECT_EQ(meta(page, 1)["spec"], "torus(3,3)");
  EXPECT_THAT(page, ::testing::AllOf(HasSubstr("id=data0>"), HasSubstr("id=data1>")));
}

TEST(ViewPage, holds_a_run_in_time) {
  const Made plan = made("ring(4)", CollectiveKind::kAllgather);
  PagePlan shown = with_bound(plan);
  const std::string without = view_page(std::vector{shown});
  EXPECT_FALSE(meta(without, 0).contains("cycle_microseconds"));
  shown.run = PageRun{{{ArcId{3}, 1, 70, 90}, {ArcId{0}, 0, 5, 69}}, 0.002};
  const std::string page = view_page(std::vector{shown});
  EXPECT_EQ(meta(page, 0)["cycle_microseconds"], 0.002);
  std::swap(shown.run->holds[0], shown.run->holds[1]);
  EXPECT_EQ(page, view_page(std::vector{shown})) << "whatever their order";
  EXPECT_GT(page.size(), without.size());
}

TEST(ViewPage, lets_nothing_end_its_scripts) {
  const Made plan = made("ring(3)", CollectiveKind::kAllgather);
  PagePlan shown = with_bound(plan);
  shown.algorithm = "</script><script>alert(1)</script><!--";
  const std::string page = view_page(std::vector{shown});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(meta(page, 0)["algorithm"], shown.algorithm);
}

TEST(ViewPage, says_what_to_leave_out_when_it_is_too_large) {
  const Made plan = made("torus(4,4)", CollectiveKind::kAlltoall);
  EXPECT_THAT(
      error_of([&] { static_cast<void>(view_page(std::vector{with_bound(plan)}, 40000)); }),
      ::testing::AllOf(HasSubstr("at most 40,000"), HasSubstr("--steps 0:"), HasSubstr("--nodes 0:16")));
}

TEST(ViewPage, says_which_steps_and_nodes_it_shows) {
  const Compiled compiled = compile(make_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall));
  PageColumns steps(compiled.head.problem, {.first_step = 1, .end_step = 3, .first_node = 4, .end_node = 6});
  compiled.schedule->plan().replay(steps);
  const nlohmann::json said =
      meta(view_page(std::vector{PagePlan{.steps = steps, .verdict = &compiled.verdict}}), 0);
  EXPECT_EQ(said["first_step"], 1);
  EXPECT_EQ(said["total_steps"], 8);
  EXPECT_EQ(said["notes"][0], "This page shows steps 2 to 3 of 8.");
  EXPECT_EQ(said["notes"][1], "It shows what nodes 4 to 5 send and receive, and no other transfers.");
}

}  // namespace
}  // namespace quadrille
