// What exporters write is read again, by our own readers here; outside programs read it in tests/exports.
#include "quadrille/exporters/exporter.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/program/files/program_file.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::exporters_test {
namespace {

Topology rated_network() {
  return read_graph("net", "net",
                    "gpu0 sw0 100Gbit/s 2us\ngpu1 sw0 100Gbit/s 2us\ngpu0 gpu1 400Gbit/s 500ns\n",
                    GraphFormat::kEdgeList, {.switches = {"sw*"}});
}

Topology one_way_network() {
  TopologyBuilder builder("odd \"<&>\" name", 3);
  builder.labels({"a \"b\" <&>", "c/d", "c"});
  builder.arc(NodeId{0}, NodeId{1}, 3);
  builder.arc(NodeId{1}, NodeId{2});
  builder.arc(NodeId{2}, NodeId{0});
  builder.arc(NodeId{1}, NodeId{0}, 2);
  return builder.build();
}

std::vector<Topology> networks() {
  return {parse_topology("torus(3,3)"), parse_topology("fat_tree(2,2)"), parse_topology("line(12)"),
          rated_network(), one_way_network()};
}

const Exporter& exporter(std::string_view name) { return *exporter_catalog().find(name); }

void expect_read_again(std::string_view form, GraphFormat format) {
  for (const Topology& network : networks()) {
    const std::string text = exporter(form).write_network(network);
    const Topology again = read_graph(network.name(), "again", text, format);
    EXPECT_TRUE(again.same_graph(network)) << form << " of " << network.name() << "\n" << text;
    for (const NodeId node : network.nodes()) EXPECT_EQ(again.label(node), network.label(node));
    EXPECT_TRUE(again.remarks().empty() || form == "dot") << again.remarks().front();
    ASSERT_EQ(again.link_rates() == nullptr, network.link_rates() == nullptr);
    if (network.link_rates() == nullptr) continue;
    EXPECT_EQ(again.link_rates()->bandwidth, network.link_rates()->bandwidth);
    EXPECT_EQ(again.link_rates()->latency, network.link_rates()->latency);
  }
}

TEST(Exporters, NetworksAreReadAgainFromDot) { expect_read_again("dot", GraphFormat::kDot); }
TEST(Exporters, NetworksAreReadAgainFromGraphMl) { expect_read_again("graphml", GraphFormat::kGraphMl); }

TEST(Exporters, NetworksAreReadAgainFromNodeLink) { expect_read_again("node-link", GraphFormat::kNodeLink); }

std::string exported(std::string_view form, CollectiveKind kind, const std::string& network,
                     const Model& model = {}) {
  const Compiled made = compile(make_problem(parse_topology(network), kind, model, {}), {});
  return exporter(form).write({*made.schedule, made.head.algorithm});
}

TEST(Exporters, EveryExporterWritesOneThing) {
  for (const Exporter* one : exporter_catalog()) {
    EXPECT_EQ((one->write != nullptr) + (one->write_set != nullptr) + (one->write_network != nullptr) +
                  (one->write_files != nullptr),
              1)
        << one->name;
    EXPECT_FALSE(one->summary.empty());
  }
}

TEST(Exporters, BothFormsOfAProgramAreTheSameProgram) {
  for (const char* network : {"torus(4,4)", "torus(3,4)", "mesh(2,3)", "complete(5)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllreduce}) {
      const ProgramFile words = read_program(exported("program", kind, network), "a.qprog");
      EXPECT_EQ(read_program(exported("program-json", kind, network), "a.json"), words) << network;
    }
  }
}

// Of a plan that is not kept: written from what one node does, and from all that is done.
TEST(Exporters, AProgramIsTheSameHoweverItsStepsCome) {
  const Problem problem = make_problem(parse_topology("torus(40,40)"), CollectiveKind::kAlltoall, {}, {});
  class AllWrittenOut final : public StepSink {
   public:
    explicit AllWrittenOut(StepSink& to) : to_(to) {}
    void push(const StepView& step) override { to_.push(step); }

   private:
    StepSink& to_;
  };
  const auto plan = algorithm_catalog().find("alltoall_torus")->plan_for(problem);
  std::vector<std::string> files;
  for (const char* form : {"program", "program-json"}) {
    const std::unique_ptr<StreamedExport> brief = exporter(form).stream(problem);
    plan->generate(*brief);
    files.push_back(brief->finish("alltoall_torus"));
  }
  const std::unique_ptr<StreamedExport> whole = exporter("program").stream(problem);
  AllWrittenOut all(*whole);
  plan->generate(all);
  EXPECT_EQ(whole->finish("alltoall_torus"), files[0]);
  EXPECT_EQ(read_program(files[1], "a.json"), read_program(files[0], "a.qprog"));
}

TEST(Exporters, RowsOfCsvAreTheHopsOfBlocks) {
  const Compiled made =
      compile(make_problem(parse_topology("fat_tree(2,2)"), CollectiveKind::kAlltoall, {}, {}), {});
  const std::string text = exporter("csv").write({*made.schedule, ""});
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "step,transfer,hop,tail,head,block,origin,destination,replaces");
  // Every block ends where it is to go, and goes on where it is.
  std::map<uint32_t, uint32_t> at;
  uint64_t rows = 0;
  while (std::getline(lines, line)) {
    ++rows;
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    uint32_t step = 0;
    uint32_t transfer = 0;
    uint32_t hop = 0;
    uint32_t tail = 0;
    uint32_t head = 0;
    uint32_t block = 0;
    uint32_t origin = 0;
    uint32_t destination = 0;
    words >> step >> transfer >> hop >> tail >> head >> block >> origin >> destination;
    const auto [place, is_first] = at.try_emplace(block, origin);
    EXPECT_EQ(place->second, tail) << line;
    place->second = head;
    EXPECT_EQ(block, origin * 4 + destination);
  }
  EXPECT_GT(rows, 12U);
  ASSERT_EQ(at.size(), 12U);
  for (const auto& [block, node] : at) EXPECT_EQ(node, block % 4);
}

