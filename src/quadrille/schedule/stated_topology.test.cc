#include "quadrille/schedule/stated_topology.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace stated_topology_test {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRack = source_path("testdata/graphs/rack.gml");
// No graph: its lines must stay where they are.
const std::string kSecret = source_path("testdata/graphs/no.dot");

std::string text_plan(const std::string& spec, const std::string& more = "") {
  return fmt::format("quadrille-plan 1\ntopology {}\n{}collective allgather\n", spec, more);
}
std::string json_plan(std::string spec) {
  for (size_t at = spec.find('"'); at != std::string::npos; at = spec.find('"', at + 2))
    spec.insert(at, 1, '\\');
  return fmt::format(R"j({{"format":"quadrille-plan","version":1,"topology":{{"spec":"{}"}},)j"
                     R"j("collective":{{"kind":"allgather"}},"steps":[]}})j",
                     spec);
}
std::string refusal(const std::string& plan) {
  return error_of([&] { (void)read_plan(plan, "x.plan"); });
}

TEST(StatedTopology, APlanOpensNoFileUnlessItMay) {
  const std::string graph = fmt::format("file(\"{}\")", kRack);
  for (const std::string& spec :
       {graph, fmt::format("file (\"{}\")", kRack), fmt::format("product(ring(3),{})", graph),
        fmt::format("product(product(ring(3),product( {} )),line(2))", graph)}) {
    for (const std::string& plan : {text_plan(spec), json_plan(spec)}) {
      EXPECT_THAT(refusal(plan), HasSubstr("a plan opens no file unless that is allowed (--allow-files)"))
          << spec;
      EXPECT_EQ(read_plan(plan, "x.plan", GraphFiles::kAllowed).problem.topology().num_nodes() % 5, 0U)
          << spec;
    }
  }
}

TEST(StatedTopology, NodesKeepTheNamesThatPeopleGaveThem) {
  const std::string plan =
      "quadrille-plan 1\nlink 0 1\nlink 1 2\nlabel 1 nvsw 0\nlabel 0 gpu0\ncollective allgather\n";
  const PlanFile file = read_plan(plan, "x.plan");
  for (const PlanFile& again :
       {file, read_plan(write_plan_text(file), "y.plan"), read_plan(write_plan_json(file), "y.json")}) {
    const Topology& topology = again.problem.topology();
    EXPECT_EQ(topology.label(NodeId{0}), "gpu0");
    EXPECT_EQ(topology.label(NodeId{1}), "nvsw 0");
    EXPECT_EQ(topology.label(NodeId{2}), "2");
  }
  EXPECT_THAT(write_plan_text(file), HasSubstr("\nlabel 0 gpu0\nlabel 1 nvsw 0\nlabel 2 2\n"));
  // Numbers are no names, and a spec names its nodes itself.
  EXPECT_THAT(write_plan_text(read_plan("quadrille-plan 1\nlink 0 1\ncollective allgather\n", "x.plan")),
              Not(HasSubstr("label")));
  EXPECT_THAT(write_plan_json(read_plan(text_plan("torus(3,3)"), "x.plan")), Not(HasSubstr("labels")));
}

TEST(StatedTopology, NamesOfAFileAreStated) {
  const Topology rack = parse_topology(fmt::format("file(\"{}\")", kRack));
  std::vector<std::string> names;
  for (const NodeId v : rack.nodes()) names.push_back(rack.label(v));
  EXPECT_EQ(labels_to_state(rack), names);
  EXPECT_THAT(labels_to_state(parse_topology("torus(3,3)")), ::testing::IsEmpty());
}

TEST(StatedTopology, LabelsThatMakeNoSense) {
  const auto links = [](const std::string& labels) {
    return refusal("quadrille-plan 1\nlink 0 1\n" + labels + "collective allgather\n");
  };
  EXPECT_EQ(links("label 0 a\nlabel 2 b\n"),
            "x.plan:4:7: node 2 does not exist: the nodes are 0 to 1\n  label 2 b\n        ^~~");
  EXPECT_THAT(links("label 0 a\nlabel 0 b\n"), HasSubstr("x.plan:4:7: node 0 has a label already, 'a'"));
  EXPECT_THAT(links("label 0\n"), HasSubstr("the label of node 0 is empty"));
  EXPECT_THAT(refusal(text_plan("ring(3)", "label 1 b\n")), HasSubstr("ring(3) names its nodes itself"));
  EXPECT_THAT(
      refusal(
          R"({"format":"quadrille-plan","version":1,"topology":{"links":[[0,1],[1,0]],"labels":["a","b","c"]},)"
          R"("collective":{"kind":"allgather"},"steps":[]})"),
      HasSubstr("topology.labels[2]: node 2 does not exist"));
}

