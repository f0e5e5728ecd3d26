#include "quadrille/schedule/plan_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {

namespace plan_formats {
#define QUADRILLE_PLAN_FORMAT(name) extern const PlanFormat name;
#include "quadrille/schedule/plan_formats.inc"
#undef QUADRILLE_PLAN_FORMAT
}  // namespace plan_formats

namespace {

constexpr std::array kCards = {
#define QUADRILLE_PLAN_FORMAT(name) &plan_formats::name,
#include "quadrille/schedule/plan_formats.inc"
#undef QUADRILLE_PLAN_FORMAT
};

// Those that are written, the plain form first.
std::vector<const PlanFormat*> in_order() {
  std::vector<const PlanFormat*> out = {&plain_plan_format()};
  for (const PlanFormat* card : kCards) {
    if (card != out.front() && card->writer != nullptr) out.push_back(card);
  }
  return out;
}

// ".plan (text) or .json": a name only where the ending does not say it.
std::string endings() {
  std::vector<std::string> out;
  for (const PlanFormat* card : in_order()) {
    for (const std::string_view ending : card->extensions) {
      out.push_back(ending.substr(1) == card->name ? std::string(ending)
                                                   : fmt::format("{} ({})", ending, card->name));
    }
  }
  const std::string last = out.back();
  out.pop_back();
  return fmt::format("{} or {}", join(out), last);
}

}  // namespace

const Catalog<PlanFormat>& plan_format_catalog() {
  static constexpr Catalog<PlanFormat> kCatalog(kCards);
  return kCatalog;
}

const PlanFormat& plain_plan_format() { return plan_formats::text; }

const PlanFormat& plan_format_behind(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const PlanFormat* card : kCards) {
    if (card->recognises(text)) return *card;
  }
  return plain_plan_format();
}

const PlanFormat& plan_format_of(std::string_view path) {
  for (const PlanFormat* card : in_order()) {
    for (const std::string_view ending : card->extensions) {
      if (path.ends_with(ending)) return *card;
    }
  }
  if (is_special_file(std::string(path))) return plain_plan_format();
  throw InputError(fmt::format("cannot tell from the name '{}' how to write the plan: it must end in {}",
                               path, endings()));
}

std::string plan_names_and_readers() {
  std::vector<std::string> out;
  for (const PlanFormat* card : in_order())
    out.push_back(fmt::format("FILE{} for {}", card->extensions.front(), card->readers));
  return join(out);
}

std::string plan_names() {
  std::vector<std::string> out;
  for (const PlanFormat* card : in_order()) out.push_back(fmt::format("FILE{}", card->extensions.front()));
  return join(out);
}

}  // namespace quadrille
