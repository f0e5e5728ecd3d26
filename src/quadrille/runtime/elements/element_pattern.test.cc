#include "quadrille/runtime/elements/element_pattern.h"

#include <gtest/gtest.h>

#include <vector>

namespace quadrille::element_pattern_test {
namespace {

constexpr size_t kBytes = 480;

// What every rank contributes to an allreduce, combined one rank after another; without one of them, or with it twice.
std::vector<std::byte> result(const BufferLayout& layout, const Elements& elements,
                              uint32_t without = UINT32_MAX, uint32_t twice = UINT32_MAX) {
  std::vector<std::byte> out;
  std::vector<std::byte> input(kBytes);
  const auto add = [&](uint32_t rank) {
    fill_elements(layout, Rank{rank}, kBytes, 7, elements, input);
    if (out.empty()) {
      out = input;
    } else {
      reduction_of(elements).apply(out.data(), input.data(), kBytes);
    }
  };
  for (uint32_t rank = 0; rank < layout.num_ranks(); ++rank) {
    if (rank != without) add(rank);
    if (rank == twice) add(rank);
  }
  return out;
}

TEST(ElementPattern, WhatIsMissingShowsAndWhatIsRightPasses) {
  for (const uint32_t ranks : {2U, 5U, 16U}) {
    const BufferLayout layout(Collective::standard(CollectiveKind::kAllreduce, ranks));
    for (int t = 0; t <= static_cast<int>(ElementType::kDouble); ++t) {
      for (int o = 0; o <= static_cast<int>(ElementOperator::kCompose); ++o) {
        const Elements elements{ElementType(t), ElementOperator(o)};
        if (is_floating(elements.type) && o >= 4 && o <= 6) continue;
        SCOPED_TRACE(std::string(to_text(elements.type)) + " " + std::string(to_text(elements.op)));
        const auto wrong = [&](const std::vector<std::byte>& output) {
          return check_elements(layout, Rank{0}, kBytes, 7, elements, output).wrong;
        };
        EXPECT_EQ(wrong(result(layout, elements)), 0U);
        for (const uint32_t lost : {0U, ranks - 1})
          EXPECT_GT(wrong(result(layout, elements, lost)), 0U) << lost;
        std::vector<std::byte> spoilt(kBytes);
        spoil_elements(spoilt);
        EXPECT_GT(wrong(spoilt), 0U);
      }
    }
  }
}

TEST(ElementPattern, WhatIsCountedTwiceShowsWhereItMatters) {
  const BufferLayout layout(Collective::standard(CollectiveKind::kAllreduce, 5));
  for (const ElementOperator op : {ElementOperator::kSum, ElementOperator::kProd, ElementOperator::kBxor,
                                   ElementOperator::kLxor, ElementOperator::kCompose}) {
    const Elements elements{op == ElementOperator::kBxor ? ElementType::kInt32 : ElementType::kFloat, op};
    const auto output = result(layout, elements, UINT32_MAX, 2);
    EXPECT_GT(check_elements(layout, Rank{0}, kBytes, 7, elements, output).wrong, 0U) << to_text(op);
  }
}

TEST(ElementPattern, OrderShowsWhereItMatters) {
  const BufferLayout layout(Collective::standard(CollectiveKind::kAllreduce, 2));
  const Elements elements{ElementType::kInt32, ElementOperator::kCompose};
  std::vector<std::byte> first(kBytes);
  std::vector<std::byte> second(kBytes);
  fill_elements(layout, Rank{0}, kBytes, 1, elements, first);
  fill_elements(layout, Rank{1}, kBytes, 1, elements, second);
  std::vector<std::byte> wrong_way(first);
  reduction_of(elements).apply_before(wrong_way.data(), second.data(), kBytes);
  EXPECT_GT(check_elements(layout, Rank{0}, kBytes, 1, elements, wrong_way).wrong, 0U);
  reduction_of(elements).apply(first.data(), second.data(), kBytes);
  EXPECT_EQ(check_elements(layout, Rank{0}, kBytes, 1, elements, first).wrong, 0U);
}

}  // namespace
}  // namespace quadrille::element_pattern_test
