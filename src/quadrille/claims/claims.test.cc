#include "quadrille/claims/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {
namespace claims_test {

const Paper& paper(std::string_view key) {
  for (const Paper& candidate : papers()) {
    if (candidate.key == key) return candidate;
  }
  ADD_FAILURE() << "no paper " << key;
  return papers().front();
}

/// The labels of one kind: of "Figure 3.4(a)", "Figure 3.4(b)" and "Figure 3 and Example 1", the kind
/// "Figure" has "3.4" and "3".
std::set<std::string> labels(const Paper& of, const std::string& kind) {
  const std::string prefix = kind + " ";
  std::set<std::string> found;
  for (const PaperClaim& claim : of.claims) {
    if (!claim.item.starts_with(prefix)) continue;
    const std::string_view rest = claim.item.substr(prefix.size());
    found.emplace(rest.substr(0, rest.find_first_not_of("0123456789.")));
  }
  return found;
}

std::set<std::string> one_to(int last) {
  std::set<std::string> numbers;
  for (int number = 1; number <= last; ++number) numbers.insert(std::to_string(number));
  return numbers;
}

size_t count_items(const Paper& of, std::string_view prefix) {
  return static_cast<size_t>(std::ranges::count_if(
      of.claims, [prefix](const PaperClaim& claim) { return claim.item.starts_with(prefix); }));
}

TEST(Claims, the_five_papers_are_there_and_named) {
  std::vector<std::string_view> keys;
  for (const Paper& each : papers()) {
    keys.push_back(each.key);
    EXPECT_FALSE(each.citation.empty()) << each.key;
    EXPECT_FALSE(each.claims.empty()) << each.key;
  }
  EXPECT_EQ(keys, (std::vector<std::string_view>{"dissertation_1996", "total_exchange_1998",
                                                 "wormhole_tori_1999", "meshes", "broadcast_tori_2000"}));
}

TEST(Claims, every_item_is_named_once_in_its_paper) {
  for (const Paper& each : papers()) {
    std::set<std::string_view> seen;
    for (const PaperClaim& claim : each.claims) {
      EXPECT_TRUE(seen.insert(claim.item).second) << each.key << ": " << claim.item << " twice";
    }
  }
}

TEST(Claims, every_claim_says_something) {
  for (const Paper& each : papers()) {
    for (const PaperClaim& claim : each.claims) {
      EXPECT_FALSE(claim.item.empty()) << each.key;
      EXPECT_FALSE(claim.statement.empty()) << each.key << ": " << claim.item;
    }
  }
}

TEST(Claims, a_verdict_comes_with_commands_or_a_test) {
  for (const Paper& each : papers()) {
    for (const PaperClaim& claim : each.claims) {
      const bool judged = claim.verdict != ClaimVerdict::kNotYet;
      EXPECT_EQ(!claim.checks.empty() || !claim.test.empty(), judged) << each.key << ": " << claim.item;
      for (const Recomputation& check : claim.checks) {
        EXPECT_TRUE(check.command.starts_with("quadrille ")) << each.key << ": " << check.command;
        EXPECT_FALSE(check.expect.empty()) << each.key << ": " << claim.item;
      }
    }
  }
}

TEST(Claims, the_tests_that_they_name_exist) {
  std::set<std::string> tests;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t)
      tests.insert(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
  }
  for (const Paper& each : papers()) {
    for (const PaperClaim& claim : each.claims) {
      if (claim.test.empty()) continue;
      EXPECT_TRUE(tests.contains(std::string(claim.test))) << each.key << ": " << claim.test;
    }
  }
}

TEST(Claims, a_correction_says_what_is_wrong) {
  for (const Paper& each : papers()) {
    for (const PaperClaim& claim : each.claims) {
      if (claim.verdict != ClaimVerdict::kCorrected && claim.verdict != ClaimVerdict::kSuperseded) continue;
      EXPECT_FALSE(claim.note.empty()) << each.key << ": " << claim.item;
    }
  }
}

TEST(Claims, statements_and_notes_are_sentences) {
  for (const Paper& each : papers()) {
    for (const PaperClaim& claim : each.claims) {
      EXPECT_TRUE(claim.statement.ends_with('.') || claim.statement.ends_with('?')) << claim.item;
      EXPECT_TRUE(claim.note.empty() || claim.note.ends_with('.')) << claim.item;
    }
  }
}

TEST(Claims, no_text_breaks_a_markdown_table) {
  const std::string_view special = "|*`~$\\\t\r\n";
  for (const Paper& each : papers()) {
    EXPECT_EQ(each.citation.find_first_of(special), std::string_view::npos) << each.key;
    for (const PaperClaim& claim : each.claims) {
      std::vector<std::string_view> texts = {claim.item, claim.statement, claim.test, claim.note};
      for (const std::string_view text : texts) {
        EXPECT_EQ(text.find_first_of(special), std::string_view::npos) << each.key << ": " << text;
        EXPECT_EQ(text.find("]("), std::string_view::npos) << each.key << ": " << text;  // a link
        EXPECT_EQ(text.find("  "), std::string_view::npos) << each.key << ": " << text;
        EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '}'; })) << text;
        for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
          EXPECT_TRUE(at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '=')) << text;  // a tag
        }
      }
      // These stand between backticks.
      for (const Recomputation& check : claim.checks) {
        for (const std::string_view text : {check.command, check.expect, check.over, check.falsehood}) {
          EXPECT_EQ(text.find_first_of("|`\\\t\r\n"), std::string_view::npos) << each.key << ": " << text;
        }
      }
    }
  }
}

