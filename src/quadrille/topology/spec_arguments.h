// Reading the arguments of a spec: each function takes what a family expects, or throws a SpecError that says
// what was given, what is allowed, and points there.
//
//     const std::vector<uint64_t> sides = read_sizes(call, 0, "side");   // torus(4,4) and torus(4^2): {4, 4}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {

/// The largest size that a spec may name; closed forms work that far, graphs that are built are much smaller.
inline constexpr uint64_t kMaxSize = 1'000'000'000'000'000'000;
/// The most dimensions or levels that one topology may have.
inline constexpr size_t kMaxDimensions = 64;
/// The most arcs of a graph that is built.
inline constexpr uint64_t kMaxBuiltArcs = uint64_t{1} << 31U;

/// Throws unless the call has between `least` and `most` sections; `syntax` is shown.
void expect_sections(const SpecCall& call, size_t least, size_t most, std::string_view syntax);
/// Throws unless section `section` has exactly `count` arguments.
void expect_arguments(const SpecCall& call, size_t section, size_t count, std::string_view syntax);

/// A number between `least` and `most`; `what` names it in errors: "side", "number of nodes".
[[nodiscard]] uint64_t read_number(const SpecCall& call, const Arg& arg, std::string_view what,
                                   uint64_t least = 1, uint64_t most = kMaxSize);
/// At least one number and at most kMaxDimensions; a power a^b is a repeated b times.
[[nodiscard]] std::vector<uint64_t> read_numbers(const SpecCall& call, size_t section, std::string_view what,
                                                 uint64_t least = 1, uint64_t most = kMaxSize);
/// The call must be family(number).
[[nodiscard]] uint64_t read_only_number(const SpecCall& call, std::string_view what, std::string_view syntax,
                                        uint64_t least = 1, uint64_t most = kMaxSize);
/// The call must be family(a,b,..).
[[nodiscard]] std::vector<uint64_t> read_only_numbers(const SpecCall& call, std::string_view what,
                                                      std::string_view syntax, uint64_t least = 1,
                                                      uint64_t most = kMaxSize);

/// Throws when there are more nodes than ids.
void require_numbered(const SpecCall& call, Int128 nodes);

/// Throws when a graph is too large to be built: more nodes than ids, more than kMaxBuiltArcs arcs, or more
/// than this machine has memory for.
void require_buildable(const SpecCall& call, Int128 nodes, Int128 arcs);

/// "torus(4,4)".
[[nodiscard]] std::string spec_text(std::string_view family, const std::vector<uint64_t>& numbers);
/// "2^4" where all of several numbers are equal, else "4,4,2".
[[nodiscard]] std::string levels_text(const std::vector<uint64_t>& numbers);

}  // namespace quadrille
