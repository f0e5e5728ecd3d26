#include "quadrille/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace model_test {

using ::testing::HasSubstr;

TEST(Model, PortsAreReadAsTheyAreWritten) {
  for (const Ports ports : {kOnePort, kAllPorts, Ports{2}, Ports{4294967295}}) {
    EXPECT_EQ(parse_ports(to_text(ports), "ports"), ports);
  }
  EXPECT_EQ(parse_ports("one", "ports"), kOnePort);
}

TEST(Model, BadPortsAreRefusedByTheNameOfTheOption) {
  for (const std::string_view text : {"", "0", "-1", "two", "1 ", "1.5", "4294967296"}) {
    EXPECT_THAT(error_of([&] { (void)parse_ports(text, "--ports"); }),
                HasSubstr("allowed are one, all or a number from 1 to 4294967295"))
        << text;
  }
  EXPECT_THAT(error_of([] { (void)parse_ports("0", "--send-ports"); }), HasSubstr("--send-ports is '0'"));
}

TEST(Model, EveryWordIsReadAsItIsWritten) {
  for (const Switching s : {Switching::kPacket, Switching::kWormhole, Switching::kShared})
    EXPECT_EQ(parse_switching(to_text(s)), s);
  for (const Packets p : {Packets::kOne, Packets::kMany}) EXPECT_EQ(parse_packets(to_text(p)), p);
  for (const Operator o : {Operator::kCommutative, Operator::kOrdered})
    EXPECT_EQ(parse_operator(to_text(o)), o);
  for (const Chunks c : {Chunks::kAnyOrder, Chunks::kInOrder}) EXPECT_EQ(parse_chunks(to_text(c)), c);
  for (const Duplex d : {Duplex::kFull, Duplex::kHalf}) EXPECT_EQ(parse_duplex(to_text(d)), d);
  for (const Routing r : {Routing::kAny, Routing::kShortest, Routing::kDimensionOrder}) {
    EXPECT_EQ(parse_routing(to_text(r)), r);
  }
}

TEST(Model, AnUnknownWordIsRefusedWithTheKnownOnes) {
  EXPECT_EQ(error_of([] { (void)parse_switching("circuit"); }),
            "unknown switching 'circuit'; allowed are packet, wormhole, shared");
  EXPECT_EQ(error_of([] { (void)parse_duplex(""); }), "unknown duplex ''; allowed are full, half");
  EXPECT_EQ(error_of([] { (void)parse_routing("xy"); }),
            "unknown routing 'xy'; allowed are any, shortest, dimension_order");
}

TEST(Model, WhatAStepMayDoIsAskedOnce) {
  const Model packet;
  const Model many{.packets = Packets::kMany};
  const Model wormhole{.switching = Switching::kWormhole};
  const Model shared{.switching = Switching::kShared};
  EXPECT_TRUE(sends_single_packets(packet));
  for (const Model& model : {many, wormhole, shared}) EXPECT_TRUE(carries_many(model)) << describe(model);
  for (const Model& model : {packet, many}) EXPECT_FALSE(takes_paths(model)) << describe(model);
  for (const Model& model : {wormhole, shared}) EXPECT_TRUE(takes_paths(model)) << describe(model);
  for (const Model& model : {packet, wormhole}) EXPECT_FALSE(shares_arcs(model)) << describe(model);
  for (const Model& model : {many, shared}) EXPECT_TRUE(shares_arcs(model)) << describe(model);
  EXPECT_EQ(describe(many), "all-port, packet switching, many packets a step, full duplex");
}

TEST(Model, TimeIsStartUpsAndHopsAndBytesOnTheCriticalPathAndBytesRearranged) {
  const CostConstants cost{.ts = 100.0, .tx = 0.5, .tl = 7.0, .rho = 0.25};
  EXPECT_DOUBLE_EQ(time_of(cost, {.start_ups = 3}, 64), 300.0);
  EXPECT_DOUBLE_EQ(time_of(cost, {.critical_hops = 9}, 64), 63.0);
  EXPECT_DOUBLE_EQ(
      time_of(cost, {.start_ups = 3, .critical_blocks = 10, .critical_hops = 9, .rearranged = 2}, 64),
      300.0 + 63.0 + 10 * 64 * 0.5 + 2 * 64 * 0.25);
  EXPECT_DOUBLE_EQ(time_of({.ts = 100.0, .to = 3.0}, {.start_ups = 2, .further_messages = 7}, 64), 221.0);
  // By default start-ups alone count.
  EXPECT_DOUBLE_EQ(time_of(CostConstants{}, {5, 1000, 1000, 1000}, 1), 5.0);
}

TEST(Model, QueuesAreCountedByEitherLink) {
  EXPECT_EQ(parse_queues_per("incoming"), QueuesPer::kIncoming);
  EXPECT_EQ(to_text(QueuesPer::kOutgoing), "outgoing");
  EXPECT_EQ(error_of([] { (void)parse_queues_per("both"); }),
            "unknown link to count queues by 'both'; allowed are outgoing, incoming");
  Model model{.queue_limit = 1, .queues_per = QueuesPer::kIncoming};
  EXPECT_EQ(describe(model),
            "all-port, packet switching, full duplex, queues of at most 1 per incoming link");
  model.queues_per = QueuesPer::kOutgoing;
  EXPECT_EQ(describe(model), "all-port, packet switching, full duplex, queues of at most 1");
}

TEST(Model, IsDescribedInOneLine) {
  EXPECT_EQ(describe(Model{}), "all-port, packet switching, full duplex");
  EXPECT_EQ(
      describe(
          {kOnePort, Ports{2}, Switching::kWormhole, Packets::kOne, Duplex::kHalf, Routing::kShortest, {}}),
      "1 send port, 2 receive ports, wormhole switching, half duplex, shortest routing");
}

}  // namespace model_test
}  // namespace quadrille