TEST(Claims, verdicts_have_words) {
  EXPECT_EQ(to_text(ClaimVerdict::kHolds), "holds");
  EXPECT_EQ(to_text(ClaimVerdict::kCorrected), "corrected");
  EXPECT_EQ(to_text(ClaimVerdict::kSuperseded), "superseded");
  EXPECT_EQ(to_text(ClaimVerdict::kNotYet), "not yet");
}

// The censuses below are counts of the labels in the papers themselves, not of our tables.

TEST(Claims, the_dissertation_has_23_theorems_10_lemmas_5_corollaries_and_4_tables) {
  const Paper& of = paper("dissertation_1996");
  EXPECT_EQ(labels(of, "Theorem").size(), 23u);
  EXPECT_EQ(labels(of, "Lemma").size(), 10u);
  EXPECT_EQ(labels(of, "Corollary").size(), 5u);
  EXPECT_EQ(labels(of, "Table"), (std::set<std::string>{"5.1", "5.2", "6.1", "6.2"}));
  EXPECT_EQ(count_items(of, "Conjecture"), 1u);
  EXPECT_EQ(count_items(of, "Open question"), 10u);
}

TEST(Claims, the_dissertation_numbers_theorems_lemmas_and_corollaries_together_and_without_a_gap) {
  const Paper& of = paper("dissertation_1996");
  std::set<std::string> numbers;
  for (const char* kind : {"Theorem", "Lemma", "Corollary"}) numbers.merge(labels(of, kind));
  std::set<std::string> expected;
  for (const auto& [chapter, last] : std::map<int, int>{{2, 1}, {3, 8}, {4, 11}, {5, 8}, {6, 10}}) {
    for (int number = 1; number <= last; ++number) {
      expected.insert(std::to_string(chapter) + "." + std::to_string(number));
    }
  }
  EXPECT_EQ(numbers, expected);
}

TEST(Claims, of_the_39_figures_of_the_dissertation_22_make_a_claim) {
  const std::set<std::string> drawings = {"1.1", "1.2", "2.1", "2.2", "2.4", "2.5", "2.6", "2.7", "4.1",
                                          "4.3", "5.1", "5.4", "6.1", "6.2", "6.3", "6.5", "6.12"};
  std::set<std::string> figures = labels(paper("dissertation_1996"), "Figure");
  EXPECT_EQ(figures.size(), 22u);
  for (const std::string& drawing : drawings) EXPECT_FALSE(figures.contains(drawing)) << drawing;
  figures.insert(drawings.begin(), drawings.end());
  std::set<std::string> expected;
  for (const auto& [chapter, last] : std::map<int, int>{{1, 2}, {2, 7}, {3, 7}, {4, 6}, {5, 5}, {6, 12}}) {
    for (int number = 1; number <= last; ++number) {
      expected.insert(std::to_string(chapter) + "." + std::to_string(number));
    }
  }
  EXPECT_EQ(expected.size(), 39u);
  EXPECT_EQ(figures, expected);
}

TEST(Claims, total_exchange_1998_has_5_theorems_3_corollaries_2_tables_and_6_figures) {
  const Paper& of = paper("total_exchange_1998");
  EXPECT_EQ(labels(of, "Theorem"), one_to(5));
  EXPECT_EQ(labels(of, "Lemma").size(), 0u);
  EXPECT_EQ(labels(of, "Corollary"), one_to(3));
  EXPECT_EQ(labels(of, "Table"), one_to(2));
  EXPECT_EQ(labels(of, "Figure"), (std::set<std::string>{"3", "4", "6"}));  // 1, 2 and 5 are drawings
}

TEST(Claims, wormhole_tori_1999_has_3_theorems_8_lemmas_1_corollary_5_tables_and_14_figures) {
  const Paper& of = paper("wormhole_tori_1999");
  EXPECT_EQ(labels(of, "Theorem"), one_to(3));
  EXPECT_EQ(labels(of, "Lemma"), one_to(8));
  EXPECT_EQ(labels(of, "Corollary"), one_to(1));
  EXPECT_EQ(labels(of, "Observation"), one_to(1));
  EXPECT_EQ(labels(of, "Table"), one_to(5));
  std::set<std::string> figures = one_to(14);
  for (const char* drawing : {"2", "13", "14"}) figures.erase(drawing);
  EXPECT_EQ(labels(of, "Figure"), figures);
  EXPECT_EQ(count_items(of, "Conjecture"), 1u);
  EXPECT_EQ(count_items(of, "Open question"), 1u);
}

TEST(Claims, the_mesh_paper_has_2_tables_and_4_figures_and_no_theorems) {
  const Paper& of = paper("meshes");
  for (const char* kind : {"Theorem", "Lemma", "Corollary"}) EXPECT_EQ(labels(of, kind).size(), 0u) << kind;
  EXPECT_EQ(labels(of, "Table"), one_to(2));
  EXPECT_EQ(labels(of, "Figure"), one_to(4));
}

TEST(Claims, broadcast_tori_2000_has_2_theorems_6_lemmas_and_8_figures) {
  const Paper& of = paper("broadcast_tori_2000");
  EXPECT_EQ(labels(of, "Theorem"), one_to(2));
  EXPECT_EQ(labels(of, "Lemma"), one_to(6));
  EXPECT_EQ(labels(of, "Corollary").size(), 0u);
  EXPECT_EQ(labels(of, "Table").size(), 0u);
  std::set<std::string> figures = one_to(8);
  figures.erase("6");  // a drawing
  EXPECT_EQ(labels(of, "Figure"), figures);
}

}  // namespace claims_test
}  // namespace quadrille
