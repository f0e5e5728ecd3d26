#include "quadrille/topology/graph_files/stray_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace stray_routers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GraphTables tables(bool directed) {
  GraphTables out;
  out.directed = directed;
  out.nodes = {{"r", false}, {"a", true}, {"b", true}, {"s", false}, {"t", false}};
  out.edges = {{.tail = 1, .head = 2}, {.tail = 2, .head = 1}, {.tail = 2, .head = 3}};
  return out;
}

TEST(StrayRouters, AreLeftOutWithARemark) {
  GraphTables some = tables(false);
  leave_out_stray_routers(some, "net.gml");
  EXPECT_EQ(some.nodes.size(), 3U);
  EXPECT_EQ(some.nodes[2].name, "s");
  EXPECT_EQ(some.edges.back().tail, 1U);
  EXPECT_EQ(some.edges.back().head, 2U);
  EXPECT_THAT(some.remarks,
              ElementsAre("net.gml: 2 routers without a way to the endpoints and back are left out: r, t"));
}

TEST(StrayRouters, WhatLeadsNowhereIsOneToo) {
  GraphTables some = tables(true);
  leave_out_stray_routers(some, "net.gml");
  EXPECT_EQ(some.nodes.size(), 2U);
  EXPECT_EQ(some.edges.size(), 2U);
}

TEST(StrayRouters, EndpointsStayAndAreRefused) {
  GraphTables apart;
  apart.nodes = {{"a", true}, {"b", true}, {"", false}};
  apart.edges = {{.tail = 0, .head = 2}};
  leave_out_stray_routers(apart, "net.gml");
  EXPECT_EQ(apart.nodes.size(), 3U);
  EXPECT_THAT(apart.remarks, IsEmpty());
  GraphTables unmarked;
  unmarked.nodes = {{"a"}, {"b"}};
  leave_out_stray_routers(unmarked, "net.gml");
  EXPECT_EQ(unmarked.nodes.size(), 2U);
}

}  // namespace
}  // namespace stray_routers_test
}  // namespace quadrille
