#include "quadrille/schedule/plan_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_forms.test.h"

namespace quadrille {
namespace plan_reader_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(PlanReader, EveryFormatReadsWhatItWritesAndIsToldApartByIt) {
  ASSERT_GE(plan_format_catalog().size(), 2U);
  for (const PlanFormat* format : plan_format_catalog()) {
    if (format->writer == nullptr) continue;
    for (const PlanFile& file : plans_of_all_shapes()) {
      const std::string text = write_plan(file, *format);
      EXPECT_EQ(&plan_format_behind(text), format) << text;
      EXPECT_EQ(read_plan(text, "x"), file);
      EXPECT_EQ(read_plan("\xef\xbb\xbf" + text, "x").plan, file.plan) << "a mark of the order of bytes";
    }
  }
}

TEST(PlanReader, EveryFormatSaysWhatItIsCalledAndWhatItsFilesAreCalled) {
  for (const PlanFormat* format : plan_format_catalog()) {
    if (format->writer == nullptr) continue;
    EXPECT_EQ(plan_format_catalog().find(format->name), format);
    ASSERT_FALSE(format->extensions.empty()) << format->name;
    for (const std::string_view ending : format->extensions) {
      EXPECT_THAT(ending, StartsWith("."));
      EXPECT_EQ(&plan_format_of("a" + std::string(ending)), format) << "and no other's";
      EXPECT_THAT(plan_names(), HasSubstr("FILE" + std::string(format->extensions.front())));
    }
    EXPECT_THAT(plan_names_and_readers(), HasSubstr(std::string(format->readers)));
  }
  EXPECT_EQ(plan_names(), "FILE.plan, FILE.json");
  EXPECT_EQ(plan_names_and_readers(), "FILE.plan for people, FILE.json for programs");
}

TEST(PlanReader, TheNameOfAFileSaysTheFormat) {
  EXPECT_EQ(plan_format_of("a.json").name, "json");
  EXPECT_EQ(plan_format_of("a.json.plan").name, "text");
  EXPECT_THAT(error_of([] { (void)plan_format_of("net.txt"); }),
              HasSubstr("name 'net.txt' how to write the plan: it must end in .plan (text) or .json"));
}

TEST(PlanReader, WhatNoFormatRecognisesIsCalledABadText) {
  EXPECT_EQ(plan_format_behind("").name, "text");
  EXPECT_EQ(plan_format_behind(" \n\t{").name, "json");
  EXPECT_THAT(error_of([] { (void)read_plan("<plan/>", "x.xml"); }), StartsWith("x.xml:1:1: "));
}

TEST(PlanReader, FilesAreWrittenWholeAndReadBack) {
  const PlanFile file = plans_of_all_shapes().at(7);
  for (const std::string_view ending : {".plan", ".json"}) {
    const std::string path = ::testing::TempDir() + "quadrille_plan_reader" + std::string(ending);
    write_plan_file(path, file);
    EXPECT_EQ(read_plan_file(path), file);
    std::remove(path.c_str());
  }
  EXPECT_THAT(error_of([&] { write_plan_file("/no/such/folder/a.plan", file); }),
              HasSubstr("cannot write '/no/such/folder/a.plan'"));
  EXPECT_THAT(error_of([] { (void)read_plan_file("/no/such/a.plan"); }),
              HasSubstr("cannot read '/no/such/a.plan'"));
}

}  // namespace plan_reader_test
}  // namespace quadrille
