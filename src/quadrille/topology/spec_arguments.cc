#include "quadrille/topology/spec_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/ids.h"
#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

// What building a graph takes at its peak, measured: the pending and the sorted list of arcs, and the arrays.
constexpr Int128 kBytesPerArc = 40;
constexpr Int128 kBytesPerNode = 24;

void append_repeated(const SpecCall& call, const Arg& arg, uint64_t value, uint64_t times,
                     std::vector<uint64_t>& out) {
  if (times == 0) throw call.error(arg.where, "an exponent is how often a size is repeated: at least once");
  if (times > kMaxDimensions || out.size() + times > kMaxDimensions) {
    throw call.error(arg.where,
                     fmt::format("{} can have at most {} dimensions or levels", call.name, kMaxDimensions));
  }
  out.insert(out.end(), times, value);
}

void check_range(const SpecCall& call, const Arg& arg, uint64_t value, std::string_view what, uint64_t least,
                 uint64_t most) {
  if (value < least) {
    throw call.error(arg.where, fmt::format("the {} is {}, at least {} is needed", what, value, least));
  }
  if (value > most) {
    throw call.error(arg.where, fmt::format("the {} is {}, at most {} is possible", what, value, most));
  }
}

}  // namespace

void expect_sections(const SpecCall& call, size_t least, size_t most, std::string_view syntax) {
  if (call.sections.size() > most) {
    const ByteRange extra = call.sections[most].where;
    throw call.error({extra.begin - 1, std::max(extra.end, extra.begin)},
                     fmt::format("{} has no such part: {}", call.name, syntax));
  }
  if (call.sections.size() < least) {
    throw call.error({call.where.end - 1, call.where.end},
                     fmt::format("{} needs more here, after a ';': {}", call.name, syntax));
  }
}

void expect_arguments(const SpecCall& call, size_t section, size_t count, std::string_view syntax) {
  const SpecSection& given = call.sections[section];
  if (given.args.size() == count) return;
  const std::string message = fmt::format("{} takes {} argument{} here, not {}: {}", call.name, count,
                                          count == 1 ? "" : "s", given.args.size(), syntax);
  if (given.args.size() > count) {
    throw call.error({given.args[count].where.begin, given.where.end}, message);
  }
  throw call.error({given.where.end, given.where.end + 1}, message);
}

uint64_t read_number(const SpecCall& call, const Arg& arg, std::string_view what, uint64_t least,
                     uint64_t most) {
  if (arg.kind != ArgKind::kNumber) {
    throw call.error(arg.where, fmt::format("the {} is a number, not '{}'", what, call.quote(arg.where)));
  }
  check_range(call, arg, arg.number, what, least, most);
  return arg.number;
}

std::vector<uint64_t> read_numbers(const SpecCall& call, size_t section, std::string_view what,
                                   uint64_t least, uint64_t most) {
  const SpecSection& given = call.sections[section];
  if (given.args.empty()) {
    throw call.error({given.where.begin, given.where.begin + 1},
                     fmt::format("{} needs at least one {}", call.name, what));
  }
  std::vector<uint64_t> out;
  for (const Arg& arg : given.args) {
    if (arg.kind == ArgKind::kPower) {
      check_range(call, arg, arg.number, what, least, most);
      append_repeated(call, arg, arg.number, arg.second, out);
    } else {
      append_repeated(call, arg, read_number(call, arg, what, least, most), 1, out);
    }
  }
  return out;
}

uint64_t read_only_number(const SpecCall& call, std::string_view what, std::string_view syntax,
                          uint64_t least, uint64_t most) {
  expect_sections(call, 1, 1, syntax);
  expect_arguments(call, 0, 1, syntax);
  return read_number(call, call.sections[0].args[0], what, least, most);
}

std::vector<uint64_t> read_only_numbers(const SpecCall& call, std::string_view what, std::string_view syntax,
                                        uint64_t least, uint64_t most) {
  expect_sections(call, 1, 1, syntax);
  return read_numbers(call, 0, what, least, most);
}

void require_numbered(const SpecCall& call, Int128 nodes) {
  if (nodes < Int128{kMaxIds}) return;
  throw call.error(call.where, fmt::format("{} has {} nodes; at most {} can be numbered",
                                           call.quote(call.where), to_string(nodes), kMaxIds - 1));
}

void require_buildable(const SpecCall& call, Int128 nodes, Int128 arcs) {
  const std::string_view name = call.quote(call.where);
  require_numbered(call, nodes);
  if (arcs > Int128{kMaxBuiltArcs}) {
    throw call.error(call.where, fmt::format("{} has {} arcs; a graph of at most {} can be built", name,
                                             to_string(arcs), kMaxBuiltArcs));
  }
  const Int128 needed = nodes * kBytesPerNode + arcs * kBytesPerArc;
  try {
    require_memory(needed, fmt::format("{} has {} arcs and", name, to_string(arcs)));
  } catch (const InputError& error) {
    throw call.error(call.where, error.what());
  }
}

std::string spec_text(std::string_view family, const std::vector<uint64_t>& numbers) {
  return fmt::format("{}({})", family, fmt::join(numbers, ","));
}

std::string levels_text(const std::vector<uint64_t>& numbers) {
  const bool equal = std::all_of(numbers.begin(), numbers.end(), [&](uint64_t n) { return n == numbers[0]; });
  if (equal && numbers.size() > 1) return fmt::format("{}^{}", numbers[0], numbers.size());
  return fmt::format("{}", fmt::join(numbers, ","));
}

}  // namespace quadrille
