// MSCCL's XML as plans: what our exporter writes and what others write, and what is wrong with spoilt files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/files.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille::msccl_test {
namespace {

using ::testing::HasSubstr;

std::string sample(const std::string& name) {
  return read_file(source_path("testdata/msccl/" + name + ".xml"));
}

Verification judged(const std::string& text) {
  PlanFile file = read_plan(text, "x.xml");
  return verify(file.problem, std::move(file.plan));
}

std::string replaced(std::string text, std::string_view what, std::string_view by, size_t from = 0) {
  const size_t at = text.find(what, from);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Msccl, WhatIsExportedIsReadAsAGoodPlan) {
  const Exporter& exporter = *exporter_catalog().find("msccl");
  Model worms;
  worms.switching = Switching::kWormhole;
  struct Case {
    std::string network;
    Model model{};
    uint32_t pieces = 1;
  };
  for (const Case& one : {Case{"torus(3,3)"}, Case{"fat_tree(2,3)"}, Case{"ring(5)", {}, 3},
                          Case{"mesh(2,3)", worms}, Case{"complete(6)"}}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kAlltoall, CollectiveKind::kAllgather, CollectiveKind::kAllreduce,
          CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast, CollectiveKind::kReduce,
          CollectiveKind::kGather, CollectiveKind::kScatter}) {
      const Compiled made =
          compile(in_pieces(make_problem(parse_topology(one.network), kind, one.model, {}), one.pieces), {});
      const std::string text = exporter.write({*made.schedule, made.head.algorithm});
      const PlanFile file = read_plan(text, "x.xml");
      EXPECT_EQ(file.problem.collective(), made.head.problem.collective());
      const Verification found = verify(file.problem, file.plan);
      EXPECT_TRUE(found.schedule) << name_of(kind) << " on " << one.network << "\n" << text;
      EXPECT_EQ(read_plan(write_plan_json(file), "x.json"), file);
    }
  }
}

TEST(Msccl, FilesOfOthersAreJudged) {
  const Verification ring = judged(sample("allgather_ring"));
  ASSERT_TRUE(ring.schedule);
  EXPECT_EQ(ring.schedule->figures().steps, 2U);
  const Verification sums = judged(sample("allreduce_ring"));
  ASSERT_TRUE(sums.schedule);
  EXPECT_EQ(sums.schedule->figures().steps, 4U);
  const Verification scratch = judged(sample("allreduce_scratch"));
  ASSERT_TRUE(scratch.schedule);
  EXPECT_EQ(scratch.schedule->figures().steps, 1U);
}

TEST(Msccl, WhatIsNotDeliveredIsForTheJudge) {
  // The last receive of GPU 2 and its send are gone: its neighbour keeps the chunk.
  std::string text = sample("allgather_ring");
  const size_t last = text.rfind("      <step");
  text.erase(last, text.find('\n', last) + 1 - last);
  const size_t forwards = text.find("type=\"rcs\"", text.find("gpu id=\"1\""));
  text.replace(forwards, 10, "type=\"r\"");
  const Verification found = judged(text);
  EXPECT_FALSE(found.schedule);
  ASSERT_FALSE(found.verdict.findings.empty());
  EXPECT_EQ(found.verdict.findings.front().rule, "delivered");
}

TEST(Msccl, AContributionThatIsAddedTwiceIsFound) {
  const std::string text = replaced(sample("allreduce_ring"), "type=\"rcs\"", "type=\"rrcs\"");
  EXPECT_FALSE(judged(text).schedule);
}

// Whoever waits for nobody reads what is not there, or touches a chunk in no order.
TEST(Msccl, EveryDependencyThatIsTakenAwayIsMissed) {
  const Compiled made =
      compile(make_problem(parse_topology("torus(3,3)"), CollectiveKind::kAlltoall, {}, {}), {});
  const std::string text = exporter_catalog().find("msccl")->write({*made.schedule, ""});
  uint32_t taken = 0;
  for (size_t at = text.find("depid=\""); at != std::string::npos; at = text.find("depid=\"", at + 1)) {
    const size_t end = text.find(" hasdep", at);
    if (text.substr(at, 9) == "depid=\"-1") continue;
    std::string spoilt = text;
    spoilt.replace(at, end - at, "depid=\"-1\" deps=\"-1\"");
    EXPECT_THAT(error_of([&] { (void)read_plan(spoilt, "x.xml"); }),
                ::testing::AnyOf(HasSubstr("where nothing is yet"), HasSubstr("which of them comes first")))
        << text.substr(at - 90, end - at + 90);
    ++taken;
  }
  EXPECT_GT(taken, 10U);
}

// Two GPUs that send all their chunks before they receive: as many as a connection holds, and one more.
std::string eager_exchange(uint32_t chunks, std::string_view protocol) {
  std::string out = fmt::format(
      R"(<algo name="eager" proto="{}" nchannels="1" nchunksperloop="{}" ngpus="2" coll="allgather" inplace="0" outofplace="1" minBytes="0" maxBytes="0">)"
      "\n",
      protocol, 2 * chunks);
  for (uint32_t gpu = 0; gpu < 2; ++gpu) {
    const uint32_t other = 1 - gpu;
    out += fmt::format("<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"0\">\n", gpu, chunks,
                       2 * chunks);
    out += fmt::format("<tb id=\"0\" send=\"{0}\" recv=\"{0}\" chan=\"0\">\n", other);
    const auto step = [&](uint32_t number, const char* type, uint32_t at, uint32_t to) {
      out += fmt::format(
          R"(<step s="{}" type="{}" srcbuf="i" srcoff="{}" dstbuf="o" dstoff="{}" cnt="1" depid="-1" deps="-1" hasdep="0"/>)"
          "\n",
          number, type, at, to);
    };
    for (uint32_t c = 0; c < chunks; ++c) step(c, "s", c, gpu * chunks + c);
    for (uint32_t c = 0; c < chunks; ++c) step(chunks + c, "r", c, other * chunks + c);
    for (uint32_t c = 0; c < chunks; ++c) step(2 * chunks + c, "cpy", c, gpu * chunks + c);
    out += "</tb>\n</gpu>\n";
  }
  return out + "</algo>\n";
}

