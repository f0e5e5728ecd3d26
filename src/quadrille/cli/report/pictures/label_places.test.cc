#include "quadrille/cli/report/pictures/label_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace label_places_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(LabelPlaces, WhatIsInTheWayIsStoodAbove) {
  const std::vector<WantedLabel> labels = {{0, 100, 50}, {20, 105, 50}, {40, 109, 50}, {200, 110, 50}};
  EXPECT_THAT(lifted_labels(labels, 10, 0),
              ElementsAre(Optional(89.0), Optional(99.0), Optional(109.0), Optional(110.0)));
}

TEST(LabelPlaces, WhatDoesNotReachTheNextStaysAndWhatFindsNoRoomIsLeftOut) {
  const std::vector<WantedLabel> apart = {{0, 100, 20}, {20, 100, 20}};
  EXPECT_THAT(lifted_labels(apart, 10, 0), ElementsAre(Optional(100.0), Optional(100.0)));
  const std::vector<WantedLabel> low = {{0, 9, 20}, {10, 9, 20}};
  EXPECT_THAT(lifted_labels(low, 10, 5), ElementsAre(std::nullopt, Optional(9.0)));
}

TEST(LabelPlaces, NeighboursAreMovedApartAndStayInside) {
  EXPECT_THAT(spread_places(std::vector<double>{}, 10, 0, 100), IsEmpty());
  EXPECT_THAT(spread_places(std::vector<double>{100, 104, 300}, 15, 0, 500), ElementsAre(94.5, 109.5, 300));
  EXPECT_THAT(spread_places(std::vector<double>{1, 2, 99}, 10, 0, 100), ElementsAre(5, 15, 95));
  EXPECT_THAT(spread_places(std::vector<double>{50, 51, 52}, 60, 0, 90), ElementsAre(15, 45, 75));
}

}  // namespace
}  // namespace label_places_test
}  // namespace quadrille
