#include "quadrille/topology/families/graph_words.h"

#include <fmt/format.h>

#include "quadrille/base/numbers/units.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {

GraphReading graph_words(const SpecCall& call, std::string_view syntax) {
  GraphReading out;
  expect_sections(call, 1, 2, syntax);
  if (call.sections.size() == 1) return out;
  for (const Arg& arg : call.sections[1].args) {
    if (arg.kind != ArgKind::kQuoted)
      throw call.error(arg.where, fmt::format("what is said of a graph is given in quotes: {}", syntax));
    const std::string_view text = arg.text;
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    std::string value(text.substr(std::min(text.find_first_not_of(' ', blank), text.size())));
    if (value.empty() || (word != kSwitchesWord && word != kUnitWord)) {
      throw call.error(arg.where,
                       fmt::format("'{}' says nothing of a graph; write \"{} type=switch\", \"{} spine*\" or "
                                   "\"{} 100Gbit/s\"",
                                   text, kSwitchesWord, kSwitchesWord, kUnitWord));
    }
    if (word == kSwitchesWord) {
      out.switches.push_back(std::move(value));
      continue;
    }
    if (!out.unit_bandwidth.empty()) throw call.error(arg.where, fmt::format("{} is said twice", kUnitWord));
    if (const ExactBandwidth read = read_bandwidth(value); !read.wrong.empty())
      throw call.error(arg.where, fmt::format("{} '{}': {}", kUnitWord, value, read.wrong));
    out.unit_bandwidth = std::move(value);
  }
  return out;
}

std::string graph_spec(std::string_view family, std::string_view quoted, const GraphReading& reading) {
  std::string out = fmt::format("{}({}", family, in_quotes(quoted));
  char separator = ';';
  const auto add = [&](std::string_view word, std::string_view value) {
    out += fmt::format("{}{}", separator, in_quotes(fmt::format("{} {}", word, value)));
    separator = ',';
  };
  for (const std::string& word : reading.switches) add(kSwitchesWord, word);
  if (!reading.unit_bandwidth.empty()) add(kUnitWord, reading.unit_bandwidth);
  return out + ")";
}

Topology build_read_graph(const SpecCall& call, std::string_view source, const std::string& content,
                          GraphFormat format, const GraphReading& reading) {
  const Arg& arg = call.sections[0].args[0];
  try {
    return read_graph(graph_spec(call.name, arg.text, reading), std::string(source), content, format,
                      reading);
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    // A message of several lines points into the file already.
    if (message.find('\n') != std::string_view::npos) throw SpecError(error);
    const auto* const of_words = dynamic_cast<const ValueError*>(&error);
    const bool has_words = call.sections.size() > 1;
    throw SpecError(
        call.error(of_words != nullptr && has_words ? call.sections[1].where : arg.where, message),
        of_words == nullptr ? RefusedValue{} : of_words->value());
  }
}

}  // namespace quadrille