TEST(Msccl, WhoSendsMoreThanAConnectionHoldsBeforeAnybodyReceivesWaitsForEver) {
  struct Case {
    const char* protocol;
    uint32_t most;
  };
  for (const Case& one : {Case{"Simple", 2}, Case{"LL", 8}, Case{"LL128", 8}}) {
    const uint32_t most = one.most;
    const char* const protocol = one.protocol;
    EXPECT_TRUE(judged(eager_exchange(most, protocol)).schedule) << protocol;
    const std::string wrong = error_of([&] { (void)read_plan(eager_exchange(most + 1, protocol), "x.xml"); });
    EXPECT_THAT(wrong,
                HasSubstr(fmt::format("gpu 0, thread block 0, step {} waits for room for ever: a connection "
                                      "holds {} messages with this protocol, and gpu 1 receives none",
                                      most, most)));
    EXPECT_THAT(wrong, HasSubstr(fmt::format("x.xml:{}:", 4 + most)));
  }
}

void expect_refused(const std::string& text, const std::string& words) {
  EXPECT_THAT(error_of([&] { (void)read_plan(text, "x.xml"); }), HasSubstr(words)) << text;
}

TEST(Msccl, WhatIsWrongIsSaidWithItsPlace) {
  const std::string ring = sample("allgather_ring");
  expect_refused(replaced(ring, "</algo>", ""), "x.xml:26:1: Start-end tags mismatch");
  expect_refused(replaced(ring, "coll=\"allgather\"", "coll=\"custom\""),
                 "coll=\"custom\": a plan can be for allreduce");
  expect_refused(replaced(ring, "nchunksperloop=\"3\"", "nchunksperloop=\"4\""), "no multiple of the 3 GPUs");
  expect_refused(replaced(ring, "ngpus=\"3\"", "ngpus=\"6\""), "ngpus is 6, and not all of them are here");
  expect_refused(replaced(ring, "ngpus=\"3\"", "ngpus=\"2\""), "recv=\"2\": a number from -1 to 1 is needed");
  expect_refused(replaced(ring, "gpu id=\"1\"", "gpu id=\"0\""), "there is a gpu 0 already");
  expect_refused(replaced(ring, "o_chunks=\"3\"", "o_chunks=\"5\""),
                 "gpu 0 has o_chunks=\"5\"; 0 or 3 is needed");
  expect_refused(replaced(ring, "send=\"1\"", "send=\"0\""), "gpu 0 talks to itself");
  expect_refused(replaced(ring, "send=\"1\"", "send=\"-1\""), "this thread block sends to nobody");
  expect_refused(replaced(ring, "type=\"s\"", "type=\"send\""), "s, r, rcs, rrs, rrc, rrcs, cpy, re or nop");
  expect_refused(replaced(ring, "type=\"rcs\"", "type=\"rrcs\""), "nothing is added up in this collective");
  expect_refused(replaced(ring, "srcoff=\"0\"", "srcoff=\"7\""),
                 "1 chunks from i[7] on, where i_chunks is 1");
  expect_refused(replaced(ring, "cnt=\"1\"", "cnt=\"x\""), "cnt=\"x\": a number from 0");
  expect_refused(replaced(ring, "depid=\"-1\"", "depid=\"4\""), "depid and deps name a step together");
  expect_refused(replaced(ring, "depid=\"-1\" deps=\"-1\"", "depid=\"4\" deps=\"0\""),
                 "there is no step 0 of thread block 4");
  expect_refused(replaced(ring, "step s=\"1\"", "step s=\"2\""),
                 "steps are numbered from 0; this is number 1");
  // What comes to the wrong place.
  expect_refused(replaced(ring, "dstbuf=\"o\" dstoff=\"1\" cnt=\"1\"", "dstbuf=\"o\" dstoff=\"2\" cnt=\"1\"",
                          ring.find("type=\"r\"")),
                 "x.xml: in the end o[1] of gpu 0 holds nothing, and 1 belongs there");
  // Whoever waits for himself waits for ever.
  expect_refused(replaced(ring, "depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"3\""),
                 "gpu 0, thread block 0, step 0 waits for ever");
  const std::string scratch = sample("allreduce_scratch");
  expect_refused(replaced(scratch, "srcbuf=\"s\" srcoff=\"0\"", "srcbuf=\"i\" srcoff=\"0\""),
                 "would be added twice");
  expect_refused(replaced(scratch, "depid=\"2\" deps=\"0\"", "depid=\"-1\" deps=\"-1\""), "comes first");
  expect_refused(replaced(scratch, "s_chunks=\"2\"", "s_chunks=\"9000000\""), "most of them are never used");
}

}  // namespace
}  // namespace quadrille::msccl_test
