#include "quadrille/base/crew/packing.h"

#include <gtest/gtest.h>

#include <limits>

namespace quadrille {
namespace packing_test {

enum class Colour : uint8_t { kRed, kBlue };

struct Inner {
  std::string name{};
  std::optional<double> time{};
  friend void fields(auto& io, Inner& inner) { io(inner.name, inner.time); }
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Outer {
  uint64_t number = 0;
  bool flag = false;
  Colour colour = Colour::kRed;
  std::vector<Inner> inner{};
  std::vector<std::vector<uint32_t>> rows{};
  std::optional<std::string> word{};
  friend void fields(auto& io, Outer& outer) {
    io(outer.number, outer.flag, outer.colour, outer.inner, outer.rows, outer.word);
  }
  friend bool operator==(const Outer&, const Outer&) = default;
};

TEST(Packing, WhatIsUnpackedIsWhatWasPacked) {
  const std::vector<Outer> all = {
      {},
      {.number = std::numeric_limits<uint64_t>::max(),
       .flag = true,
       .colour = Colour::kBlue,
       .inner = {{"", {}}, {std::string("a\0b", 3), 0.1}},
       .rows = {{}, {1, 2, 3}},
       .word = "x"},
  };
  EXPECT_EQ(unpacked<std::vector<Outer>>(packed(all)), all);
  EXPECT_EQ(unpacked<std::optional<Outer>>(packed(std::optional<Outer>())), std::nullopt);
}

TEST(Packing, BytesOfAnotherBuildAreABugAndNotAnAnswer) {
  const std::string bytes = packed(Outer{.inner = {{"name", 1.0}}});
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(static_cast<void>(unpacked<Outer>(bytes.substr(0, length))), InternalError) << length;
  EXPECT_THROW(static_cast<void>(unpacked<Outer>(bytes + "x")), InternalError);
}

}  // namespace packing_test
}  // namespace quadrille
