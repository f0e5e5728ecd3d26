#include "quadrille/reproduce/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr size_t kMostValues = 1000;

[[noreturn]] void refuse(std::string_view option, std::string_view text) {
  throw InputError(fmt::format("--{}: '{}' is no list of values; give 6 or 4,5,6 or 4..9{}", option, text,
                               option == "ports" ? ", or one, or all" : ""));
}

double parse_value(std::string_view option, std::string_view part, std::string_view text) {
  if (option == "ports" && part == "one") return 1;
  if (option == "ports" && part == "all") return 0;
  double out = 0;
  const auto [end, error] =
      std::from_chars(part.data(), part.data() + part.size(), out, std::chars_format::fixed);
  if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(out)) refuse(option, text);
  return out;
}

const Parameter* find(std::span<const Parameter> parameters, std::string_view name) {
  const auto at =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == name; });
  return at == parameters.end() ? nullptr : &*at;
}

InputError no_such_parameter(std::string_view who, std::span<const Parameter> parameters,
                             std::string_view name) {
  if (parameters.empty()) return InputError(fmt::format("--{}: {} has no parameters", name, who));
  std::vector<std::string> names;
  for (const Parameter& p : parameters) {
    // A meaning may end with a comma: it is read in the middle of sentences.
    const std::string_view meaning = p.meaning.substr(0, p.meaning.find_last_not_of(',') + 1);
    names.push_back(fmt::format("--{} ({})", p.name, meaning));
  }
  return InputError(fmt::format("--{}: {} does not depend on it; it takes {}", name, who, join(names)));
}

void check_range(std::string_view who, const Parameter& parameter, double value) {
  const bool is_all_ports = parameter.is_ports && value == 0;
  const bool fits = value >= parameter.least && value <= parameter.most;
  const bool is_multiple = !parameter.whole || std::fmod(value, parameter.multiple) == 0;
  const bool is_allowed = parameter.allows == nullptr || parameter.allows(value);
  if ((fits || is_all_ports) && is_multiple && is_allowed) return;
  throw InputError(fmt::format("--{}: {} holds for {} from {}; {} is none of these", parameter.name, who,
                               parameter.meaning, range_of(parameter), value_text(parameter, value)));
}

}  // namespace

Settings::Settings(std::string_view who, std::span<const Parameter> parameters,
                   std::span<const Given> given) {
  for (const Parameter& parameter : parameters)
    values_.push_back({parameter.name, {parameter.printed.begin(), parameter.printed.end()}});
  for (const Given& each : given) {
    const Parameter* parameter = find(parameters, each.name);
    if (parameter == nullptr) throw no_such_parameter(who, parameters, each.name);
    for (const double value : each.values) check_range(who, *parameter, value);
    for (Value& value : values_) {
      if (value.name == each.name) value.values = each.values;
    }
    as_printed_ = false;
  }
}

bool Settings::has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(), [&](const Value& value) { return value.name == name; });
}

std::span<const double> Settings::values(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.name == name) return value.values;
  }
  QUADRILLE_CHECK(false, std::string(name));
  return {};
}

std::vector<uint64_t> Settings::whole(std::string_view name) const {
  std::vector<uint64_t> out;
  for (const double value : values(name)) out.push_back(static_cast<uint64_t>(value));
  return out;
}

std::string range_of(const Parameter& parameter) {
  std::string out =
      fmt::format("{} to {}", value_text(parameter, parameter.least), value_text(parameter, parameter.most));
  if (parameter.is_ports) return out + ", or all";
  if (!parameter.whole) return out + ", fractions too";
  return parameter.multiple == 1 ? out : fmt::format("{}, multiples of {}", out, parameter.multiple);
}

std::string value_text(const Parameter& parameter, double value) {
  if (parameter.is_ports && value == 0) return "all";
  return fmt::format("{:.15g}", value);
}

std::vector<double> parse_values(std::string_view option, std::string_view text) {
  std::vector<double> out;
  std::string_view rest = text;
  while (true) {
    const size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (const size_t dots = part.find(".."); dots != std::string_view::npos) {
      const double from = parse_value(option, part.substr(0, dots), text);
      const double to = parse_value(option, part.substr(dots + 2), text);
      if (to < from || to - from >= static_cast<double>(kMostValues)) refuse(option, text);
      for (double value = from; value <= to; ++value) out.push_back(value);
    } else {
      out.push_back(parse_value(option, part, text));
    }
    if (comma == std::string_view::npos) break;
    rest = rest.substr(comma + 1);
  }
  if (out.size() > kMostValues) refuse(option, text);
  return out;
}

}  // namespace quadrille