TEST(StatedTopology, TheRefusalPointsAtTheFile) {
  EXPECT_EQ(refusal(text_plan("product(ring(3),file(\"a.txt\"))")),
            "x.plan:2:26: a plan opens no file unless that is allowed (--allow-files); it can list the "
            "links of the topology instead\n"
            "  topology product(ring(3),file(\"a.txt\"))\n"
            "                           ^~~~~~~~~~~~~");
}

TEST(StatedTopology, NothingOfAFileIsTold) {
  const std::string missing = fmt::format("file(\"{}.not_there.dot\")", kSecret);
  const std::string there = fmt::format("file(\"{}\")", kSecret);
  EXPECT_THAT(refusal(text_plan(missing)), Not(HasSubstr("No such file")));
  EXPECT_THAT(refusal(text_plan(there)), Not(HasSubstr("not DOT")));
  const std::string links = "link 0 1\nlink 1 2\n";
  EXPECT_EQ(refusal(text_plan(missing, links)), "no error");
  EXPECT_EQ(refusal(text_plan(there, links)), "no error");
}

TEST(StatedTopology, WithLinksTheFileIsOnlyAName) {
  const std::string spec = fmt::format("file(\"{}\")", kRack);
  const std::string other = text_plan(spec, "link 0 1\nlink 1 2\n");
  const PlanFile file = read_plan(other, "x.plan");
  EXPECT_EQ(file.problem.topology().name(), spec);
  EXPECT_EQ(file.problem.topology().num_nodes(), 3U);
  // Who opens it sees that it is another.
  EXPECT_THAT(error_of([&] { (void)read_plan(other, "x.plan", GraphFiles::kAllowed); }),
              HasSubstr("this is a plan for another topology"));
}

TEST(StatedTopology, APlanForAGraphFileIsReadWhereThatFileMayNotBeOpened) {
  const Topology net = parse_topology(fmt::format("file(\"{}\")", kRack));
  const PlanFile file{{standard_problem(net, CollectiveKind::kAllgather), {}, {}, {}, {}}, {}};
  for (const PlanFormat* form : plan_format_catalog()) {
    if (form->writer == nullptr) continue;
    const std::string plan = write_plan(file, *form);
    EXPECT_TRUE(read_plan(plan, "x.plan").problem.topology().same_graph(net));
    EXPECT_EQ(read_plan(plan, "x.plan", GraphFiles::kAllowed), file);
  }
}

TEST(StatedTopology, ASpecThatIsNoneIsRefusedBesideLinks) {
  const std::string links = R"("links":[[0,1],[1,0],[1,2],[2,1]])";
  const auto json = [&](std::string spec) {
    std::string plan = json_plan(std::move(spec));
    return plan.replace(plan.find("},\"collective"), 1, "," + links + "}");
  };
  for (const std::string& spec : {std::string("edges(\"a b 1.5, b c 1\")"), std::string("torus(3,3;x)"),
                                  std::string("product(line(3),nothing(2))")}) {
    const std::string text = refusal(text_plan(spec, "link 0 1\nlink 1 2\n"));
    EXPECT_NE(text, "no error") << spec;
    EXPECT_EQ(refusal(text_plan(spec)), text) << spec;
    EXPECT_THAT(refusal(json(spec)), HasSubstr("x.plan:1:")) << spec;
  }
  EXPECT_THAT(refusal(json("edges(\"a b 1.5, b c 1\")")), HasSubstr("1.5"));
  // Names that strangers give stay names.
  for (const std::string spec : {"our rack", "my_torus(3,3)", "line(3) of the lab"}) {
    EXPECT_EQ(refusal(json(spec)), "no error") << spec;
    EXPECT_EQ(refusal(text_plan(spec, "link 0 1\nlink 1 2\n")), "no error") << spec;
  }
}

TEST(StatedTopology, ANameOfAFileNeverSuffices) {
  EXPECT_FALSE(name_suffices(parse_topology(fmt::format("file(\"{}\")", kRack))));
  EXPECT_FALSE(name_suffices(parse_topology(fmt::format("product(ring(3),file(\"{}\"))", kRack))));
  EXPECT_TRUE(name_suffices(parse_topology("product(ring(3),line(2))")));
}

}  // namespace stated_topology_test
}  // namespace quadrille