TEST(Exporters, WhatAFormCannotSayIsSaid) {
  EXPECT_EQ(
      error_of([] { exported("msccl", CollectiveKind::kBroadcast, "complete(230)"); }),
      "msccl: rank 0 would have 230 thread blocks; MSCCL takes at most 216, and the one that sends to rank 217 in step "
      "1 of the plan is too many. Plans in which ranks talk to fewer others, or on a network with fewer neighbours, need "
      "fewer");
  EXPECT_EQ(error_of([] { exported("msccl", CollectiveKind::kBroadcast, "hypercube(11)"); }),
            "msccl: 2048 ranks; MSCCL takes at most 1024");
  EXPECT_EQ(
      error_of([] { exported("msccl", CollectiveKind::kAlltoall, "line(40)"); }),
      "msccl: the thread block of rank 7 that sends to rank 8 would have 256 steps; MSCCL takes at most 255, and what it does in step 256 of the plan is too many");
  EXPECT_EQ(error_of([] {
              exported("msccl", CollectiveKind::kAllreduce, "ring(4)", {.combining = Operator::kOrdered});
            }),
            "msccl: sums in the order of ranks (--operator ordered); GPUs add in any order");
  EXPECT_EQ(
      error_of([] { exported("mscclpp", CollectiveKind::kScatter, "ring(3)"); }),
      "mscclpp: scatter is none of its collectives, which are allreduce, allgather, alltoall, reduce_scatter, "
      "broadcast, reduce");
  EXPECT_EQ(
      error_of([] { exported("mscclpp", CollectiveKind::kAlltoall, "complete(60)"); }),
      "mscclpp: rank 0 would have 119 thread blocks of at most 64 operations, which wait for each other; "
      "108 run at once");
  EXPECT_EQ(
      error_of([] { exported("msccl-tools", CollectiveKind::kAllreduce, "ring(3)"); }),
      "msccl-tools: allreduce adds up what it sends, from the first transfer on; what msccl-tools reads says only "
      "what is copied where (--to msccl has sums)");
  EXPECT_EQ(
      error_of([] { exported("msccl-tools", CollectiveKind::kAlltoall, "fat_tree(2,2)"); }),
      "msccl-tools: 0@1 is a router, through which blocks go; it knows ranks and the links between them alone "
      "(--to msccl leaves routers out)");
  EXPECT_EQ(
      error_of([] {
        exported("msccl-tools", CollectiveKind::kAlltoall, "ring(5)",
                 {.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole});
      }),
      "msccl-tools: step 1, transfer 2 takes a path of 2 links at once; a send of msccl-tools takes one (plan with "
      "--switching packet)");
}

TEST(Exporters, WhatRanksWaitForIsWrittenOnce) {
  // Every wait is of several messages here: one step of no time stands for them.
  const std::string text = exported("goal", CollectiveKind::kAlltoall, "torus(3,3)");
  EXPECT_NE(text.find("w1: calc 0\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("w0:"), std::string::npos) << text;
}

}  // namespace
}  // namespace quadrille::exporters_test
